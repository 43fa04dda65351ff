import { expect } from '@jest/globals';
import {
  type Clock,
  createLogger,
  createMetrics,
  createPublicApp,
  readParameters,
  sendJson,
} from '@vcds/service-kit';
import { eventually, PRODUCT_SECRET, type Product } from '@vcds/test-kit';
import type { Express } from 'express';
import {
  type Authenticator,
  type AuthenticatorOptions,
  type CacheResult,
  createAuthenticator,
} from '../../src/authenticate/index.ts';
import { withoutCredential } from '../../src/authenticate/without-credential.ts';

export interface AuthenticatorFixture {
  /** Its endpoints, `/v2/me` and `/mcp`, respond with the principal and the remaining parameters. */
  readonly app: Express;
  readonly authenticator: Authenticator;
  /** How each key was looked up. */
  readonly results: CacheResult[];
  /** The log. */
  readonly lines: string[];
  /** Repeats a call, which must succeed, until its key comes from the cache. */
  untilCached(send: () => PromiseLike<{ readonly status: number }>): Promise<unknown>;
  close(): Promise<void>;
}

/** An authenticator of a running product, which it asks about keys. */
export function openAuthenticator(
  product: Product,
  options: {
    readonly clock: Clock;
    readonly redisUrl?: string | undefined;
    readonly accessInternalUrl?: string | undefined;
    readonly isIssued?: AuthenticatorOptions['isIssued'];
    readonly resource?: string;
  },
): AuthenticatorFixture {
  const lines: string[] = [];
  const logger = createLogger({ service: 't', sink: { write: (line) => void lines.push(line) } });
  const results: CacheResult[] = [];
  const authenticator = createAuthenticator({
    accessInternalUrl: options.accessInternalUrl ?? product.accessInternalUrl,
    serviceTokenSecret: PRODUCT_SECRET,
    redisUrl: options.redisUrl,
    isIssued: options.isIssued ?? (async () => true),
    resource: options.resource,
    logger,
    clock: options.clock,
    metrics: {
      cacheResult: (result) => void results.push(result),
      checked: () => undefined,
      circuit: () => undefined,
    },
  });
  const app = createPublicApp({
    logger,
    metrics: createMetrics('t'),
    settings: { requireHttps: false, trustProxy: undefined },
    routes: ['/v2/me', '/mcp'].map((path) => ({
      method: 'GET',
      path,
      handler: async (call, response) => {
        const parameters = readParameters(call);
        const principal = await authenticator.authenticate(call, parameters);
        const scopes = principal.scopes === null ? null : [...principal.scopes];
        const left = Object.fromEntries(withoutCredential(parameters));
        sendJson(response, 200, { ...principal, scopes, left });
      },
    })),
  });
  const untilCached = (send: () => PromiseLike<{ readonly status: number }>) =>
    eventually(async () => {
      expect((await send()).status).toBe(200);
      return results.at(-1) === 'hit';
    }, FAST);
  const close = () => authenticator.close();
  return { app, authenticator, results, lines, untilCached, close };
}

/** A change takes effect within milliseconds. */
export const FAST = { intervalMs: 2 };

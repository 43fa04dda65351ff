import {
  type Clock,
  type Logger,
  type RedisClient,
  type Route,
  unauthorizedToken,
} from '@vcds/service-kit';
import type { Registry } from 'prom-client';
import type { TokenCheck } from '../keys/identify-caller.ts';
import type { RegistrationSecrets } from '../registration/secrets.ts';
import type { Database } from '../store/database.ts';
import type { History } from '../store/history.ts';
import type { KeyChecker } from '../store/key-check.ts';
import type { KeyStore } from '../store/key-store.ts';
import { createAttemptLimits } from './attempt-limits.ts';
import { createExchange } from './exchange.ts';
import { countExchanges } from './exchange-metrics.ts';
import { exchangeRoute, keySetRoute } from './legacy-routes.ts';
import { createLogins } from './logins.ts';
import { createPasswordCheck, type ScryptCost } from './password.ts';
import type { SigningKeys } from './signing-keys.ts';
import { createTokenCheck } from './token-check.ts';
import { createTokenStore, type TokenStore } from './token-store.ts';

export interface OpenLegacyOptions {
  readonly keys: SigningKeys | undefined;
  readonly secrets: RegistrationSecrets;
  readonly redis: RedisClient;
  readonly database: Database;
  readonly history: History;
  readonly store: KeyStore;
  readonly checker: KeyChecker;
  readonly registry: Registry;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Of a comparison for an unknown user. Default: that of the service. */
  readonly passwordCost?: ScryptCost | undefined;
}

/** The older token exchange: its endpoints, and the check of its tokens. */
export interface Legacy {
  readonly publicRoutes: readonly Route[];
  /** The key set for data-api. */
  readonly internalRoutes: readonly Route[];
  readonly tokens: TokenStore;
  readonly tokenCheck: TokenCheck;
}

/**
 * Creates the exchange. Without a signing key there is none: no endpoint, and every token is
 * rejected.
 */
export function openLegacy(options: OpenLegacyOptions): Legacy {
  const { keys, secrets, redis, database, history, store, checker, logger, clock } = options;
  const tokens = createTokenStore(redis, clock);
  if (keys === undefined) {
    logger.warn('LEGACY_SIGNING_KEY is not set: the older token exchange is disabled');
    const check = () => Promise.reject(unauthorizedToken('unknown'));
    return { publicRoutes: [], internalRoutes: [], tokens, tokenCheck: { check } };
  }
  const exchange = createExchange({
    keys,
    logins: createLogins({ database, history, store, clock }),
    checker,
    tokens,
    limits: createAttemptLimits({ redis, secrets, clock }),
    passwords: createPasswordCheck(options.passwordCost),
    clock,
  });
  return {
    publicRoutes: [exchangeRoute(countExchanges(exchange, options.registry)), keySetRoute(keys)],
    internalRoutes: [keySetRoute(keys)],
    tokens,
    tokenCheck: createTokenCheck({ keys, tokens, checker, clock }),
  };
}

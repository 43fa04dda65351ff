import type { Given, Variable, Variables } from './config.ts';
import type { EdgeSettings } from './edge.ts';
import { LOG_LEVELS } from './logger.ts';
import { isTrustProxy } from './trust-proxy.ts';

/** The variables that every service reads (docs/spec/operations.md 16.4). */
export const EDGE_VARIABLES = {
  LOG_LEVEL: {
    type: 'string',
    enum: LOG_LEVELS,
    default: 'info',
    description: 'the lowest level that is logged',
  },
  LOG_SAMPLE: {
    type: 'integer',
    minimum: 1,
    maximum: 10_000,
    default: 1,
    description: 'one in this many successful calls of a route is logged; errors always are',
  },
  TRUST_PROXY: {
    type: 'string',
    accepts: (value: string) => isTrustProxy(value),
    expected: `false, the number of proxies in front of this service, or their addresses and
 subnets separated by commas`.replace('\n', ''),
    description: 'the proxies whose forwarded scheme and client address are trusted',
  },
  FREE_WORK_PERCENT: {
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 5,
    description:
      'processor time that one account or network may use without being charged, in percent of a core',
  },
  DRAIN_MS: {
    type: 'integer',
    minimum: 0,
    maximum: 120_000,
    default: 5_000,
    description:
      'milliseconds for which calls are accepted after SIGTERM, while /ready returns 503',
  },
  REQUIRE_HTTPS: {
    type: 'boolean',
    description: 'whether plain HTTP is rejected; by default only behind a trusted proxy',
  },
} as const satisfies Variables;

/**
 * The settings of the edge. Behind a proxy, HTTPS is required unless REQUIRE_HTTPS is false. A
 * TRUST_PROXY of `0` means that there is no proxy.
 */
export function edgeSettings(
  config: Given<Pick<typeof EDGE_VARIABLES, 'TRUST_PROXY' | 'REQUIRE_HTTPS' | 'LOG_SAMPLE'>>,
): EdgeSettings {
  const isNone = /^(false|0+)$/.test(config.TRUST_PROXY ?? 'false');
  const trustProxy = isNone ? undefined : config.TRUST_PROXY;
  const requireHttps = config.REQUIRE_HTTPS ?? trustProxy !== undefined;
  return { trustProxy, requireHttps, logSample: config.LOG_SAMPLE };
}

/** A variable for a port, with its default; 0 selects any free port. */
export function portVariable(port: number, description: string) {
  return { type: 'integer', minimum: 0, maximum: 65_535, default: port, description } as const;
}

/** A variable for the address to listen on; default: this machine only. */
export function hostVariable(description: string) {
  return { type: 'string', default: '127.0.0.1', description } as const;
}

/** A variable for a URL with one of `schemes`. */
export function urlVariable<const T extends Partial<Variable>>(
  schemes: readonly string[],
  description: string,
  rest: T,
) {
  return {
    type: 'string',
    pattern: `^(${schemes.map((scheme) => scheme.replace(/[+]/g, '\\$&')).join('|')})://[^\\s]+$`,
    expected: `a URL that begins ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
    description,
    ...rest,
  } as const;
}

/** A variable for one or several URLs with one of `schemes`, separated by commas. */
export function urlsVariable(schemes: readonly string[], description: string) {
  const url = `(${schemes.join('|')})://[^\\s,]+`;
  return {
    type: 'string',
    pattern: `^${url}( *, *${url})*$`,
    expected: `URLs that begin ${schemes.map((scheme) => `${scheme}://`).join(' or ')},
 separated by commas`.replace('\n', ''),
    description,
  } as const;
}

/** For REDIS_URL: one node, a comma-separated list of nodes, or a Sentinel group. */
export const REDIS_SCHEMES = ['redis', 'rediss', 'redis+sentinel', 'rediss+sentinel'] as const;
export const POSTGRES_SCHEMES = ['postgresql', 'postgres'] as const;
export const HTTP_SCHEMES = ['http', 'https'] as const;

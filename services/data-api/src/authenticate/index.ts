import type { Authenticator } from './authenticator.ts';

export {
  type Authenticator,
  type AuthenticatorOptions,
  createAuthenticator,
} from './authenticator.ts';
export type { CacheResult } from './key-cache.ts';
export { createKeyMetrics } from './key-metrics.ts';

/** The authentication of one request. */
export type Authenticate = Authenticator['authenticate'];

import { TOKEN_PARAMETER } from '@vcds/credentials';
import type { Authenticator } from './authenticator.ts';

export {
  type Authenticator,
  type AuthenticatorOptions,
  createAuthenticator,
} from './authenticator.ts';
export type { CacheResult } from './key-cache.ts';
export { createKeyMetrics, type KeyMetrics } from './key-metrics.ts';

/** The authentication of one request. */
export type Authenticate = Authenticator['authenticate'];

/** The parameters without the credential in `token`. */
export function withoutCredential(
  parameters: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  if (!parameters.has(TOKEN_PARAMETER)) return parameters;
  return new Map([...parameters].filter(([name]) => name !== TOKEN_PARAMETER));
}

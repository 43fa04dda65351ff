export { accessTokenDigest, generateAccessToken, isGenuineAccessToken } from './access-token.ts';
export {
  API_KEY_PREFIX,
  type ApiKey,
  digestOf,
  generateApiKey,
  type KeyDigest,
  NO_KEY,
  parseApiKey,
  parseDigest,
  redactApiKey,
} from './api-key.ts';
export { extractCredential, readCredentialText, TOKEN_PARAMETER } from './credential.ts';
export { JWKS_PATH, type KeySet, type PublishedKey, parseKeySet, publishedKey } from './jwks.ts';
export {
  decodeKeyCheck,
  decodeKeyCheckRequest,
  encodeKeyCheck,
  encodeKeyCheckRequest,
  KEY_CHECK_PARTIES,
  KEY_CHECK_PATH,
  type KeyCheck,
  type KeyCheckRequest,
  type KeyRejection,
} from './key-check.ts';
export { LEGACY_TOKEN_SECONDS, readLegacyToken, signLegacyToken } from './legacy-token.ts';
export {
  CREDIT_LIMIT_MAX,
  isCreditLimit,
  isPlanId,
  isScope,
  PLAN_IDS,
  type PlanId,
  type Principal,
  SCOPES,
  type Scope,
} from './principal.ts';
export {
  accountKeys,
  BUCKETS,
  bucketOfAccount,
  bucketOfDigest,
  bucketTag,
  KEY_CHANGES_STREAM,
  legacyTokenKey,
  ownerKey,
  positionKey,
} from './redis-layout.ts';
export { parseSecrets, type SecretList, secretsVariable } from './secrets.ts';
export {
  createServiceTokenSigner,
  ServiceTokenError,
  type ServiceTokenParties,
  verifyServiceToken,
} from './service-token.ts';

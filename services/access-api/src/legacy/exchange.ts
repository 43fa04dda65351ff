import { randomUUID } from 'node:crypto';
import { digestOf, type KeyDigest, parseApiKey, signLegacyToken } from '@vcds/credentials';
import { ApiError, unauthorized } from '@vcds/service-kit';
import { Counter, type Registry } from 'prom-client';
import type { KeyChecker } from '../keys/check-key.ts';
import { counted } from '../registration/registration-metrics.ts';
import { type AttemptLimitsOptions, beginPasswordAttempt } from './attempt-limits.ts';
import type { BasicCredentials } from './basic-credentials.ts';
import type { SigningKeys } from './legacy-config.ts';
import type { Logins } from './logins.ts';
import type { PasswordCheck } from './password.ts';
import type { TokenStore } from './token-store.ts';

/**
 * The older exchange: a key, or user name and password, for a token with the same permissions, valid
 * for an hour. The token refers to the key, or to the internal key of the password, and each check
 * of the token checks that key.
 *
 * @throws ApiError `unauthorized`; `too_many_requests`; `unavailable`.
 */
export type Exchange = ReturnType<typeof createExchange>;

interface ExchangeOptions extends AttemptLimitsOptions {
  readonly keys: Pick<SigningKeys, 'signing'>;
  readonly logins: Pick<Logins, 'find' | 'digestOf'>;
  readonly checkKey: KeyChecker;
  readonly tokens: TokenStore;
  readonly isPassword: PasswordCheck;
}

export function createExchange(options: ExchangeOptions) {
  const { keys, checkKey, tokens, clock } = options;
  const tokenFor = async (digest: KeyDigest, accountId: string): Promise<string> => {
    const tokenId = randomUUID();
    await tokens.store(tokenId, digest);
    return signLegacyToken({ tokenId, accountId, digest }, keys.signing, clock);
  };
  const byKey = async (text: string): Promise<string> => {
    const key = parseApiKey(text);
    if (key === undefined) throw withChallenge(unauthorized('malformed'));
    const digest = digestOf(key);
    const check = await checkKey(digest);
    if ('rejected' in check) throw withChallenge(unauthorized(check.rejected));
    return tokenFor(digest, check.principal.accountId);
  };
  return async (credentials: BasicCredentials, client: string | undefined): Promise<string> => {
    if (credentials.kind === 'key') return byKey(credentials.text);
    const digest = await digestOfLogin(options, credentials, client);
    const check = await checkKey(digest);
    if ('rejected' in check) throw wrongPassword();
    return tokenFor(digest, check.principal.accountId);
  };
}

// Counts before comparing, and compares whether or not there is such a user, so that the time is
// the same. Only a wrong password stays counted.
async function digestOfLogin(
  options: ExchangeOptions,
  { userName, password }: Extract<BasicCredentials, { kind: 'password' }>,
  client: string | undefined,
): Promise<KeyDigest> {
  const { logins, isPassword } = options;
  const attempt = await beginPasswordAttempt(options, userName.toLowerCase(), client);
  let end = attempt.takeBack;
  try {
    const login = await logins.find(userName);
    const isCorrect = await isPassword(password, login?.passwordHash);
    if (login === undefined || !isCorrect) {
      end = attempt.keep;
      throw wrongPassword();
    }
    end = attempt.succeed;
    return await logins.digestOf(login);
  } finally {
    await end();
  }
}

function wrongPassword() {
  return withChallenge(unauthorized('unknown', 'Incorrect user name or password.'));
}

// This endpoint accepts only Basic.
function withChallenge({ code, message, details }: ApiError): ApiError {
  return new ApiError(code, message, { ...details, challenge: 'Basic realm="api"' });
}

/** Counts exchanges by kind of credentials and outcome. */
export function countExchanges(exchange: Exchange, registry: Registry): Exchange {
  const exchanges = new Counter({
    name: 'vcds_token_exchanges_total',
    help: 'Exchanges of credentials for a token by kind of credentials and outcome.',
    labelNames: ['credentials', 'outcome'],
    registers: [registry],
  });
  return (credentials, client) =>
    counted(
      () => exchange(credentials, client),
      () => 'granted',
      (outcome) => exchanges.inc({ credentials: credentials.kind, outcome }),
    );
}

import { randomUUID } from 'node:crypto';
import { digestOf, type KeyDigest, parseApiKey, signLegacyToken } from '@vcds/credentials';
import { ApiError, type Clock, systemClock, unauthorized } from '@vcds/service-kit';
import type { KeyChecker } from '../store/key-check.ts';
import type { AttemptLimits } from './attempt-limits.ts';
import type { BasicCredentials } from './basic-credentials.ts';
import type { Logins } from './logins.ts';
import type { PasswordCheck } from './password.ts';
import type { SigningKeys } from './signing-keys.ts';
import type { TokenStore } from './token-store.ts';

/** The older exchange: credentials for a token that opens what they open, for an hour. */
export interface Exchange {
  /**
   * A token for a key or for user name and password (spec §5.3). The token names the key, or the
   * key that stands for the password, and is checked through it ever after.
   *
   * @throws ApiError `unauthorized`; `too_many_requests`; `unavailable`.
   */
  exchange(credentials: BasicCredentials, client: string | undefined): Promise<string>;
}

export interface ExchangeOptions {
  readonly keys: Pick<SigningKeys, 'signing'>;
  readonly logins: Pick<Logins, 'find' | 'digestOf'>;
  readonly checker: KeyChecker;
  readonly tokens: TokenStore;
  readonly limits: AttemptLimits;
  readonly passwords: PasswordCheck;
  readonly clock?: Clock;
}

export function createExchange(options: ExchangeOptions): Exchange {
  const { keys, checker, tokens, clock = systemClock } = options;
  const tokenFor = async (digest: KeyDigest, accountId: string): Promise<string> => {
    const tokenId = randomUUID();
    await tokens.keep(tokenId, digest);
    return signLegacyToken({ tokenId, accountId, digest }, keys.signing, clock);
  };
  const byKey = async (text: string): Promise<string> => {
    const key = parseApiKey(text);
    if (key === undefined) throw refused(unauthorized('malformed'));
    const digest = digestOf(key);
    const check = await checker.check(digest);
    if ('rejected' in check) throw refused(unauthorized(check.rejected));
    return tokenFor(digest, check.principal.accountId);
  };
  return {
    exchange: async (credentials, client) => {
      if (credentials.kind === 'key') return byKey(credentials.text);
      const digest = await digestOfLogin(options, credentials, client);
      const check = await checker.check(digest);
      if ('rejected' in check) throw notRight();
      return tokenFor(digest, check.principal.accountId);
    },
  };
}

// Counted, then compared; and compared whether there is such a user or not. Only what was compared
// and found wrong stays counted.
async function digestOfLogin(
  { logins, limits, passwords }: ExchangeOptions,
  { userName, password }: Extract<BasicCredentials, { kind: 'password' }>,
  client: string | undefined,
): Promise<KeyDigest> {
  const attempt = await limits.begin(userName.toLowerCase(), client);
  let end = attempt.takeBack;
  try {
    const login = await logins.find(userName);
    const isRight = await passwords.matches(password, login?.passwordHash);
    if (login === undefined || !isRight) {
      end = attempt.keep;
      throw notRight();
    }
    end = attempt.succeed;
    return await logins.digestOf(login);
  } finally {
    await end();
  }
}

function notRight() {
  return refused(unauthorized('unknown', 'User name or password is not right.'));
}

// Nothing but Basic is taken here.
function refused({ code, message, details }: ApiError): ApiError {
  return new ApiError(code, message, { ...details, challenge: 'Basic realm="api"' });
}

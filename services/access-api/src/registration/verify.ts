import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, seeUrl } from '@vcds/service-kit';
import { creditsBody } from '../credits/usage-route.ts';
import { DOCS_PATH, dataUrl, type PublicUrls } from '../keys/endpoints.ts';
import type { VerifyInput } from './input.ts';
import {
  type IssuanceOptions,
  type Issued,
  issueKeyFor,
  issueOrReopen,
  type Landed,
  landOn,
} from './issuance.ts';
import { LIMITS } from './limits.ts';
import type { Link } from './link.ts';
import type { RegistrationId } from './redis-keys.ts';
import type { RegistrationMetrics } from './registration-metrics.ts';
import type { CodeResult, CodeTarget, RegistrationStore } from './registration-store.ts';

export interface VerifyOptions extends IssuanceOptions {
  readonly registrationMetrics: RegistrationMetrics;
}

/**
 * Exchanges a code for a key: limit and compare the code, issue a key.
 *
 * @throws ApiError `wrong_code`, `too_many_attempts`, `too_many_requests`, `invalid_or_expired`,
 *   `unavailable`.
 */
export function verify(
  options: VerifyOptions,
  input: VerifyInput,
  client: string | undefined,
): Promise<Issued> {
  return options.registrationMetrics.verification('code', async () => {
    const id = await compareCode(options, input, client);
    return issueOrReopen(options, id, (email) => issueKeyFor(options, email));
  });
}

async function compareCode(
  { registrations }: VerifyOptions,
  { target, code }: VerifyInput,
  client: string | undefined,
): Promise<RegistrationId> {
  if (target === undefined) throw invalidOrExpired();
  const result = await tryCountedCode(registrations, { target, code, client });
  if (result.outcome === 'granted') return result.id;
  throw codeError(result);
}

/** The error for a code that gets no key. */
export function codeError(result: Exclude<CountedCodeResult, { outcome: 'granted' }>): ApiError {
  const tooMany = (whose: string, waitMs: number): ApiError =>
    new ApiError(
      'too_many_requests',
      `Too many incorrect codes ${whose}. The link in the email still works.`,
      { retryAfterSeconds: waitMs / 1000 },
    );
  switch (result.outcome) {
    case 'wrong_code': {
      const left = result.attemptsLeft;
      const message = `Incorrect code. ${left} of ${LIMITS.attemptsMax} attempts remaining.`;
      return new ApiError('wrong_code', message, { beside: { attempts_left: left } });
    }
    case 'too_many_attempts':
      return new ApiError(
        'too_many_attempts',
        `The code is no longer valid after ${LIMITS.attemptsMax} incorrect attempts. Register ` +
          'again, or use the link in the email.',
        { beside: { attempts_left: 0 } },
      );
    case 'too_many_requests':
      return tooMany('for this address today', result.waitMs);
    case 'network_limit':
      return tooMany('from this network; retry after the time in Retry-After', result.waitMs);
    case 'invalid_or_expired':
      return invalidOrExpired();
  }
}

function invalidOrExpired(): ApiError {
  return new ApiError(
    'invalid_or_expired',
    'No open registration matches: it does not exist, has expired or was used. Register again.',
  );
}

/** The body of a response with a key. */
export function verifyBody(urls: PublicUrls, { key, email, balance }: Issued) {
  const baseUrl = dataUrl(urls);
  return {
    api_key: key.apiKey,
    expires_at: key.expiresAt?.toISOString() ?? null,
    email,
    credits: creditsBody(balance),
    base_url: baseUrl,
    usage:
      'Send the key with every call in the header X-Api-Key, for example: ' +
      `curl -H "X-Api-Key: <API_KEY>" "${baseUrl}/categories"`,
    docs_url: seeUrl(urls.accessPublicUrl, DOCS_PATH),
    manage_url: seeUrl(urls.accessPublicUrl, '/account'),
    notice:
      'This key is shown only once: store it where you store secrets. It is valid for ' +
      `${LIMITS.keySeconds / 86_400} days. Registering again with the same address issues a new ` +
      'key on the same account, with the same credits.',
  };
}

/**
 * Signs in by a mailed link, once, and issues a key if one is requested. Undefined: the link was
 * used, has expired or does not exist.
 *
 * @throws ApiError `unavailable`; the link then still works.
 */
export function useLink(
  options: VerifyOptions,
  link: Link,
  wantsKey: boolean,
): Promise<Landed | undefined> {
  return options.registrationMetrics.verification('link', async () => {
    if (!(await options.registrations.useLink(link))) return undefined;
    return issueOrReopen(options, link.id, (email) => landOn(options, email, wantsKey));
  });
}

/** Retries while other attempts are being evaluated, and the maximum pause before each. */
const BUSY_ROUNDS_MAX = 20;
const BUSY_PAUSE_MS_MAX = 100;

/** The result of a code, including the limits of the client's networks. */
type CountedCodeResult =
  | Exclude<CodeResult, { outcome: 'not_compared' }>
  /** The networks have sent too many wrong codes; their codes are not compared until then. */
  | { readonly outcome: 'network_limit'; readonly waitMs: number };

/**
 * Tries a code. It counts for the client's networks before it is compared and counts for the
 * registration; only a wrong one stays counted. For a registration that is used, expired or dead,
 * no code is compared or counted.
 *
 * @throws ApiError `unavailable` while Redis does not respond.
 */
async function tryCountedCode(
  store: Pick<RegistrationStore, 'tryCode' | 'beginCode'>,
  { target, code, client }: { target: CodeTarget; code: string; client: string | undefined },
): Promise<CountedCodeResult> {
  for (let round = 1; ; round++) {
    const unread = await store.tryCode(target, code, false);
    if (unread.outcome !== 'not_compared') return unread;
    const begun = await store.beginCode(client);
    if ('waitMs' in begun) {
      const { isBusy, waitMs } = begun;
      if (!isBusy || round === BUSY_ROUNDS_MAX) return { outcome: 'network_limit', waitMs };
      await delay(Math.random() * BUSY_PAUSE_MS_MAX);
      continue;
    }
    let wasWrong = false;
    try {
      const result = await store.tryCode(target, code, true);
      if (result.outcome === 'not_compared') throw new Error('A code was not compared.');
      wasWrong = 'wasWrong' in result && result.wasWrong;
      return result;
    } finally {
      await (wasWrong ? begun.attempt.keep() : begun.attempt.takeBack());
    }
  }
}

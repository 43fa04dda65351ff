import {
  ApiError,
  type Clock,
  networksOf,
  orUnavailable,
  type RedisClient,
} from '@vcds/service-kit';
import {
  type Attempt,
  beginAttempt,
  HOUR_MS,
  type Limit,
  NETWORK_LIMITS,
  networkWindows,
} from '../limits/windows.ts';
import type { RegistrationSecrets } from '../registration/secrets.ts';

/**
 * Wrong passwords within any hour. The limit of a network is below that of a user name, so that one
 * network cannot lock a user name.
 */
export const PASSWORD_LIMITS = Object.freeze({
  ...NETWORK_LIMITS,
  perUserName: Object.freeze({ max: 50, windowMs: HOUR_MS }) satisfies Limit,
});

/** The networks from which a user name logged in recently; attempts of others do not lock these. */
const KNOWN_NETWORKS = Object.freeze({ max: 10, forMs: 30 * 24 * HOUR_MS });

/** A counted attempt. One of its three methods must end it; none rejects. */
interface PasswordAttempt extends Attempt {
  /** The password was correct: not counted, and the network is stored for 30 days. */
  succeed(): Promise<void>;
}

export interface AttemptLimitsOptions {
  readonly redis: RedisClient;
  readonly secrets: Pick<RegistrationSecrets, 'digest' | 'digests'>;
  readonly clock: Clock;
}

/**
 * Counts an attempt for the client's networks and the user name before its password is compared,
 * whether or not there is such a user: in Redis, in sliding windows under keyed digests. A network
 * from which the user name logged in recently passes if only the user name is over its limit.
 *
 * @throws ApiError `too_many_requests` with the time to wait, seconds while other attempts are
 *   compared; `unavailable` without Redis. Nothing is counted then.
 */
export async function beginPasswordAttempt(
  { redis, secrets, clock }: AttemptLimitsOptions,
  userName: string,
  client: string | undefined,
): Promise<PasswordAttempt> {
  const [name = '', ...names] = secrets
    .digests('userName', userName)
    .map((digest) => `user-name:${digest}`);
  const known = `${name}:networks`;
  const networks = secrets.digests('network', networksOf(client).network);
  const [network = ''] = networks;
  const isKnown = async (): Promise<boolean> => {
    const scores = [name, ...names].map((each, i) =>
      redis.zscore(`${each}:networks`, networks[i] ?? ''),
    );
    const since = clock.wallMs() - KNOWN_NETWORKS.forMs;
    return (await answered(Promise.all(scores))).some((at) => at !== null && Number(at) > since);
  };
  const storeNetwork = async (): Promise<void> => {
    await redis.zadd(known, clock.wallMs(), network);
    await redis.zremrangebyrank(known, 0, -KNOWN_NETWORKS.max - 1);
    await redis.pexpire(known, KNOWN_NETWORKS.forMs);
  };
  const begin = (windows: Parameters<typeof beginAttempt>[2]) =>
    answered(beginAttempt(redis, clock, windows));
  const byNetwork = networkWindows(secrets, client, 'passwords');
  const byUserName = { key: `${name}:passwords`, limit: PASSWORD_LIMITS.perUserName };
  let begun = await begin([...byNetwork, byUserName]);
  if ('waitMs' in begun && (await isKnown())) begun = await begin(byNetwork);
  if ('waitMs' in begun) throw tooMany(begun.waitMs);
  const { attempt } = begun;
  return {
    ...attempt,
    succeed: async () => void (await Promise.allSettled([attempt.takeBack(), storeNetwork()])),
  };
}

function tooMany(waitMs: number): ApiError {
  return new ApiError(
    'too_many_requests',
    'Too many wrong passwords from this network or for this user name. Retry after Retry-After.',
    { retryAfterSeconds: waitMs / 1000 },
  );
}

function answered<T>(reply: Promise<T>): Promise<T> {
  return orUnavailable(reply, 'Passwords are temporarily not checked. Retry later.');
}

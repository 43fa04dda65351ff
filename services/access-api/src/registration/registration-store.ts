import { ApiError, type Clock, type RedisClient, redisReady, seeUrl } from '@vcds/service-kit';
import type { EmailAddress } from './email-address.ts';
import { LIMITS } from './limits.ts';
import { formatLink, type Link, newLink, SIGN_IN_PATH } from './link.ts';
import { sealMail } from './mail-source.ts';
import {
  addressKeys,
  networkKey,
  newRegistrationId,
  type RegistrationId,
  registrationKey,
  uniqueMember,
} from './redis-keys.ts';
import { COUNT_CALL, IS_LINK_OPEN, OPEN, REOPEN, STATE, TRY_CODE, USE_LINK } from './scripts.ts';
import { type RegistrationSecrets, randomCode } from './secrets.ts';
import { isRegistrationState, PUBLIC_STATUS, type PublicStatus } from './states.ts';

const RECONNECT_MS_MAX = 500;

/** What came of a code. */
export type CodeResult =
  | { readonly outcome: 'granted'; readonly id: RegistrationId }
  | { readonly outcome: 'wrong_code'; readonly attemptsLeft: number }
  /** The registration is dead; only its link still works. */
  | { readonly outcome: 'too_many_attempts' }
  /** The address has had too many wrong codes; codes are not looked at until then. */
  | { readonly outcome: 'too_many_requests'; readonly waitMs: number }
  | { readonly outcome: 'invalid_or_expired' };

/** Which registration a code is for: this one, or the newest of an address still open. */
export type CodeTarget = { readonly id: RegistrationId } | { readonly address: EmailAddress };

/**
 * Registrations in Redis, for a day each (spec §3.1). A hash: `state`, `attempts`, `createdAt`
 * and `expiresAt` (ms), `addressDigest`, `grantedTo` (the call that was), keyed digests `code` and `link`, the sealed `address`,
 * and, until it is sent, the sealed `mail`. Nothing in it is readable without CODE_SECRET.
 *
 * Each method rejects with ApiError `unavailable` while Redis does not answer.
 */
export interface RegistrationStore {
  /** Counts a registration from a network; how long to wait, in ms, if there were too many. */
  countNetwork(network: string): Promise<number>;
  /** Undefined: the address has had too many registrations within the hour. */
  open(address: EmailAddress): Promise<RegistrationId | undefined>;
  /** Counts an attempt, then compares. Exactly one caller is granted a registration. */
  tryCode(target: CodeTarget, code: string): Promise<CodeResult>;
  /** Whether this caller, and no other before or after, is granted the registration. */
  useLink(link: Link): Promise<boolean>;
  isLinkOpen(link: Link): Promise<boolean>;
  /** Gives a granted registration back, with the attempt it took. */
  reopen(id: RegistrationId): Promise<void>;
  status(id: RegistrationId): Promise<PublicStatus>;
  /** @throws Error when there is no such registration. */
  addressOf(id: RegistrationId): Promise<EmailAddress>;
}

export interface RegistrationStoreOptions {
  readonly redis: RedisClient;
  readonly secrets: RegistrationSecrets;
  readonly clock: Clock;
  /** Public root of access-api, where the mailed link leads. */
  readonly accessPublicUrl: string;
}

export function createRegistrationStore(options: RegistrationStoreOptions): RegistrationStore {
  const { redis, secrets, clock } = options;
  const run = (lua: string, keys: readonly string[], ...args: (string | number)[]) =>
    answered(redis.eval(lua, keys.length, ...keys, clock.wallMs(), ...args));
  const linkDigest = ({ id, secret }: Link): string => secrets.digest('link', id, secret);
  return {
    countNetwork: async (network) => {
      const { max, windowMs } = LIMITS.perNetwork;
      const key = networkKey(secrets.digest('network', network));
      return Number(await run(COUNT_CALL, [key], max, windowMs, uniqueMember()));
    },
    open: async (address) => {
      const addressDigest = secrets.digest('address', address);
      const id = newRegistrationId(addressDigest);
      const { registered, latest } = addressKeys(addressDigest);
      const keys = [registrationKey(id), registered, latest];
      const fields = newFields(options, id, address, addressDigest);
      const isOpen = Number(await run(OPEN, keys, uniqueMember(), id, ...fields)) === 1;
      return isOpen ? id : undefined;
    },
    tryCode: async (target, code) => {
      const found = await candidates(options, target);
      if (found === undefined) return { outcome: 'invalid_or_expired' };
      const { addressDigest, ids } = found;
      const keys = [addressKeys(addressDigest).wrong, ...ids.map(registrationKey)];
      const digests = ids.map((id) => secrets.digest('code', id, code));
      const caller = uniqueMember();
      try {
        const reply = await run(TRY_CODE, keys, caller, ...digests);
        return codeResult(reply as [string, number, number], ids);
      } catch (error) {
        const id = await grantedDespite(redis, ids, caller);
        if (id === undefined) throw error;
        return { outcome: 'granted', id };
      }
    },
    useLink: async (link) => {
      const { id } = link;
      const caller = uniqueMember();
      try {
        const outcome = await run(USE_LINK, [registrationKey(id)], caller, linkDigest(link));
        return outcome === 'granted';
      } catch (error) {
        if ((await grantedDespite(redis, [id], caller)) === undefined) throw error;
        return true;
      }
    },
    isLinkOpen: async (link) =>
      Number(await run(IS_LINK_OPEN, [registrationKey(link.id)], linkDigest(link))) === 1,
    reopen: async (id) => void (await run(REOPEN, [registrationKey(id)])),
    status: async (id) => {
      const state = await run(STATE, [registrationKey(id)]);
      return isRegistrationState(state) ? PUBLIC_STATUS[state] : 'unknown';
    },
    addressOf: async (id) => {
      const sealed = await answered(redis.hget(registrationKey(id), 'address'));
      if (sealed === null) throw new Error('There is no such registration.');
      return secrets.open(sealed, `address ${id}`) as EmailAddress;
    },
  };
}

function newFields(
  { secrets, clock, accessPublicUrl }: RegistrationStoreOptions,
  id: RegistrationId,
  address: EmailAddress,
  addressDigest: string,
): (string | number)[] {
  const link = newLink(id);
  const code = randomCode();
  const linkUrl = seeUrl(accessPublicUrl, `${SIGN_IN_PATH}/${formatLink(link)}`);
  const createdAtMs = clock.wallMs();
  return Object.entries({
    createdAt: createdAtMs,
    expiresAt: createdAtMs + LIMITS.codeMs,
    addressDigest,
    address: secrets.seal(address, `address ${id}`),
    code: secrets.digest('code', id, code),
    link: secrets.digest('link', id, link.secret),
    mail: sealMail(secrets, { to: address, code, linkUrl }, id),
  }).flat();
}

// The registrations a code may be for, newest first, and whose they are. What is read here may be
// overtaken by a new registration; the code then counts as having come before it.
async function candidates(
  { redis, secrets }: RegistrationStoreOptions,
  target: CodeTarget,
): Promise<{ addressDigest: string; ids: RegistrationId[] } | undefined> {
  if ('id' in target) {
    const { id } = target;
    const addressDigest = await answered(redis.hget(registrationKey(id), 'addressDigest'));
    return addressDigest === null ? undefined : { addressDigest, ids: [id] };
  }
  const addressDigest = secrets.digest('address', target.address);
  const ids = await answered(redis.lrange(addressKeys(addressDigest).latest, 0, -1));
  return ids.length === 0 ? undefined : { addressDigest, ids: ids as RegistrationId[] };
}

// A script may have run although its answer was late or lost. Had it granted a registration, nobody
// else could use that any more; so it is asked once whom it was granted to.
async function grantedDespite(
  redis: RedisClient,
  ids: readonly RegistrationId[],
  caller: string,
): Promise<RegistrationId | undefined> {
  try {
    await redisReady(redis, RECONNECT_MS_MAX);
    for (const id of ids) {
      if ((await redis.hget(registrationKey(id), 'grantedTo')) === caller) return id;
    }
  } catch {
    // Still no answer: the caller hears of the first failure.
  }
  return undefined;
}

function codeResult(
  [outcome, index, number]: [string, number, number],
  ids: readonly RegistrationId[],
): CodeResult {
  const id = ids[index - 1];
  switch (outcome) {
    case 'granted':
      if (id === undefined) break;
      return { outcome, id };
    case 'wrong_code':
      return { outcome, attemptsLeft: number };
    case 'too_many_requests':
      return { outcome, waitMs: number };
    case 'too_many_attempts':
    case 'invalid_or_expired':
      return { outcome };
  }
  throw new Error(`A registration script answered "${outcome}".`);
}

// A script's own fault stays one; anything else means that Redis cannot be asked.
async function answered<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof Error && error.message.includes('user_script')) throw error;
    const message = 'Registrations cannot be kept at the moment; retry once later.';
    throw new ApiError('unavailable', message, {}, { cause: error });
  }
}

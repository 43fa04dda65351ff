import { isScriptError, type Script } from '@vcds/metering/redis';
import { ApiError, type Clock, type RedisClient, redisReady, seeUrl } from '@vcds/service-kit';
import { type Begun, beginAttempt, networkWindows, uniqueMember } from '../limits/windows.ts';
import type { EmailAddress } from './email-address.ts';
import { LIMITS } from './limits.ts';
import { formatLink, type Link, newLink, SIGN_IN_PATH } from './link.ts';
import { encryptMail } from './mail-source.ts';
import { mailboxOf, sharedDomainOf } from './mailbox.ts';
import {
  addressKeys,
  domainKey,
  mailboxKey,
  newRegistrationId,
  type RegistrationId,
  registrationKey,
  slotTagOf,
  unsentKey,
} from './redis-keys.ts';
import type { Opened } from './registration-metrics.ts';
import { IS_LINK_OPEN, OPEN, REOPEN, STATE, TRY_CODE, USE_LINK } from './scripts.ts';
import { type RegistrationSecrets, randomCode } from './secrets.ts';
import { isRegistrationState, PUBLIC_STATUS, type PublicStatus } from './states.ts';

const RECONNECT_MS_MAX = 500;
/** After this time, workers queue a message that access-api has not queued. */
const UNSENT_AFTER_MS = 3_000;

/** The result of a code. */
export type CodeResult =
  | { readonly outcome: 'granted'; readonly id: RegistrationId }
  | { readonly outcome: 'wrong_code'; readonly attemptsLeft: number; readonly wasWrong: true }
  /** The registration is dead; only its link still works. `wasWrong`: this code was the fifth. */
  | { readonly outcome: 'too_many_attempts'; readonly wasWrong: boolean }
  /** Too many wrong codes for the address; no code is compared until then. */
  | { readonly outcome: 'too_many_requests'; readonly waitMs: number }
  | { readonly outcome: 'invalid_or_expired' }
  /** The registration is open, and `mayCompare` was false. */
  | { readonly outcome: 'not_compared' };

/** The registration of a code: this one, or the newest open one of an address. */
export type CodeTarget = { readonly id: RegistrationId } | { readonly address: EmailAddress };

export type RegistrationStore = ReturnType<typeof createRegistrationStore>;

export interface RegistrationStoreOptions {
  readonly redis: RedisClient;
  readonly secrets: RegistrationSecrets;
  readonly clock: Clock;
  /** Public root of access-api, for the mailed link. */
  readonly accessPublicUrl: string;
}

/**
 * Registrations in Redis, for a day each. A hash: `state`, `attempts`, `createdAt` and `expiresAt`
 * (ms), `addressDigest`, `grantedTo` (the call that was granted it), keyed digests `code` and
 * `link`, the encrypted `address` and, until it is sent, the encrypted `mail`. Without CODE_SECRET
 * it reveals neither address nor code.
 *
 * Each method rejects with ApiError `unavailable` while Redis does not respond.
 */
export function createRegistrationStore(options: RegistrationStoreOptions) {
  const { redis, secrets, clock } = options;
  const run = (script: Script, keys: readonly string[], ...args: (string | number)[]) =>
    answered(script(redis, keys, [clock.wallMs(), ...args]));
  const linkDigests = ({ id, secret }: Link): string =>
    secrets.digests('link', id, secret).join(' ');
  return {
    /** Counts a registration for all of a client's networks; resolves with 0, or the time to wait in ms and counts none. */
    countNetwork: async (client: string | undefined): Promise<number> => {
      const windows = networkWindows(secrets, client, 'registered');
      const begun = await answered(beginAttempt(redis, clock, windows));
      if ('waitMs' in begun) return begun.waitMs;
      await begun.attempt.keep();
      return 0;
    },
    /** Counts a code for a client's networks, before it is compared. */
    beginCode: (client: string | undefined): Promise<Begun> =>
      answered(beginAttempt(redis, clock, networkWindows(secrets, client, 'codes'))),
    /**
     * Opens a registration and, in the same step, lists its message as unsent, unless the address or
     * its mailbox or domain has reached its limit.
     */
    open: async (address: EmailAddress): Promise<Opened> => {
      const begun = await answered(beginAttempt(redis, clock, domainWindows(options, address)));
      if ('waitMs' in begun) return { rejected: 'domain_limit' };
      try {
        const opened = await openOne(options, address, 'latest');
        await ('id' in opened ? begun.attempt.keep() : begun.attempt.takeBack());
        return opened;
      } catch (error) {
        await begun.attempt.takeBack();
        throw error;
      }
    },
    /** Opens a registration whose code no address finds, without the limit of the domain. */
    openLink: (address: EmailAddress): Promise<Opened> => openOne(options, address, 'unlisted'),
    /**
     * Counts an attempt, then compares, unless `mayCompare` is false. Grants a registration to
     * exactly one caller.
     */
    tryCode: async (target: CodeTarget, code: string, mayCompare: boolean): Promise<CodeResult> => {
      const found = await candidates(options, target);
      if (found === undefined) return { outcome: 'invalid_or_expired' };
      const { wrong, ids } = found;
      const keys = [wrong, ...ids.map(registrationKey)];
      const digests = ids.map((id) => secrets.digests('code', id, code).join(' '));
      const caller = uniqueMember();
      try {
        const reply = await run(TRY_CODE, keys, caller, mayCompare ? 1 : 0, ...digests);
        return codeResult(reply as [string, number, number], ids);
      } catch (error) {
        const id = await grantedDespite(redis, ids, caller);
        if (id === undefined) throw error;
        return { outcome: 'granted', id };
      }
    },
    /** Whether the registration is granted to this caller, and to no other. */
    useLink: async (link: Link): Promise<boolean> => {
      const { id } = link;
      const caller = uniqueMember();
      try {
        const outcome = await run(USE_LINK, [registrationKey(id)], caller, linkDigests(link));
        return outcome === 'granted';
      } catch (error) {
        if ((await grantedDespite(redis, [id], caller)) === undefined) throw error;
        return true;
      }
    },
    isLinkOpen: async (link: Link): Promise<boolean> =>
      Number(await run(IS_LINK_OPEN, [registrationKey(link.id)], linkDigests(link))) === 1,
    /** Reopens a granted registration and gives its attempt back. */
    reopen: async (id: RegistrationId): Promise<void> =>
      void (await run(REOPEN, [registrationKey(id)])),
    status: async (id: RegistrationId): Promise<PublicStatus> => {
      const state = await run(STATE, [registrationKey(id)]);
      return isRegistrationState(state) ? PUBLIC_STATUS[state] : 'unknown';
    },
    /** @throws Error if the registration does not exist. */
    addressOf: async (id: RegistrationId): Promise<EmailAddress> => {
      const encrypted = await answered(redis.hget(registrationKey(id), 'address'));
      if (encrypted === null) throw new Error('The registration does not exist.');
      return secrets.decrypt(encrypted, `address ${id}`) as EmailAddress;
    },
  };
}

async function openOne(
  options: RegistrationStoreOptions,
  address: EmailAddress,
  list: 'latest' | 'unlisted',
): Promise<Opened> {
  const { redis, secrets, clock } = options;
  const addressDigest = secrets.digest('address', address);
  const mailboxDigest = secrets.digest('mailbox', mailboxOf(address));
  const slot = slotTagOf(mailboxDigest);
  const id = newRegistrationId(mailboxDigest);
  const { registered, [list]: listed } = addressKeys(slot, addressDigest);
  const keys = [
    registrationKey(id),
    registered,
    listed,
    mailboxKey(mailboxDigest),
    unsentKey(slot),
  ];
  const nowMs = clock.wallMs();
  const fields = newFields(options, id, address, addressDigest);
  const args = [nowMs, uniqueMember(), id, nowMs + UNSENT_AFTER_MS, ...fields];
  const outcome = await answered(OPEN(redis, keys, args));
  return outcome === 'address_limit' || outcome === 'mailbox_limit'
    ? { rejected: outcome }
    : { id };
}

/** The window of the domain of an address, if its mailboxes may be one. */
function domainWindows({ secrets }: RegistrationStoreOptions, address: EmailAddress) {
  const domain = sharedDomainOf(address);
  if (domain === undefined) return [];
  return [{ key: domainKey(secrets.digest('mailbox', domain)), limit: LIMITS.perDomain }];
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
    address: secrets.encrypt(address, `address ${id}`),
    code: secrets.digest('code', id, code),
    link: secrets.digest('link', id, link.secret),
    mail: encryptMail(secrets, { to: address, code, linkUrl }, id),
  }).flat();
}

// The registrations a code may belong to, newest first, and the key that counts their wrong codes.
// A registration that opens after this read is newer than the code.
async function candidates(
  { redis, secrets, clock }: RegistrationStoreOptions,
  target: CodeTarget,
): Promise<Candidates | undefined> {
  if ('id' in target) {
    const { id } = target;
    const addressDigest = await answered(redis.hget(registrationKey(id), 'addressDigest'));
    if (addressDigest === null) return undefined;
    return { wrong: addressKeys(slotTagOf(id), addressDigest).wrong, ids: [id] };
  }
  const mailboxes = secrets.digests('mailbox', mailboxOf(target.address));
  const found = secrets.digests('address', target.address).map(async (addressDigest, i) => {
    const { wrong, latest } = addressKeys(slotTagOf(mailboxes[i] ?? ''), addressDigest);
    return { wrong, ids: (await redis.lrange(latest, 0, -1)) as RegistrationId[] };
  });
  const listed = (await answered(Promise.all(found))).filter(({ ids }) => ids.length > 0);
  return listed.length > 1 ? await answered(newestOf(redis, listed, clock.wallMs())) : listed[0];
}

interface Candidates {
  readonly wrong: string;
  readonly ids: readonly RegistrationId[];
}

// While CODE_SECRET is replaced, the registrations of an address may be listed under several
// digests. The code belongs to the newest open one; if none is open, to the newest.
async function newestOf(
  redis: RedisClient,
  listed: readonly Candidates[],
  nowMs: number,
): Promise<Candidates | undefined> {
  const rated = listed.map(async (candidates) => {
    const times = candidates.ids.map(async (id) => {
      const fields = ['state', 'expiresAt', 'createdAt'] as const;
      const [state, expiresAt, createdAt] = await redis.hmget(registrationKey(id), ...fields);
      const isOpen = state === 'pending' && Number(expiresAt) > nowMs;
      return [isOpen ? 1 : 0, Number(createdAt)] as const;
    });
    const [open, createdAtMs] = (await Promise.all(times)).reduce((a, b) =>
      isAfter(b, a) ? b : a,
    );
    return { candidates, rank: [open, createdAtMs] as const };
  });
  const best = (await Promise.all(rated)).reduce((a, b) => (isAfter(b.rank, a.rank) ? b : a));
  return best.candidates;
}

function isAfter([openA, atA]: readonly [number, number], [openB, atB]: readonly [number, number]) {
  return openA === openB ? atA > atB : openA > openB;
}

// A script may have run although its reply was late or lost. If it granted a registration, no other
// call can use that, so one read checks whether this call was granted it.
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
    // Still unavailable: the caller gets the first error.
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
      return { outcome, attemptsLeft: number, wasWrong: true };
    case 'too_many_requests':
      return { outcome, waitMs: number };
    case 'too_many_attempts':
      return { outcome, wasWrong: number === 0 };
    case 'invalid_or_expired':
    case 'not_compared':
      return { outcome };
  }
  throw new Error(`A registration script returned "${outcome}".`);
}

// An error of the script is a bug; any other means that Redis is unavailable.
async function answered<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply;
  } catch (error) {
    if (isScriptError(error)) throw error;
    const message = 'Registrations are temporarily unavailable. Retry later.';
    throw new ApiError('unavailable', message, {}, { cause: error });
  }
}

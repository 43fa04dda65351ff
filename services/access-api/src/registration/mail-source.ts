import { type Clock, type RedisClient, systemClock } from '@vcds/service-kit';
import {
  parseRegistrationId,
  type RegistrationId,
  registrationKey,
  SLOT_TAGS,
  type SlotTag,
  slotTagOf,
  unsentKey,
} from './redis-keys.ts';
import { STILL_UNSENT } from './scripts.ts';
import type { RegistrationSecrets } from './secrets.ts';

/** The message of a registration in plain text, which is never logged or stored. */
export interface PendingMail {
  readonly registrationId: string;
  /** The address as registered: lower-case, domain in A-labels. */
  readonly to: string;
  /** Six digits; the same at every load. */
  readonly code: string;
  /** The URL of the page whose button uses the link. */
  readonly linkUrl: string;
  /** The expiry of code and link, after which the message is not sent. */
  readonly expiresAt: Date;
}

/** The messages for the worker to send. */
export type MailSource = ReturnType<typeof createMailSource>;

/** The part of a registration that is stored encrypted until the message is sent. */
type MailContent = Pick<PendingMail, 'to' | 'code' | 'linkUrl'>;

/** `redis`: REDIS_URL, not the Redis of the queue. */
export function createMailSource(
  redis: RedisClient,
  secrets: RegistrationSecrets,
  clock: Clock = systemClock,
) {
  return {
    /**
     * Undefined: the message was sent, or the registration is used, expired or unknown.
     *
     * @throws Error if Redis is unavailable, or CODE_SECRET lacks the secret of access-api.
     */
    load: async (registrationId: string): Promise<PendingMail | undefined> => {
      const id = parseRegistrationId(registrationId);
      if (id === undefined) return undefined;
      const stored = await redis.hmget(registrationKey(id), 'expiresAt', 'mail');
      const [expiresAtMs, encrypted] = stored;
      if (!encrypted) return undefined;
      const expiresAt = new Date(Number(expiresAtMs));
      if (expiresAt.getTime() <= clock.wallMs()) return undefined;
      const { to, code, linkUrl } = decryptMail(secrets, encrypted, id);
      return { registrationId, to, code, linkUrl, expiresAt };
    },
    /** Call it after the message is sent, so that it is not loaded again. Idempotent. */
    markSent: async (registrationId: string): Promise<void> => {
      const id = parseRegistrationId(registrationId);
      if (id === undefined) return;
      await redis.hdel(registrationKey(id), 'mail');
      await redis.zrem(unsentKey(slotTagOf(id)), id);
    },
  };
}

/** Encrypts the content of a message, bound to its registration. */
export function encryptMail(secrets: RegistrationSecrets, mail: MailContent, id: string): string {
  return secrets.encrypt(JSON.stringify([mail.to, mail.code, mail.linkUrl]), `mail ${id}`);
}

function decryptMail(secrets: RegistrationSecrets, encrypted: string, id: string): MailContent {
  const [to, code, linkUrl] = JSON.parse(secrets.decrypt(encrypted, `mail ${id}`)) as string[];
  if (to === undefined || code === undefined || linkUrl === undefined) {
    throw new Error('The encrypted message is malformed.');
  }
  return { to, code, linkUrl };
}

/** Registrations per slot in one pass. */
const PER_SLOT_MAX = 100;

export type UnsentMails = ReturnType<typeof createUnsentMails>;

/**
 * The registrations with an unsent message. The script that stores a registration also lists it, so
 * that no message is lost in between. `redis`: REDIS_URL, which has the registrations.
 */
export function createUnsentMails(redis: RedisClient, clock: Clock) {
  const dueIn = async (slot: SlotTag): Promise<RegistrationId[]> => {
    const key = unsentKey(slot);
    const now = clock.wallMs();
    const listed = await redis.zrangebyscore(key, '-inf', now, 'LIMIT', 0, PER_SLOT_MAX);
    const ids = listed.flatMap((text) => parseRegistrationId(text) ?? []);
    if (ids.length === 0) return [];
    const keys = [key, ...ids.map(registrationKey)];
    return (await STILL_UNSENT(redis, keys, [now, ...ids])) as RegistrationId[];
  };
  return {
    /** Ids that are due for another enqueue, at most 25,600. */
    due: async (): Promise<RegistrationId[]> => (await Promise.all(SLOT_TAGS.map(dueIn))).flat(),
    /** Excludes an id from `due` for this time in ms. It stays listed until its message is sent. */
    postpone: async (id: RegistrationId, forMs: number): Promise<void> => {
      await redis.zadd(unsentKey(slotTagOf(id)), 'XX', clock.wallMs() + forMs, id);
    },
  };
}

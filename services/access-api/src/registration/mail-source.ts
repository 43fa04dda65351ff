import { type Clock, type RedisClient, systemClock } from '@vcds/service-kit';
import { parseRegistrationId, registrationKey, slotTagOf, unsentKey } from './redis-keys.ts';
import type { RegistrationSecrets } from './secrets.ts';

/** What the message of one registration says. In the clear: never logged, never stored. */
export interface PendingMail {
  readonly registrationId: string;
  /** The address as registered: lower-case, domain in A-labels. */
  readonly to: string;
  /** Six digits. The same however often it is loaded. */
  readonly code: string;
  /** Opens the page whose button uses the link. */
  readonly linkUrl: string;
  /** When code and link stop working; no attempt to send makes sense after it. */
  readonly expiresAt: Date;
}

/** Where the worker finds what to send. */
export interface MailSource {
  /**
   * Undefined: there is nothing to send (any more). The registration has been sent, used, or
   * has expired, or was never there.
   *
   * @throws Error when Redis cannot be asked, or CODE_SECRET is not the one it was sealed with.
   */
  load(registrationId: string): Promise<PendingMail | undefined>;
  /** To be called once the message is handed over: it is not loaded again. Idempotent. */
  markSent(registrationId: string): Promise<void>;
}

/** Tells the worker of a registration. Carries the id alone, never an address or a code. */
export interface MailQueue {
  enqueue(registrationId: string): Promise<void>;
}

/** The sealed part of a registration that is only there until the message is sent. */
export interface SealedMail {
  readonly to: string;
  readonly code: string;
  readonly linkUrl: string;
}

/** On the Redis of keys and credits (REDIS_URL), not that of the queue. */
export function createMailSource(
  redis: RedisClient,
  secrets: RegistrationSecrets,
  clock: Clock = systemClock,
): MailSource {
  return {
    load: async (registrationId) => {
      const id = parseRegistrationId(registrationId);
      if (id === undefined) return undefined;
      const stored = await redis.hmget(registrationKey(id), 'expiresAt', 'mail');
      const [expiresAtMs, sealed] = stored;
      if (!sealed) return undefined;
      const expiresAt = new Date(Number(expiresAtMs));
      if (expiresAt.getTime() <= clock.wallMs()) return undefined;
      const { to, code, linkUrl } = openMail(secrets, sealed, id);
      return { registrationId, to, code, linkUrl, expiresAt };
    },
    markSent: async (registrationId) => {
      const id = parseRegistrationId(registrationId);
      if (id === undefined) return;
      await redis.hdel(registrationKey(id), 'mail');
      await redis.zrem(unsentKey(slotTagOf(id)), id);
    },
  };
}

/** Seals what the message will say, for the registration it belongs to. */
export function sealMail(secrets: RegistrationSecrets, mail: SealedMail, id: string): string {
  return secrets.seal(JSON.stringify([mail.to, mail.code, mail.linkUrl]), `mail ${id}`);
}

function openMail(secrets: RegistrationSecrets, sealed: string, id: string): SealedMail {
  const [to, code, linkUrl] = JSON.parse(secrets.open(sealed, `mail ${id}`)) as string[];
  if (to === undefined || code === undefined || linkUrl === undefined) {
    throw new Error('A sealed message is not readable.');
  }
  return { to, code, linkUrl };
}

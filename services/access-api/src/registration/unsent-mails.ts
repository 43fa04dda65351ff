import type { Clock, RedisClient } from '@vcds/service-kit';
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

import type { RedisClient } from '@vcds/service-kit';
import type { CompanyObservation } from './observed-pages.ts';

/** From data-api, which reads sites for look-ups, to the data worker, which may write. */
const QUEUE = 'observations:queue';
/** The oldest are lost above: about 2.5 MB of Redis at most. */
const LENGTH_MAX = 1_000;

/** Queues an observation. @throws the error of Redis. */
export async function queueObservation(
  redis: RedisClient,
  observation: CompanyObservation,
): Promise<void> {
  const length = await redis.lpush(QUEUE, JSON.stringify(observation));
  if (length > LENGTH_MAX) await redis.ltrim(QUEUE, 0, LENGTH_MAX - 1);
}

/** Takes the oldest `max` observations off the queue. @throws the error of Redis. */
export async function takeObservations(
  redis: RedisClient,
  max: number,
): Promise<readonly CompanyObservation[]> {
  const texts: readonly string[] = (await redis.rpop(QUEUE, max)) ?? [];
  return texts.map((text) => {
    const { seenAt, lastPostAt, ...observation } = JSON.parse(text);
    return {
      ...observation,
      seenAt: new Date(seenAt),
      lastPostAt: lastPostAt === null ? null : new Date(lastPostAt),
    };
  });
}

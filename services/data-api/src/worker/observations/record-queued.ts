import { setTimeout as delay } from 'node:timers/promises';
import { createOutageLog, type Logger, type RedisClient } from '@vcds/service-kit';
import { takeObservations } from '../../observations/observation-queue.ts';
import { recordObservation, type Writer } from './record-observation.ts';

const EVERY_MS = 1_000;
/** Those of one round are lost if the process is killed or the database fails. */
const ROUND_MAX = 10;

export interface QueuedOptions {
  readonly redis: RedisClient;
  /** The primary, as a role that may record observations. */
  readonly writer: Writer;
  readonly logger: Logger;
}

/** Records the observations that data-api queues, until it is closed. Any number may run. */
export function recordQueuedObservations({ redis, writer, logger }: QueuedOptions) {
  const stop = new AbortController();
  const outages = createOutageLog();
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const count = await recordRound(redis, writer).catch((error) => {
        outages.warn(logger, 'failed to record observations', error);
        return 0;
      });
      if (count < ROUND_MAX) {
        await delay(EVERY_MS, undefined, { signal: stop.signal }).catch(() => undefined);
      }
    }
  };
  const done = run();
  return {
    close: (): Promise<void> => {
      stop.abort();
      return done;
    },
  };
}

/** Records the oldest queued observations, at most ten. @returns how many it took. */
export async function recordRound(redis: RedisClient, writer: Writer): Promise<number> {
  const observations = await takeObservations(redis, ROUND_MAX);
  for (const observation of observations) await recordObservation(writer, observation);
  return observations.length;
}

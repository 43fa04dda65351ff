import { setTimeout as delay } from 'node:timers/promises';
import { type Logger, reasonOf } from '@vcds/service-kit';
import type pg from 'pg';

/** Partitions exist for three months ahead, so a failed pass can wait for the next one. */
const PASS_EVERY_MS = 3_600_000;

interface PartitionLoopOptions {
  readonly pool: Pick<pg.Pool, 'query'>;
  readonly logger: Logger;
  /** How many months of charges are kept, beside the current one; at least 12. */
  readonly retentionMonths: number;
}

interface Maintained {
  readonly created: number;
  readonly dropped: number;
}

/**
 * Creates the partitions of charges of the next months, and drops those of the months before the
 * last `retentionMonths`; their sums are kept.
 * @throws Error of the driver, if a lock is not free within 2 s or PostgreSQL does not respond.
 */
export async function maintainCharges(
  pool: Pick<pg.Pool, 'query'>,
  retentionMonths: number,
): Promise<Maintained> {
  const { rows } = await pool.query<Maintained>('SELECT * FROM access.maintain_charges($1)', [
    retentionMonths,
  ]);
  return rows[0] ?? { created: 0, dropped: 0 };
}

/** Maintains the partitions at once and then every hour. Any number of workers may do so. */
export function runPartitionLoop({ pool, logger, retentionMonths }: PartitionLoopOptions) {
  const stopping = new AbortController();
  const pass = async (): Promise<void> => {
    try {
      const done = await maintainCharges(pool, retentionMonths);
      if (done.created + done.dropped > 0) logger.info(done, 'partitions of charges changed');
    } catch (error) {
      logger.warn({ reason: reasonOf(error) }, 'could not maintain the partitions of charges');
    }
  };
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await pass();
      await delay(PASS_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    /** Starts no further pass; resolves after the running one. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await running;
    },
  };
}

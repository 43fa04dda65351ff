import { type Logger, type Repetition, reasonOf, repeat } from '@vcds/service-kit';
import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';

/** Partitions exist for three months ahead, so a failed pass can wait for the next one. */
const PASS_EVERY_MS = 3_600_000;

interface PartitionLoopOptions {
  readonly pool: Pick<pg.Pool, 'query'>;
  readonly registry: Registry;
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

/** The start of the first month, of this one and the next twelve, that has no partition. */
const END = `SELECT extract(epoch FROM to_date(min(access.period_in(n))::text, 'YYYYMM'))::float8
    AS "endSeconds"
  FROM generate_series(0, 13) AS n WHERE n = 13 OR NOT EXISTS (
    SELECT FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'access.charge'::regclass
      AND relname = 'charge_' || access.period_in(n))`;

/** Maintains the partitions at once and then every hour. Any number of workers may do so. */
export function runPartitionLoop(options: PartitionLoopOptions): Repetition {
  const { pool, registry, logger, retentionMonths } = options;
  const end = new Gauge({
    name: 'vcds_charge_partitions_end_timestamp_seconds',
    help: 'Unix time of the first month without a partition of charges, as of the last pass; 0 before it.',
    registers: [registry],
  });
  const pass = async (): Promise<void> => {
    try {
      const done = await maintainCharges(pool, retentionMonths);
      if (done.created + done.dropped > 0) logger.info(done, 'partitions of charges changed');
    } catch (error) {
      logger.warn({ reason: reasonOf(error) }, 'could not maintain the partitions of charges');
    }
    try {
      const { rows } = await pool.query<{ endSeconds: number }>(END);
      if (rows[0] !== undefined) end.set(rows[0].endSeconds);
    } catch {
      // The last known end stays true: only this loop removes partitions, and only old ones.
    }
  };
  return repeat(pass, { everyMs: PASS_EVERY_MS });
}

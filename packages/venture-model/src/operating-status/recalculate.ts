import type pg from 'pg';
import { retryDeadlocks } from './retry-deadlocks.ts';

/** Rows of one transaction: longer ones would hold up the feed. */
const ROWS_MAX = 5_000;

/** The numbers of recalculated rows. */
export interface Recalculated {
  /** Startups whose last round became three months old. */
  readonly startups: number;
  /** Sites and accounts whose condition may have changed by time. */
  readonly observations: number;
}

/**
 * Recalculates the operating status (docs/spec/resources.md 4.14) where only time has passed, at
 * most {@link ROWS_MAX} rows in a transaction. Ends between two transactions when `signal` is
 * aborted.
 */
export async function recalculateOperatingStatus(
  client: Pick<pg.Pool, 'query'>,
  signal?: AbortSignal,
): Promise<Recalculated> {
  const observations = await inBatches(client, 'turn_observations', signal);
  const startups = await inBatches(client, 'sweep_operating_status', signal);
  return { startups, observations };
}

async function inBatches(
  client: Pick<pg.Pool, 'query'>,
  name: 'turn_observations' | 'sweep_operating_status',
  signal: AbortSignal | undefined,
): Promise<number> {
  let total = 0;
  for (let batch = ROWS_MAX; batch === ROWS_MAX && signal?.aborted !== true; ) {
    const { rows } = await retryDeadlocks(() =>
      client.query<{ recalculated: string }>(`SELECT venture.${name}($1) AS recalculated`, [
        ROWS_MAX,
      ]),
    );
    batch = Number(rows[0]?.recalculated ?? 0);
    total += batch;
  }
  return total;
}

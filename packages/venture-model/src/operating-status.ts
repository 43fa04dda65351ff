import type pg from 'pg';

/** Startups of one transaction: longer ones would hold up the feed. */
const STARTUPS_MAX = 5_000;

/**
 * Recalculates the operating status (docs/spec/resources.md 4.14 rule 1) of the startups whose last
 * round became three months old, at most {@link STARTUPS_MAX} in a transaction. Ends between two
 * transactions when `signal` is aborted.
 *
 * @returns how many startups it recalculated.
 */
export async function sweepOperatingStatus(
  client: pg.ClientBase,
  signal?: AbortSignal,
): Promise<number> {
  let swept = 0;
  for (let batch = STARTUPS_MAX; batch === STARTUPS_MAX && signal?.aborted !== true; ) {
    const { rows } = await client.query<{ swept: string }>(
      'SELECT venture.sweep_operating_status($1) AS swept',
      [STARTUPS_MAX],
    );
    batch = Number(rows[0]?.swept ?? 0);
    swept += batch;
  }
  return swept;
}

import type { Clusters, EntityNumber, Ruling } from '@vcds/resolution';
import type pg from 'pg';

type Database = Pick<pg.Pool, 'query'>;

/** Pairs that one statement writes. */
const PAIRS = 2_000;

export async function rulingsOf(
  database: Database,
  entity: EntityNumber,
  ids?: readonly string[],
): Promise<readonly Ruling[]> {
  const { rows } = await database.query<Ruling>(
    `SELECT low_id AS low, high_id AS high, verdict FROM venture.company_ruling
     WHERE entity = $1 AND ($2::uuid[] IS NULL OR low_id = ANY ($2) AND high_id = ANY ($2))
     ORDER BY low_id, high_id`,
    [entity, ids ?? null],
  );
  return rows;
}

/**
 * Replaces the pairs of an entity, range by range of ids. Rows that are the same are not written.
 *
 * @param of only the pairs whose lower statement is one of these.
 */
export async function keepPairs(
  database: Database,
  entity: EntityNumber,
  { merged, reviews }: Pick<Clusters, 'merged' | 'reviews'>,
  of?: readonly string[],
): Promise<void> {
  if (of?.length === 0) return;
  const isOf = of === undefined ? '' : 'AND p.low_id = ANY ($9)';
  const sorted = [
    ...merged.map((edge) => ({ ...edge, kept: 'merged' })),
    ...reviews.map((edge) => ({ ...edge, kept: 'review' })),
  ].sort((a, b) => (a.low < b.low ? -1 : a.low > b.low ? 1 : 0));
  let after = '00000000-0000-0000-0000-000000000000';
  for (let start = 0; start < sorted.length || start === 0; ) {
    let end = Math.min(start + PAIRS, sorted.length);
    while (end < sorted.length && sorted[end]?.low === sorted[end - 1]?.low) end += 1;
    const part = sorted.slice(start, end);
    const isLast = end >= sorted.length;
    const until = isLast ? 'ffffffff-ffff-ffff-ffff-ffffffffffff' : (part.at(-1)?.low ?? after);
    await database.query(
      `WITH kept AS (
         SELECT * FROM unnest($4::uuid[], $5::uuid[], $6::real[], $7::text[], $8::text[])
           AS k(low_id, high_id, weight, verdict, veto)
       ), gone AS (
         DELETE FROM venture.company_pair p WHERE p.entity = $1 AND p.low_id > $2 AND p.low_id <= $3 ${isOf}
           AND NOT EXISTS (SELECT FROM kept k WHERE k.low_id = p.low_id AND k.high_id = p.high_id)
       )
       INSERT INTO venture.company_pair (entity, low_id, high_id, weight, verdict, veto)
       SELECT $1, k.* FROM kept k
       ON CONFLICT (entity, low_id, high_id) DO UPDATE
       SET weight = EXCLUDED.weight, verdict = EXCLUDED.verdict, veto = EXCLUDED.veto
       WHERE (company_pair.weight, company_pair.verdict, company_pair.veto)
         IS DISTINCT FROM (EXCLUDED.weight, EXCLUDED.verdict, EXCLUDED.veto)`,
      [
        ...[entity, after, until],
        ...[part.map(({ low }) => low), part.map(({ high }) => high)],
        ...[part.map(({ weight }) => weight), part.map(({ kept }) => kept)],
        part.map(({ veto }) => veto),
        ...(of === undefined ? [] : [of]),
      ],
    );
    after = until;
    start = isLast ? sorted.length + 1 : end;
  }
}

import type pg from 'pg';
import type { ModelKind } from './model-store.ts';

/**
 * Whether imports have doubled the records since the training of the newest model of a kind read
 * them; undefined if there is none. Cheap.
 */
export async function isModelOutgrown(
  database: Pick<pg.Pool, 'query'>,
  kind: ModelKind,
): Promise<boolean | undefined> {
  const { rows } = await database.query<{ isOutgrown: boolean }>(
    `SELECT coalesce((
         SELECT sum(r.inserted) FROM venture.import_run r WHERE r.finished_at > n.read_at
       ) > n.records, false) AS "isOutgrown"
     FROM (
       SELECT (data_stamp->>'readAt')::timestamptz AS read_at,
         (data_stamp->>'startups')::bigint + (data_stamp->>'funds')::bigint
         + (data_stamp->>'rounds')::bigint + (data_stamp->>'investments')::bigint AS records
       FROM venture.model WHERE kind = $1 ORDER BY created_at DESC LIMIT 1) n`,
    [kind],
  );
  return rows[0]?.isOutgrown;
}

import type pg from 'pg';

/** The records that a model was trained on, as they were when its training read them. */
export interface DataStamp {
  /** When they were read by the clock of the database, ISO 8601. */
  readonly readAt: string;
  readonly startups: number;
  readonly funds: number;
  readonly rounds: number;
  readonly investments: number;
  /** The date of the newest round, `YYYY-MM-DD`; null if there is none. */
  readonly lastRoundDate: string | null;
  /** The last position of the change feed; 0 before the first signal. */
  readonly feedPosition: number;
}

/** The stamp of all live records. Read it in the transaction that reads the records. */
export async function readDataStamp(client: Pick<pg.ClientBase, 'query'>): Promise<DataStamp> {
  const { rows } = await client.query<DataStamp>(
    `SELECT
       to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "readAt",
       (SELECT count(*)::int FROM venture.startup WHERE deleted_at IS NULL) AS startups,
       (SELECT count(*)::int FROM venture.fund WHERE deleted_at IS NULL) AS funds,
       r.rounds, r."lastRoundDate",
       (SELECT count(*)::int FROM venture.round_investor WHERE deleted_at IS NULL) AS investments,
       coalesce((SELECT position FROM venture.signal ORDER BY detected_at DESC LIMIT 1), 0)::float8
         AS "feedPosition"
     FROM (SELECT count(*)::int AS rounds, max(date)::text AS "lastRoundDate"
       FROM venture.funding_round WHERE deleted_at IS NULL AND NOT startup_deleted) r`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('The statement returned no row.');
  return row;
}

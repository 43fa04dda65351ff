import type pg from 'pg';

export interface PredictOptions {
  /** Of a role that may store predictions: `vcds_data_worker`. */
  readonly pool: Pick<pg.Pool, 'query'>;
  readonly nowMs: number;
  /** Checked between batches of a thousand startups. */
  readonly signal: AbortSignal;
}

/** The result of a prediction of all startups. */
export type PredictedCounts = Readonly<Record<'transitions' | 'startups' | 'changed', number>>;

const DAY_MS = 86_400_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const COMPUTE = `INSERT INTO venture.stage_prediction (computed_at, transitions)
  SELECT now(), coalesce(jsonb_agg(t), '[]') FROM venture.stage_transitions($1) t
  ON CONFLICT (id) DO UPDATE
    SET computed_at = excluded.computed_at, transitions = excluded.transitions
  RETURNING jsonb_array_length(transitions) AS transitions`;

interface Batch {
  readonly lastId: string | null;
  readonly startups: number;
  readonly changed: number;
}

/**
 * Counts which stages followed each other, and stores the stage that is expected next of every startup
 * where it differs (docs/spec/resources.md 4.13): none where the counts do not tell, where a source
 * states it, and for startups that are closed or acquired.
 *
 * @throws the reason of the signal, or the driver's error.
 */
export async function predictStages(options: PredictOptions): Promise<PredictedCounts> {
  const { pool, nowMs, signal } = options;
  signal.throwIfAborted();
  // Rounds of today are known.
  const day = new Date(nowMs + DAY_MS).toISOString().slice(0, 10);
  const { rows } = await pool.query<{ transitions: number }>(COMPUTE, [day]);
  const counts = { transitions: rows[0]?.transitions ?? 0, startups: 0, changed: 0 };
  let after: string | null = FIRST_ID;
  while (after !== null) {
    signal.throwIfAborted();
    const { rows }: pg.QueryResult<Batch> = await pool.query<Batch>(
      'SELECT last_id AS "lastId", startups, changed FROM venture.predict_stages($1, $2)',
      [after, day],
    );
    counts.startups += rows[0]?.startups ?? 0;
    counts.changed += rows[0]?.changed ?? 0;
    after = rows[0]?.lastId ?? null;
  }
  return counts;
}

import type { StageCompany } from '@vcds/stage-prediction';
import type pg from 'pg';

/** A startup with confirmed rounds, and its state when it was read. */
export interface StageRecord extends StageCompany {
  readonly id: string;
  /** The stage that a source states. */
  readonly stated: number | null;
  readonly predicted: number | null;
  readonly mayRaise: boolean;
  readonly lastStage: number | null;
  /** `YYYY-MM-DD`. */
  readonly lastDate: string | null;
  /** Of all confirmed rounds; null without one. */
  readonly roundsDigest: number | null;
}

export interface ReadOptions {
  /** Startups with at least this many rounds. */
  readonly roundsMin: number;
  /** One of so many startups, chosen by its id. Default 1: all. */
  readonly every?: number;
  readonly signal?: AbortSignal | undefined;
}

const BATCH = 1_000;

const READ = `SELECT s.id, s.tags, s.countries[1] AS country, s.founded,
    s.next_funding_stage_stated AS stated, s.next_funding_stage_predicted AS predicted,
    venture.may_raise(s.operating_status, s.exit_statuses) AS "mayRaise",
    s.last_funding_stage AS "lastStage", s.last_funding_date::text AS "lastDate",
    venture.rounds_digest(s.id) AS "roundsDigest", r.rounds
  FROM (
    SELECT * FROM venture.startup WHERE id > $1 AND deleted_at IS NULL
      AND (rounds_count >= $2 OR next_funding_stage_predicted IS NOT NULL AND $2 <= 1)
      AND (hashtext(id::text) & 2147483647) % $3 = 0
    ORDER BY id LIMIT ${BATCH}
  ) s
  CROSS JOIN LATERAL (
    SELECT coalesce(jsonb_agg(jsonb_build_object(
        'day', r.date - date '1970-01-01', 'stage', r.stage, 'amount', r.amount)
        ORDER BY r.date, r.stage NULLS FIRST, r.id), '[]') AS rounds
    FROM venture.funding_round r
    WHERE r.startup_id = s.id AND r.confirmed AND r.date IS NOT NULL AND r.deleted_at IS NULL) r
  ORDER BY s.id`;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Startups with their confirmed, dated rounds, in batches by id. */
export async function* readStageRecords(
  database: Pick<pg.ClientBase, 'query'>,
  { roundsMin, every = 1, signal }: ReadOptions,
): AsyncGenerator<readonly StageRecord[]> {
  let after: string | undefined = FIRST_ID;
  while (after !== undefined) {
    signal?.throwIfAborted();
    const { rows }: pg.QueryResult<StageRecord> = await database.query(READ, [
      after,
      roundsMin,
      every,
    ]);
    if (rows.length > 0) yield rows;
    after = rows.length < BATCH ? undefined : rows.at(-1)?.id;
  }
}

/** Startups that the training reads at most, about. */
const TRAINED_MAX = 100_000;

/** The startups with successive rounds to train on: all, or a sample of them. */
export async function readTrainingCompanies(
  database: Pick<pg.ClientBase, 'query'>,
  signal?: AbortSignal,
): Promise<readonly StageCompany[]> {
  const { rows } = await database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM venture.startup
     WHERE deleted_at IS NULL AND rounds_count >= 2`,
  );
  const every = Math.max(1, Math.ceil((rows[0]?.count ?? 0) / TRAINED_MAX));
  const companies: StageCompany[] = [];
  for await (const batch of readStageRecords(database, { roundsMin: 2, every, signal })) {
    for (const { rounds, tags, country, founded } of batch) {
      companies.push({ rounds, tags, country, founded });
    }
  }
  return companies;
}

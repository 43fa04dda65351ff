import type pg from 'pg';

/** Predictions, and how many of them were right. */
interface Share {
  readonly of: number;
  readonly right: number;
}

/** How the predictions of a day compare with the rounds that came afterwards. */
export interface StageReport {
  /** Companies whose next round came and states its stage. */
  readonly companies: number;
  /** Those of them with a prediction. */
  readonly predicted: Share;
  readonly byStage: readonly (Share & { readonly stage: number })[];
  /** Predicted, also where the next round states no series; such a round counts as wrong. */
  readonly strict: Share;
}

const EVALUATE = `SELECT coalesce(t.expected, 0) AS stage,
    count(*) FILTER (WHERE venture.names_stage(r.next))::int AS of,
    count(*) FILTER (WHERE r.next = t.expected)::int AS right,
    count(*)::int AS all
  FROM venture.stage_step r
  LEFT JOIN venture.stage_transitions($1) t
    ON (t.last, t.previous, t.years) = (r.last, r.previous, ($1 - r.day) / 365)
  WHERE r.day < $1 AND r.next_day >= $1 AND r.next_day < $2::date
  GROUP BY 1 ORDER BY 1`;

interface Row extends Share {
  /** 0: none was predicted. */
  readonly stage: number;
  readonly all: number;
}

/**
 * How the predictions of a day, from the rounds before it, compare with the next rounds.
 *
 * @param split the day, `YYYY-MM-DD`.
 * @param until rounds from this day on are ignored; default: none.
 */
export async function evaluateNextStages(
  database: Pick<pg.ClientBase, 'query'>,
  split: string,
  until = 'infinity',
): Promise<StageReport> {
  const { rows } = await database.query<Row>(EVALUATE, [split, until]);
  const predicted = rows.filter(({ stage }) => stage !== 0);
  const sum = (of: (row: Row) => number) => predicted.reduce((total, row) => total + of(row), 0);
  const right = sum((row) => row.right);
  return {
    companies: rows.reduce((total, row) => total + row.of, 0),
    predicted: { of: sum((row) => row.of), right },
    byStage: predicted.map(({ stage, of, right }) => ({ stage, of, right })),
    strict: { of: sum((row) => row.all), right },
  };
}

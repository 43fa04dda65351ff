import type { TestApi } from '../../support/api.ts';

/** Statements that change what the feed shows; `$1` is a random number below 1000. */
const EDITS: readonly string[] = [
  `INSERT INTO venture.funding_round (startup_id, date, stage, amount)
    VALUES (md5('startup' || 1 + $1 % 120)::uuid, date '2015-01-01' + $1 * 3, 3, $1 * 1000)`,
  `INSERT INTO venture.funding_round (startup_id, occurred_at)
    VALUES (md5('startup' || 1 + $1 % 120)::uuid, timestamptz '2015-01-01' + $1 * interval '3 d')`,
  `UPDATE venture.funding_round SET deleted_at = CASE WHEN deleted_at IS NULL THEN now() END
    WHERE id = md5('round' || 1 + $1 % 200)::uuid`,
  `UPDATE venture.funding_round SET confirmed = NOT confirmed
    WHERE id = md5('round' || 1 + $1 % 200)::uuid`,
  `UPDATE venture.funding_round SET date = CASE WHEN $1 % 3 > 0 THEN date '2015-01-01' + $1 END
    WHERE id = md5('round' || 1 + $1 % 200)::uuid`,
  `UPDATE venture.funding_round SET startup_id = md5('startup' || 1 + $1 % 120)::uuid
    WHERE id = md5('round' || 1 + $1 % 200)::uuid`,
  `INSERT INTO venture.round_investor (round_id, fund_id)
    VALUES (md5('round' || 1 + $1 % 200)::uuid, md5('fund' || 1 + $1 % 40)::uuid)
    ON CONFLICT (round_id, investor_id)
    DO UPDATE SET deleted_at = CASE WHEN round_investor.deleted_at IS NULL THEN now() END`,
  `UPDATE venture.startup SET deleted_at = CASE WHEN deleted_at IS NULL THEN now() END
    WHERE id = md5('startup' || 1 + $1 % 120)::uuid`,
  `UPDATE venture.fund SET deleted_at = CASE WHEN deleted_at IS NULL THEN now() END
    WHERE id = md5('fund' || 1 + $1 % 40)::uuid`,
  `UPDATE venture.person SET deleted_at = CASE WHEN deleted_at IS NULL THEN now() END
    WHERE id = md5('person' || 1 + $1 % 50)::uuid`,
  `INSERT INTO venture.holding (fund_id, startup_id, status, occurred_at)
    VALUES (md5('fund' || 1 + $1 % 40)::uuid, md5('startup' || 1 + $1 % 120)::uuid,
      (ARRAY['Held', 'Exited', 'Acquired'])[1 + $1 % 3], timestamptz '2015-01-01' + $1 * interval '3 d')
    ON CONFLICT (fund_id, startup_id)
    DO UPDATE SET status = excluded.status, stated = true, occurred_at = excluded.occurred_at`,
  `INSERT INTO venture.startup (name, occurred_at)
    VALUES ('New ' || $1, timestamptz '2015-01-01' + $1 * interval '3 d')`,
  `INSERT INTO venture.fund (name, occurred_at)
    VALUES ('Fund ' || $1, timestamptz '2015-01-01' + $1 * interval '3 d')`,
  `UPDATE venture.fund_person SET since = CASE WHEN $1 % 3 > 0 THEN date '2015-01-01' + $1 END,
      deleted_at = CASE WHEN $1 % 5 = 0 THEN now() END
    WHERE fund_id = md5('fund' || 1 + $1 % 12)::uuid`,
  `UPDATE venture.news SET deleted_at = CASE WHEN deleted_at IS NULL THEN now() END
    WHERE id = md5('news' || 1 + $1 % 90)::uuid`,
  `INSERT INTO venture.news (title, date, startup_id, fund_id)
    VALUES ('Both ' || $1, date '2015-01-01' + $1, md5('startup' || 1 + $1 % 120)::uuid,
      md5('fund' || 1 + $1 % 40)::uuid)`,
  `UPDATE venture.post_valuation SET date = date '2015-01-01' + $1,
      deleted_at = CASE WHEN $1 % 4 = 0 THEN now() END
    WHERE id = md5('valuation' || 1 + $1 % 80)::uuid`,
  `UPDATE venture.startup SET founded = 1990 + $1 % 30,
      occurred_at = timestamptz '2015-01-01' + $1 * interval '3 d'
    WHERE id = md5('startup' || 1 + $1 % 120)::uuid`,
  `UPDATE venture.fund SET founded = 1990 + $1 % 30,
      occurred_at = timestamptz '2015-01-01' + $1 * interval '3 d'
    WHERE id = md5('fund' || 1 + $1 % 40)::uuid`,
];

/** An edit and its number. */
export type Edit = readonly [edit: number, number: number];
export const EDITS_COUNT = EDITS.length;

export async function apply(sql: TestApi['sql'], edits: readonly Edit[]): Promise<void> {
  for (const [edit, number] of edits) {
    const text = EDITS[edit]?.replaceAll('$1', '$1::int');
    if (text === undefined) throw new RangeError(`There is no edit ${edit}.`);
    await sql.query(text, [number]);
  }
}

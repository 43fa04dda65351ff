import type pg from 'pg';

/** Whether imports since an instant have added more records than all before it. Cheap. */
export async function haveImportsDoubled(
  database: Pick<pg.Pool, 'query'>,
  since: Date,
): Promise<boolean> {
  const { rows } = await database.query<{ haveDoubled: boolean }>(
    `SELECT coalesce(sum(inserted) FILTER (WHERE finished_at > $1), 0)
       > coalesce(sum(inserted) FILTER (WHERE finished_at <= $1), 0) AS "haveDoubled"
     FROM venture.import_run`,
    [since],
  );
  return rows[0]?.haveDoubled === true;
}

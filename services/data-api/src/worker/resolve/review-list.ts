import { featuresOf, type Reason, reasonsOf } from '@vcds/resolution';
import type pg from 'pg';
import { comparedCrowd } from './compared.ts';
import { statementsOf } from './read-statements.ts';

type Database = Pick<pg.Pool, 'query'>;

export interface ReviewPair {
  readonly entity: 'startup' | 'fund';
  readonly ids: readonly [string, string];
  readonly names: readonly [string, string];
  readonly sources: readonly [string | null, string | null];
  readonly weight: number;
  readonly veto: string | null;
  /** The strongest evidence first. */
  readonly reasons: readonly Reason[];
}

/** The pairs that an operator may decide, the strongest first. */
export async function reviewList(
  database: Database,
  limit: number,
): Promise<readonly ReviewPair[]> {
  const { rows } = await database.query<Omit<ReviewPair, 'reasons'>>(
    `SELECT CASE p.entity WHEN 1 THEN 'startup' ELSE 'fund' END AS entity,
       ARRAY[p.low_id, p.high_id] AS ids, ARRAY[a.name, b.name] AS names,
       ARRAY[a.source, b.source] AS sources, p.weight::float8 AS weight, p.veto
     FROM (SELECT * FROM venture.company_pair WHERE verdict = 'review'
       ORDER BY weight DESC, low_id LIMIT $1) p
     CROSS JOIN LATERAL (SELECT name, source FROM venture.startup_statement WHERE p.entity = 1 AND id = p.low_id
       UNION ALL SELECT name, source FROM venture.fund_statement WHERE p.entity = 2 AND id = p.low_id) a
     CROSS JOIN LATERAL (SELECT name, source FROM venture.startup_statement WHERE p.entity = 1 AND id = p.high_id
       UNION ALL SELECT name, source FROM venture.fund_statement WHERE p.entity = 2 AND id = p.high_id) b
     ORDER BY p.weight DESC, p.low_id`,
    [limit],
  );
  const reasons = new Map<string, readonly Reason[]>();
  for (const entity of [1, 2] as const) {
    const name = entity === 1 ? 'startup' : 'fund';
    const ids = rows.flatMap((pair) => (pair.entity === name ? pair.ids : []));
    if (ids.length === 0) continue;
    const read = await statementsOf(database, entity, [...new Set(ids)]);
    const statements = new Map(read.map((one) => [one.id, one]));
    const crowd = await comparedCrowd(database, entity, read);
    for (const { ids: pair } of rows) {
      const [a, b] = pair.map((id) => statements.get(id));
      if (a !== undefined && b !== undefined)
        reasons.set(`${pair}`, reasonsOf(a, featuresOf(a, b, crowd)));
    }
  }
  return rows.map((row) => ({ ...row, reasons: reasons.get(`${row.ids}`) ?? [] }));
}

import type pg from 'pg';
import type { CorpusSize } from './vocabulary.ts';

const CHUNK = 50_000;

/** The functions that the statement triggers call, and the records for which each derives columns. */
const COMPUTATIONS = [
  {
    call: 'keep_holdings(array_agg(a), array_agg(b))',
    of: `SELECT DISTINCT p.fund_id AS a, r.startup_id AS b
         FROM venture.round_investor p JOIN venture.funding_round r ON r.id = p.round_id
         WHERE p.fund_id IS NOT NULL`,
  },
  { call: 'keep_funds(array_agg(a))', of: 'SELECT id AS a, NULL AS b FROM venture.fund' },
  {
    call: 'keep_persons(array_agg(a))',
    of: 'SELECT DISTINCT person_id AS a, NULL::uuid AS b FROM venture.startup_person',
  },
  {
    call: 'keep_startups(array_agg(a))',
    of: `SELECT a, NULL AS b FROM (
           SELECT startup_id AS a FROM venture.funding_round
           UNION SELECT startup_id FROM venture.post_valuation
           UNION SELECT startup_id FROM venture.holding) s`,
  },
];

/** Computes the columns that are derived from other tables, in chunks. */
export async function computeDerived(
  client: pg.Client,
  onStep: (name: string) => void,
): Promise<void> {
  await client.query('ANALYZE');
  for (const { call, of } of COMPUTATIONS) {
    onStep(call.slice(0, call.indexOf('(')));
    await client.query(`
      CREATE TEMP TABLE due AS
      SELECT a, b, (row_number() OVER (ORDER BY a, b) - 1) / ${CHUNK} AS chunk FROM (${of}) AS d`);
    await client.query('CREATE INDEX ON due (chunk)');
    const { rows } = await client.query('SELECT max(chunk)::int AS last FROM due');
    for (let chunk = 0; chunk <= (rows[0]?.last ?? -1); chunk += 1) {
      await client.query(`SELECT venture.${call} FROM due WHERE chunk = $1`, [chunk]);
    }
    await client.query('DROP TABLE due');
  }
}

/** Predicts the next stage of some startups, as the data worker does after a load. */
export async function predictStages(
  client: pg.Client,
  { seed }: CorpusSize,
  onStep: (name: string) => void,
): Promise<void> {
  onStep('predictions');
  await client.query(
    `UPDATE venture.startup SET next_funding_stage_predicted = last_funding_stage + 1
     WHERE last_funding_stage BETWEEN 1 AND 10
       AND venture.may_raise(operating_status, exit_statuses)
       AND abs(hashtextextended(id::text, $1)) % 100 < 60`,
    [seed],
  );
}

/** Logs all records for the facet indexer, once each. */
export async function logAllForFacets(client: pg.Client): Promise<void> {
  await client.query('TRUNCATE venture.facet_change');
  await client.query(`
    INSERT INTO venture.facet_change (entity, id)
    SELECT 1, id FROM venture.startup UNION ALL SELECT 2, id FROM venture.fund
    UNION ALL SELECT 3, id FROM venture.funding_round`);
}

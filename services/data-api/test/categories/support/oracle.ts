/**
 * What facet counts should be, by plain SQL over the records: every (record, dimension, value)
 * there is, read from base tables and relations, then counted the long way. It shares no code with
 * what it judges but the labels of the closed lists, by which values of one count are ordered.
 */
import type pg from 'pg';
import {
  exitStatuses,
  investorTypes,
  memberBuckets,
  operatingStatuses,
  stages,
} from '../../../src/dimensions/closed-values.ts';
import type { FacetQuery } from '../../../src/facets/index.ts';

const LISTS = {
  stage: stages,
  next_stage: stages,
  investment_stage: stages,
  investor_type: investorTypes,
  team_size: memberBuckets,
  operating_status: operatingStatuses,
  exit_status: exitStatuses,
};

const COMPANY = (entity: string, table: string) => `
  SELECT '${entity}', c.id, 'industry', t FROM venture.${table} c, unnest(c.tags) t
    WHERE c.deleted_at IS NULL
  UNION SELECT '${entity}', c.id, lower(part), a.value ->> part
    FROM venture.${table} c, jsonb_array_elements(c.addresses) a,
      (VALUES ('Country'), ('Region'), ('City')) p(part)
    WHERE c.deleted_at IS NULL AND a.value ->> part IS NOT NULL
  UNION SELECT '${entity}', c.id, 'founded_year', c.founded::text FROM venture.${table} c
    WHERE c.deleted_at IS NULL AND c.founded IS NOT NULL
  UNION SELECT '${entity}', c.id, 'operating_status', c.operating_status FROM venture.${table} c
    WHERE c.deleted_at IS NULL AND c.operating_status IS NOT NULL
  UNION SELECT '${entity}', c.id, 'team_size',
      (SELECT count(*) FROM unnest(ARRAY[1, 11, 51, 101, 251, 501, 1001, 5001, 10001]) AS least
       WHERE c.members_count >= least)::text FROM venture.${table} c
    WHERE c.deleted_at IS NULL AND c.members_count >= 1`;

const OWN = [
  COMPANY('startups', 'startup'),
  COMPANY('funds', 'fund'),
  `SELECT 'startups', s.id, 'stage', s.last_funding_stage::text FROM venture.startup s
     WHERE s.deleted_at IS NULL AND s.last_funding_stage IS NOT NULL`,
  `SELECT 'startups', s.id, 'next_stage', s.next_funding_stage::text FROM venture.startup s
     WHERE s.deleted_at IS NULL AND s.next_funding_stage IS NOT NULL`,
  `SELECT 'startups', s.id, 'exit_status', h.status FROM venture.startup s
     JOIN venture.holding h ON h.startup_id = s.id
     JOIN venture.fund f ON f.id = h.fund_id
     WHERE s.deleted_at IS NULL AND h.deleted_at IS NULL AND f.deleted_at IS NULL`,
  `SELECT 'funds', f.id, 'investment_stage', v::text FROM venture.fund f,
     unnest(f.investment_stages) v WHERE f.deleted_at IS NULL`,
  `SELECT 'funds', f.id, 'investor_type', v FROM venture.fund f, unnest(f.investment_types) v
     WHERE f.deleted_at IS NULL`,
  `SELECT 'funds', f.id, 'fund_group', v FROM venture.fund f, unnest(f.groups) v
     WHERE f.deleted_at IS NULL`,
  `SELECT 'rounds', r.id, 'round_series', r.series FROM venture.funding_round r
     WHERE r.deleted_at IS NULL AND r.series IS NOT NULL`,
  `SELECT 'rounds', r.id, 'round_year', extract(year FROM r.date)::int::text
     FROM venture.funding_round r WHERE r.deleted_at IS NULL AND r.date IS NOT NULL`,
];

const FUNDS_ONLY = `('investment_stage', 'investor_type', 'fund_group')`;
const ROUNDS_ONLY = `('round_series', 'round_year')`;

const REACHED = [
  `SELECT 'startups', h.startup_id, p.dimension, p.value FROM venture.holding h
     JOIN venture.startup s ON s.id = h.startup_id AND s.deleted_at IS NULL
     JOIN oracle.own p ON p.entity = 'funds' AND p.id = h.fund_id AND p.dimension IN ${FUNDS_ONLY}
     WHERE h.deleted_at IS NULL`,
  `SELECT 'startups', r.startup_id, p.dimension, p.value FROM venture.funding_round r
     JOIN venture.startup s ON s.id = r.startup_id AND s.deleted_at IS NULL
     JOIN oracle.own p ON p.entity = 'rounds' AND p.id = r.id`,
  `SELECT 'funds', h.fund_id, p.dimension, p.value FROM venture.holding h
     JOIN venture.fund f ON f.id = h.fund_id AND f.deleted_at IS NULL
     JOIN oracle.own p ON p.entity = 'startups' AND p.id = h.startup_id
       AND p.dimension IN ('stage', 'next_stage')
     WHERE h.deleted_at IS NULL`,
  `SELECT 'funds', h.fund_id, 'exit_status', h.status FROM venture.holding h
     JOIN venture.fund f ON f.id = h.fund_id AND f.deleted_at IS NULL
     JOIN venture.startup s ON s.id = h.startup_id AND s.deleted_at IS NULL
     WHERE h.deleted_at IS NULL`,
  `SELECT 'funds', i.fund_id, p.dimension, p.value FROM venture.round_investor i
     JOIN venture.fund f ON f.id = i.fund_id AND f.deleted_at IS NULL
     JOIN oracle.own p ON p.entity = 'rounds' AND p.id = i.round_id AND p.dimension IN ${ROUNDS_ONLY}
     WHERE i.deleted_at IS NULL`,
  `SELECT 'rounds', r.id, p.dimension, p.value FROM venture.funding_round r
     JOIN oracle.own p ON p.entity = 'startups' AND p.id = r.startup_id
     WHERE r.deleted_at IS NULL`,
  `SELECT 'rounds', i.round_id, p.dimension, p.value FROM venture.round_investor i
     JOIN venture.funding_round r ON r.id = i.round_id AND r.deleted_at IS NULL
     JOIN oracle.own p ON p.entity = 'funds' AND p.id = i.fund_id AND p.dimension IN ${FUNDS_ONLY}
     WHERE i.deleted_at IS NULL`,
];

/** Reads everything anew; counts are as of then. */
export async function readOracle(sql: pg.Pool): Promise<void> {
  const labels = Object.entries(LISTS).flatMap(([dimension, list]) =>
    list.map(({ value, label }) => [dimension, String(value), label]),
  );
  await sql.query(`DROP SCHEMA IF EXISTS oracle CASCADE; CREATE SCHEMA oracle;
    CREATE TABLE oracle.own (entity text, id uuid, dimension text, value text COLLATE "C");
    CREATE TABLE oracle.label (dimension text, value text COLLATE "C", label text)`);
  await sql.query(
    'INSERT INTO oracle.label SELECT * FROM unnest($1::text[], $2::text[], $3::text[])',
    [...[0, 1, 2].map((part) => labels.map((row) => row[part]))],
  );
  for (const each of OWN)
    await sql.query(`INSERT INTO oracle.own SELECT DISTINCT * FROM (${each}) o`);
  await sql.query('CREATE INDEX ON oracle.own (entity, id); ANALYZE oracle.own');
  await sql.query(`CREATE TABLE oracle.pair AS
    SELECT * FROM oracle.own UNION ${REACHED.join(' UNION ')}`);
  await sql.query(`CREATE INDEX ON oracle.pair (entity, dimension, value) INCLUDE (id);
    CREATE INDEX ON oracle.pair (entity, dimension, id) INCLUDE (value); ANALYZE oracle.pair`);
  await sql.query(`CREATE TABLE oracle.value AS
    SELECT v.dimension, v.value, venture.fold(coalesce(l.label, v.value)) COLLATE "C" AS folded
    FROM (SELECT DISTINCT dimension, value FROM oracle.pair) v
    LEFT JOIN oracle.label l USING (dimension, value);
    ALTER TABLE oracle.value ADD PRIMARY KEY (dimension, value); ANALYZE oracle.value`);
}

/** Some of the values of every dimension, and of how many records: what random requests use. */
export async function sampleValues(
  sql: pg.Pool,
): Promise<readonly { readonly dimension: string; readonly value: string }[]> {
  const { rows } = await sql.query<{ dimension: string; value: string }>(
    `SELECT dimension, value FROM (
       SELECT dimension, value, row_number() OVER (PARTITION BY dimension ORDER BY count(*) DESC) AS n,
         row_number() OVER (PARTITION BY dimension ORDER BY md5(value)) AS scattered
       FROM oracle.pair GROUP BY dimension, value) v
     WHERE n <= 12 OR scattered <= 12 ORDER BY dimension, value`,
  );
  return rows;
}

/** What the engine should answer: per dimension rows `value: count`, in order. */
export async function expectedCounts(
  sql: pg.Pool,
  { entity, narrowing, facets }: FacetQuery,
): Promise<Record<string, readonly string[]>> {
  const expected: Record<string, readonly string[]> = {};
  for (const { dimension, top, skip, order, search } of facets) {
    const values: unknown[] = [entity, dimension, search?.text ?? ''];
    const clauses = narrowing
      .filter((each) => each.dimension !== dimension)
      .map((each) => {
        values.push(each.dimension, each.values.map(String));
        return `AND p.id IN (SELECT q.id FROM oracle.pair q WHERE q.entity = $1
          AND q.dimension = $${values.length - 1} AND q.value = ANY ($${values.length}::text[]))`;
      });
    const match =
      search?.anywhere === true
        ? 'position($3::text IN folded) > 0'
        : 'left(folded, length($3::text)) = $3::text';
    const { rows } = await sql.query<{ row: string }>(
      `SELECT value || ': ' || n AS row FROM (
         SELECT c.value, c.n, v.folded
         FROM (SELECT p.value, count(*) AS n FROM oracle.pair p
           WHERE p.entity = $1 AND p.dimension = $2 ${clauses.join(' ')} GROUP BY p.value) c
         JOIN oracle.value v ON v.dimension = $2 AND v.value = c.value) f
       WHERE $3::text = '' OR ${match}
       ORDER BY ${order === 'count' ? 'n DESC,' : ''} folded, value LIMIT ${top} OFFSET ${skip}`,
      values,
    );
    expected[dimension] = rows.map(({ row }) => row);
  }
  return expected;
}

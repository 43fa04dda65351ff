/**
 * All triples (record, dimension, value), by plain SQL on tables and relations. It shares only the
 * labels of the closed lists, which order values of the same count, with the code under test.
 */
import {
  exitStatuses,
  investorTypes,
  memberBuckets,
  operatingStatuses,
  stages,
} from '@vcds/venture-model';
import type pg from 'pg';

const LISTS = {
  stage: stages,
  round_stage: stages,
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

const LISTED_ROUNDS = `venture.funding_round r JOIN venture.startup s ON s.id = r.startup_id
     WHERE r.deleted_at IS NULL AND s.deleted_at IS NULL`;

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
  `SELECT 'rounds', r.id, 'round_series', r.series FROM ${LISTED_ROUNDS}
     AND r.series IS NOT NULL`,
  `SELECT 'rounds', r.id, 'round_stage', r.stage::text FROM ${LISTED_ROUNDS}
     AND r.stage IS NOT NULL`,
  `SELECT 'rounds', r.id, 'confirmed', CASE WHEN r.confirmed THEN 'Confirmed' ELSE 'Unconfirmed' END
     FROM ${LISTED_ROUNDS}`,
  `SELECT 'startups', s.id, 'investor', h.fund_id::text FROM venture.startup s
     JOIN venture.holding h ON h.startup_id = s.id JOIN venture.fund f ON f.id = h.fund_id
     WHERE s.deleted_at IS NULL AND h.deleted_at IS NULL AND f.deleted_at IS NULL`,
  `SELECT 'funds', f.id, 'investor', f.id::text FROM venture.fund f WHERE f.deleted_at IS NULL`,
  `SELECT 'rounds', i.round_id, d.dimension, i.fund_id::text FROM venture.round_investor i
     JOIN (SELECT r.id FROM ${LISTED_ROUNDS}) r ON r.id = i.round_id
     JOIN venture.fund f ON f.id = i.fund_id AND f.deleted_at IS NULL
     JOIN (VALUES ('investor'), ('lead_investor')) d(dimension) ON i.lead OR dimension = 'investor'
     WHERE i.deleted_at IS NULL`,
  `SELECT 'rounds', r.id, 'round_year', extract(year FROM r.date)::int::text
     FROM ${LISTED_ROUNDS} AND r.date IS NOT NULL`,
];

const FUNDS_ONLY = `('investment_stage', 'investor_type', 'fund_group')`;
const ROUNDS_ONLY = `('round_series', 'round_stage', 'round_year', 'confirmed', 'lead_investor')`;

const REACHED = [
  `SELECT 'startups', h.startup_id, p.dimension, p.value FROM venture.holding h
     JOIN venture.startup s ON s.id = h.startup_id AND s.deleted_at IS NULL
     JOIN oracle.own p ON p.entity = 'funds' AND p.id = h.fund_id AND p.dimension IN ${FUNDS_ONLY}
     WHERE h.deleted_at IS NULL`,
  `SELECT 'startups', r.startup_id, p.dimension, p.value FROM venture.funding_round r
     JOIN venture.startup s ON s.id = r.startup_id AND s.deleted_at IS NULL
     JOIN oracle.own p ON p.entity = 'rounds' AND p.id = r.id AND p.dimension <> 'investor'`,
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
     JOIN oracle.own p ON p.entity = 'startups' AND p.id = r.startup_id AND p.dimension <> 'investor'
     WHERE r.deleted_at IS NULL`,
  `SELECT 'rounds', i.round_id, p.dimension, p.value FROM venture.round_investor i
     JOIN (SELECT r.id FROM ${LISTED_ROUNDS}) r ON r.id = i.round_id
     JOIN oracle.own p ON p.entity = 'funds' AND p.id = i.fund_id AND p.dimension IN ${FUNDS_ONLY}
     WHERE i.deleted_at IS NULL`,
];

/** A value of a dimension and the records that have it, as numbers within their entity. */
export interface ValueRecords {
  readonly entity: string;
  readonly dimension: string;
  readonly value: string;
  /** Folded as `venture.fold` does. */
  readonly folded: string;
  readonly records: readonly number[];
}

/** Reads all pairs in the order of the values' labels. */
export async function readPairs(sql: pg.Pool): Promise<readonly ValueRecords[]> {
  const labels = Object.entries(LISTS).flatMap(([dimension, list]) =>
    list.map(({ value, label }) => [dimension, String(value), label]),
  );
  await sql.query(`DROP SCHEMA IF EXISTS oracle CASCADE; CREATE SCHEMA oracle;
    CREATE UNLOGGED TABLE oracle.own (entity text, id uuid, dimension text, value text COLLATE "C");
    CREATE UNLOGGED TABLE oracle.label (dimension text, value text COLLATE "C", label text)`);
  await sql.query(
    'INSERT INTO oracle.label SELECT * FROM unnest($1::text[], $2::text[], $3::text[])',
    [...[0, 1, 2].map((part) => labels.map((row) => row[part]))],
  );
  await sql.query(`INSERT INTO oracle.label
    SELECT dimension, f.id::text, f.name FROM venture.fund f, (VALUES ('investor'), ('lead_investor')) d(dimension)`);
  for (const each of OWN)
    await sql.query(`INSERT INTO oracle.own SELECT DISTINCT * FROM (${each}) o`);
  await sql.query('CREATE INDEX ON oracle.own (entity, id); ANALYZE oracle.own');
  await sql.query('CREATE UNLOGGED TABLE oracle.pair AS TABLE oracle.own');
  // No two of them, and no own value of a record, have the same entity and dimension.
  for (const each of REACHED)
    await sql.query(`INSERT INTO oracle.pair SELECT DISTINCT * FROM (${each}) r`);
  const { rows } = await sql.query<Omit<ValueRecords, 'records'> & { records: string }>(
    `WITH record AS (
       SELECT entity, id, row_number() OVER (PARTITION BY entity) - 1 AS n
       FROM (SELECT DISTINCT entity, id FROM oracle.pair) p
     ), value AS (
       SELECT entity, dimension, value, string_agg(n::text, ',') AS records
       FROM oracle.pair JOIN record USING (entity, id) GROUP BY 1, 2, 3
     )
     SELECT entity, dimension, value, records,
       venture.fold(coalesce(label, value)) COLLATE "C" AS folded
     FROM value LEFT JOIN oracle.label USING (dimension, value) ORDER BY folded, value`,
  );
  return rows.map(({ records, ...row }) => ({ ...row, records: records.split(',').map(Number) }));
}

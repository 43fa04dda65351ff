import { column, plainValues, readOnly } from './field.ts';
import { resource } from './resource.ts';

/** A fact that a source states about a startup, on the statement `s`. */
interface Fact {
  readonly field: string;
  /** The value as text, as in CSV; null without one. */
  readonly value: string;
  /** Whether it is an estimate: a prediction or an inference. */
  readonly estimated?: string;
  /** The condition that a statement decides the value of the record; by default, that it has one. */
  readonly decides?: string;
  /** The record has the values of all statements. */
  readonly isList?: true;
  /** Listed only where sources may differ. */
  readonly ofMerged?: true;
}

const text = (field: string, column: string): Fact => ({ field, value: `s.${column}::text` });
const list = (field: string, column: string): Fact => ({
  ...{ field, isList: true },
  value: `nullif(array_to_string(s.${column}, '; '), '')`,
});
const ofAddresses = { decides: "s.addresses <> '[]'" } as const;
const addressPart = (field: string): Fact => ({
  ...{ field, ofMerged: true, ...ofAddresses },
  value: `nullif(array_to_string(venture.address_part(s.addresses, '${field}'), '; '), '')`,
});

const FACTS: readonly Fact[] = [
  text('Name', 'name'),
  text('Website', 'website'),
  list('Identifier', 'identifiers'),
  text('Description', 'description'),
  { field: 'Location', value: "s.addresses -> 0 ->> 'City'", ...ofAddresses },
  ...['Country', 'Region', 'City'].map(addressPart),
  text('Founded', 'founded'),
  text('TotalRaised', 'total_raised_reported'),
  list('Tag', 'tags'),
  { ...text('PrimarySource', 'primary_source'), ofMerged: true },
  text('MembersCount', 'members_count'),
  { ...text('NextFundingStage', 'next_funding_stage_stated'), estimated: 'true' },
  {
    field: 'OperatingStatus',
    value: 'coalesce(s.operating_status_stated, s.operating_status_inferred)',
    estimated: 's.operating_status_stated IS NULL',
  },
];

const factRows = FACTS.map(
  ({ field, value, estimated = 'false', decides, isList = false, ofMerged = false }) =>
    `('${field}', ${value}, ${estimated}, ${decides ?? `${value} IS NOT NULL`}, ${isList}, ${ofMerged})`,
).join(', ');
const factNames = FACTS.map(({ field }) => `'${field}'`).join(', ');

// The order of statements: docs/spec/one-company.md 25.3.
const placeIn = (partition: string, row: string) => `row_number() OVER (
  PARTITION BY ${partition} ORDER BY q.rank NULLS LAST, ${row}.occurred_at DESC NULLS LAST,
    ${row}.source COLLATE "C", ${row}.source_key COLLATE "C", ${row}.id::text COLLATE "C")`;

const isMerged = (id: string) =>
  `EXISTS (SELECT FROM venture.company_member m WHERE m.entity = 1 AND m.member_id = ${id})`;

// Columns of a statement that facts read.
const STATED = `s.source, s.source_url, s.name, s.website, s.identifiers, s.description, s.addresses,
  s.founded, s.total_raised_reported, s.tags, s.primary_source, s.members_count,
  s.next_funding_stage_stated, s.operating_status_stated, s.operating_status_inferred`;

// The statements about each startup: the record itself, or those that it was merged from.
const STATEMENTS = `(
  SELECT s.id AS startup_id, s.id, false AS is_merged, 1 AS place,
    coalesce(s.facts_changed_at, s.created_at) AS recorded_at, ${STATED}
  FROM venture.startup s WHERE NOT ${isMerged('s.id')}
  UNION ALL
  SELECT m.company_id, s.id, true, ${placeIn('m.company_id', 's')}, s.updated_at, ${STATED}
  FROM venture.company_member m JOIN stated.startup s ON s.id = m.member_id
  LEFT JOIN venture.source_rank q ON q.source = s.source
  WHERE m.entity = 1 AND s.deleted_at IS NULL)`;

// The references of single facts of a statement.
const ownReferences = (row: string) => {
  const of = (schema: string) => `SELECT f.id, f.field, f.fact_source, f.url, f.retrieved_at,
      f.confidence
    FROM ${schema}.reference f WHERE f.startup_id = ${row}.id AND f.deleted_at IS NULL`;
  return `LATERAL (${of('venture')} AND NOT ${row}.is_merged
    UNION ALL ${of('stated')} AND ${row}.is_merged)`;
};

// An observation `o` that the status of the record `c` results from.
const OBSERVED = `o.deleted_at IS NULL AND o.condition <> 'unknown'
  AND (o.kind = 'social' OR o.address = c.domain)
  AND c.operating_status_stated IS NULL AND c.operating_status_observed IS NOT NULL`;

// A status is that of the best statement with a stated one, then the observed, then the inferred one.
const GIVES = `k.value IS NOT NULL AND (k.is_list OR k.nth = 1) AND (
  k.field <> 'OperatingStatus' OR NOT k.estimated
  OR c.operating_status_observed IS NULL AND k.value = c.operating_status)`;

const STATED_FACTS = `
  SELECT k.startup_id, k.field, k.value, ${GIVES} AS chosen,
    CASE WHEN f.id IS NULL THEN k.source ELSE f.fact_source END AS source,
    CASE WHEN f.id IS NULL THEN k.source_url ELSE f.url END AS url,
    CASE WHEN f.id IS NULL THEN k.recorded_at ELSE f.retrieved_at END AS retrieved_at,
    coalesce(f.confidence, CASE WHEN k.estimated THEN 'estimated' ELSE 'confirmed' END)
      AS confidence,
    NULL::uuid AS record_id,
    coalesce(f.id::text, k.field || to_char(k.place, ' FM0000')) AS position
  FROM (
    SELECT s.startup_id, s.id, s.is_merged, s.place, s.source, s.source_url, s.recorded_at, k.*,
      row_number() OVER (PARTITION BY s.startup_id, k.field
        ORDER BY k.decides DESC, k.estimated, s.place) AS nth
    FROM ${STATEMENTS} s CROSS JOIN LATERAL (VALUES ${factRows})
      AS k(field, value, estimated, decides, is_list, of_merged)
    WHERE s.is_merged OR NOT k.of_merged) k
  JOIN venture.startup c ON c.id = k.startup_id
  LEFT JOIN ${ownReferences('k')} f ON f.field = k.field
  WHERE f.id IS NOT NULL OR k.value IS NOT NULL AND (k.is_merged OR k.source IS NOT NULL
    AND NOT (k.field = 'OperatingStatus' AND EXISTS (
      SELECT FROM venture.observation o WHERE o.company_id = c.id AND ${OBSERVED})))`;

const OTHER_REFERENCES = `
  SELECT s.startup_id, f.field, NULL, true, f.fact_source, f.url, f.retrieved_at, f.confidence,
    NULL, f.id::text
  FROM ${STATEMENTS} s CROSS JOIN ${ownReferences('s')} f WHERE f.field NOT IN (${factNames})`;

// Of each address the last observation, of whichever statement.
const OBSERVATIONS = `
  SELECT c.id, 'OperatingStatus', c.operating_status_observed,
    c.operating_status = c.operating_status_observed,
    CASE o.kind WHEN 'site' THEN 'Website' ELSE split_part(o.address, '/', 1) END, o.url,
    o.occurred_at, 'estimated', NULL, 'OperatingStatus ' || o.kind || o.address
  FROM venture.startup c CROSS JOIN LATERAL (
    SELECT DISTINCT ON (o.kind, o.address) o.* FROM (
      SELECT c.id UNION SELECT m.member_id FROM venture.company_member m
      WHERE m.entity = 1 AND m.company_id = c.id) AS i(id)
    JOIN venture.observation o ON o.company_id = i.id AND o.deleted_at IS NULL
    ORDER BY o.kind, o.address, o.occurred_at DESC, o.company_id) o
  WHERE ${OBSERVED}`;

const ROUNDS = `
  SELECT r.startup_id, 'FundingRounds', r.amount::text, true, r.source, r.source_url, r.updated_at,
    CASE WHEN r.confirmed THEN 'confirmed' ELSE 'estimated' END, r.id, r.id::text
  FROM venture.funding_round r
  WHERE r.source IS NOT NULL AND r.deleted_at IS NULL AND NOT ${isMerged('r.startup_id')}
  UNION ALL
  SELECT r.startup_id, 'FundingRounds', r.amount::text,
    row_number() OVER (PARTITION BY r.startup_id, r.round_id ORDER BY r.amount IS NULL, r.place) = 1,
    r.source, r.source_url, r.updated_at,
    CASE WHEN r.confirmed THEN 'confirmed' ELSE 'estimated' END, r.round_id, r.id::text
  FROM (
    SELECT m.company_id AS startup_id, coalesce(n.round_id, r.id) AS round_id, r.id, r.amount,
      r.source, r.source_url, r.updated_at, r.confirmed, ${placeIn('m.company_id', 'r')} AS place
    FROM venture.company_member m JOIN stated.funding_round r ON r.startup_id = m.member_id
    LEFT JOIN venture.round_member n ON n.member_id = r.id
    LEFT JOIN venture.source_rank q ON q.source = r.source
    WHERE m.entity = 1 AND r.deleted_at IS NULL) r`;

const ARTICLES = `
  SELECT v.startup_id, 'LatestPostValuation', v.amount::text, true, v.source, v.source_url,
    v.updated_at, CASE WHEN v.estimated THEN 'estimated' ELSE 'confirmed' END, v.id, v.id::text
  FROM venture.post_valuation v WHERE v.source IS NOT NULL AND v.deleted_at IS NULL
  UNION ALL
  SELECT n.live_startup_id, 'Mention', NULL, true, coalesce(n.publisher, n.source), n.url,
    n.updated_at, 'confirmed', n.id, n.id::text
  FROM venture.news n WHERE n.live_startup_id IS NOT NULL AND n.deleted_at IS NULL`;

/**
 * The facts about a startup by source: references of single facts, else the origin of the
 * statement; the observations that its status results from; its rounds and valuations; and the
 * articles that mention it (docs/spec/resources.md 4.12).
 * `RecordId` says which round, valuation or article, and is null for a fact of the startup itself.
 * `RetrievedAt` is what a reference states; of anything else, when the facts last changed here.
 */
export const reference = resource({
  name: 'reference',
  scope: 'companies',
  title: 'Reference',
  table: `(${[STATED_FACTS, OTHER_REFERENCES, OBSERVATIONS, ROUNDS, ARTICLES].join(' UNION ALL ')})`,
  live: () => 'true',
  tieBreak: 'position',
  tieBreakType: 'text',
  fields: [
    column('Field', 'text', 'field', { sortable: true, notNull: true }),
    column('RecordId', 'uuid', 'record_id'),
    readOnly('Value', 'text', 'value'),
    column('Chosen', 'boolean', 'chosen', { notNull: true }),
    column('Source', 'text', 'source', { sortable: true }),
    readOnly('Url', 'text', 'url'),
    column('RetrievedAt', 'instant', 'retrieved_at', { sortable: true }),
    column('Confidence', 'closed', 'confidence', {
      closed: plainValues('confirmed', 'estimated'),
      notNull: true,
    }),
  ],
});

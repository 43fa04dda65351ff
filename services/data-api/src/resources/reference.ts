import { column, plainValues, readOnly } from './field.ts';
import { resource } from './resource.ts';

// A fact of the record itself comes from the record's origin; a prediction and an inference are
// estimates. Facts with a reference of their own come from there instead.
const FACTS: readonly (readonly [field: string, present: string, estimated: string])[] = [
  ['Name', 's.name IS NOT NULL', 'false'],
  ['Website', 's.website IS NOT NULL', 'false'],
  ['Description', 's.description IS NOT NULL', 'false'],
  ['Location', 's.location IS NOT NULL', 'false'],
  ['Founded', 's.founded IS NOT NULL', 'false'],
  ['TotalRaised', 's.total_raised_reported IS NOT NULL', 'false'],
  ['Tag', "s.tags <> '{}'", 'false'],
  ['MembersCount', 's.members_count IS NOT NULL', 'false'],
  ['NextFundingStage', 's.next_funding_stage_stated IS NOT NULL', 'true'],
  ['OperatingStatus', 's.operating_status IS NOT NULL', 's.operating_status_stated IS NULL'],
];

// An observation that the status of a startup results from.
const OBSERVED = `o.deleted_at IS NULL AND o.condition <> 'unknown'
  AND (o.kind = 'social' OR o.address = s.domain)
  AND s.operating_status_stated IS NULL AND s.operating_status_observed IS NOT NULL`;

const factRows = FACTS.map(
  ([field, present, estimated]) => `('${field}', ${present}, ${estimated})`,
).join(', ');

/**
 * Where the facts about a startup come from, and the articles that mention it:
 * references of single facts, else the record's own origin; the observations that its status results
 * from; its rounds and valuations; mentions.
 * `RecordId` says which round, valuation or article, and is null for a fact of the startup itself.
 * `RetrievedAt` is what a reference states; of anything else, when the facts last changed here.
 */
export const reference = resource({
  name: 'reference',
  scope: 'companies',
  title: 'Reference',
  table: `(
    SELECT f.startup_id, f.field, f.fact_source AS source, f.url, f.retrieved_at, f.confidence,
      NULL::uuid AS record_id, f.id::text AS position
    FROM venture.reference f WHERE f.deleted_at IS NULL
    UNION ALL
    SELECT o.company_id, 'OperatingStatus', CASE o.kind WHEN 'site' THEN 'Website'
        ELSE split_part(o.address, '/', 1) END, o.url, o.occurred_at, 'estimated', NULL,
      'OperatingStatus ' || o.kind || o.address
    FROM venture.observation o JOIN venture.startup s ON s.id = o.company_id
    WHERE ${OBSERVED}
    UNION ALL
    SELECT s.id, k.field, s.source, s.source_url, coalesce(s.facts_changed_at, s.created_at),
      CASE WHEN k.estimated THEN 'estimated' ELSE 'confirmed' END, NULL, k.field
    FROM venture.startup s
    CROSS JOIN LATERAL (VALUES ${factRows}) AS k(field, present, estimated)
    WHERE k.present AND s.source IS NOT NULL AND NOT EXISTS (
      SELECT FROM venture.reference f
      WHERE f.startup_id = s.id AND f.field = k.field AND f.deleted_at IS NULL)
      AND NOT (k.field = 'OperatingStatus' AND EXISTS (
        SELECT FROM venture.observation o WHERE o.company_id = s.id AND ${OBSERVED}))
    UNION ALL
    SELECT r.startup_id, 'FundingRounds', r.source, r.source_url, r.updated_at,
      CASE WHEN r.confirmed THEN 'confirmed' ELSE 'estimated' END, r.id, r.id::text
    FROM venture.funding_round r WHERE r.source IS NOT NULL AND r.deleted_at IS NULL
    UNION ALL
    SELECT v.startup_id, 'LatestPostValuation', v.source, v.source_url, v.updated_at,
      CASE WHEN v.estimated THEN 'estimated' ELSE 'confirmed' END, v.id, v.id::text
    FROM venture.post_valuation v WHERE v.source IS NOT NULL AND v.deleted_at IS NULL
    UNION ALL
    SELECT n.live_startup_id, 'Mention', coalesce(n.publisher, n.source), n.url, n.updated_at,
      'confirmed', n.id, n.id::text
    FROM venture.news n WHERE n.live_startup_id IS NOT NULL AND n.deleted_at IS NULL)`,
  live: () => 'true',
  tieBreak: 'position',
  tieBreakType: 'text',
  fields: [
    column('Field', 'text', 'field', { sortable: true, notNull: true }),
    column('RecordId', 'uuid', 'record_id'),
    column('Source', 'text', 'source', { sortable: true }),
    readOnly('Url', 'text', 'url'),
    column('RetrievedAt', 'instant', 'retrieved_at', { sortable: true }),
    column('Confidence', 'closed', 'confidence', {
      closed: plainValues('confirmed', 'estimated'),
      notNull: true,
    }),
  ],
});

import { primarySources } from '@vcds/venture-model';
import {
  column,
  computed,
  inDimension,
  keywords,
  multiValued,
  readOnly,
  recordFields,
} from './field.ts';
import { ADDRESSES, HOLDING_STATUS, personsRelation, TAGS } from './relations.ts';
import { resource } from './resource.ts';

// All investors with a holding in the startup or in one of its rounds, without duplicates. The
// subquery sorts, because ORDER BY in an aggregate opens the collation again for every row.
const investorNames = (row: string) =>
  `(SELECT coalesce(json_agg(n.name), '[]') FROM (
      SELECT coalesce(f.name, i.name) AS name
      FROM (
        SELECT h.fund_id AS id FROM venture.holding h
        WHERE h.startup_id = ${row}.id AND h.deleted_at IS NULL
        UNION
        SELECT p.investor_id FROM venture.funding_round q
        JOIN venture.round_investor p ON p.round_id = q.id AND p.deleted_at IS NULL
        WHERE q.startup_id = ${row}.id AND q.deleted_at IS NULL) k
      LEFT JOIN venture.fund f ON f.id = k.id AND f.deleted_at IS NULL
      LEFT JOIN venture.person i ON i.id = k.id AND i.deleted_at IS NULL
      WHERE coalesce(f.id, i.id) IS NOT NULL
      ORDER BY coalesce(f.name, i.name) COLLATE venture.text_order, k.id) n)`;

const averageRoundAmount = (row: string) =>
  `(SELECT round(avg(q.amount))::bigint FROM venture.funding_round q
    WHERE q.startup_id = ${row}.id AND q.confirmed AND q.deleted_at IS NULL)`;

/** A company (docs/spec/resources.md 4.4). */
export const startup = resource({
  name: 'startup',
  scope: 'companies',
  title: 'Startup',
  table: 'venture.startup',
  fields: recordFields([
    column('Name', 'text', 'name', { sortable: true, notNull: true, folded: 'name_folded' }),
    column('Website', 'text', 'website'),
    column('Domain', 'text', 'domain'),
    readOnly('Description', 'text', 'description'),
    column('Location', 'text', 'location', inDimension('city', 'startups')),
    column('Founded', 'year', 'founded', { sortable: true }),
    column('TotalRaised', 'usd', 'total_raised', { sortable: true }),
    multiValued('Tag', 'text', 'tags', inDimension('industry', 'startups')),
    multiValued('Country', 'text', 'countries', inDimension('country', 'startups')),
    multiValued('Region', 'text', 'regions', inDimension('region', 'startups')),
    multiValued('City', 'text', 'cities', inDimension('city', 'startups')),
    column('LastFundingStage', 'closed', 'last_funding_stage', {
      sortable: true,
      ...inDimension('stage', 'startups'),
    }),
    column('NextFundingStage', 'closed', 'next_funding_stage', {
      sortable: true,
      ...inDimension('next_stage', 'startups'),
    }),
    column('LastFundingDate', 'date', 'last_funding_date', { sortable: true }),
    column('PrimarySource', 'closed', 'primary_source', { closed: primarySources }),
    column('MembersCount', 'integer', 'members_count', { sortable: true }),
    column('MembersCountBucket', 'closed', 'members_bucket', inDimension('team_size', 'startups')),
    column(
      'OperatingStatus',
      'closed',
      'operating_status',
      inDimension('operating_status', 'startups'),
    ),
    multiValued('Status', 'closed', 'exit_statuses', inDimension('exit_status', 'startups')),
    keywords('Keywords', 'keywords'),
    column('RoundsCount', 'integer', 'rounds_count', { sortable: true, notNull: true }),
    column('LatestPostValuation', 'usd', 'latest_post_valuation', { sortable: true }),
    computed('AverageRoundAmount', 'usd', averageRoundAmount),
    computed(
      'FundingPerMember',
      'usd',
      (row) => `(${row}.total_raised / nullif(${row}.members_count, 0))`,
    ),
    computed('InvestorNames', 'text', investorNames, { many: true }),
  ]),
  relations: [
    TAGS,
    ADDRESSES,
    {
      name: 'Funds',
      description: 'The investors, with the status of each holding.',
      kind: 'records',
      target: 'fund',
      many: true,
      from: (row) => `FROM venture.holding h JOIN venture.fund t ON t.id = h.fund_id
        WHERE h.startup_id = ${row}.id AND h.deleted_at IS NULL AND t.deleted_at IS NULL`,
      extra: [{ name: 'Status', ...HOLDING_STATUS }],
      orderBy: 't.name COLLATE venture.text_order, t.id',
    },
    {
      name: 'FundingRounds',
      description: 'The rounds, newest first.',
      kind: 'records',
      target: 'fundingRound',
      many: true,
      from: (row) => `FROM venture.funding_round t
        WHERE t.startup_id = ${row}.id AND t.deleted_at IS NULL`,
      orderBy: 't.date DESC NULLS LAST, t.id',
    },
    personsRelation('startup', 'The people, with their title and since when.'),
  ],
});

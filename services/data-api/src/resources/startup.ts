import { primarySources } from '@vcds/venture-model';
import {
  column,
  computed,
  identifiers,
  inDimension,
  keywords,
  multiValued,
  readOnly,
  recordFields,
  relation,
  SITES,
} from './field.ts';
import { ADDRESSES, HOLDING_STATUS, IDENTIFIERS, personsRelation, TAGS } from './relations.ts';
import { resource } from './resource.ts';

const investorNames = (row: string) =>
  `coalesce((SELECT c.investor_names FROM venture.startup_computed c WHERE c.id = ${row}.id), '{}')`;

/** A company (docs/spec/resources.md 4.4). */
export const startup = resource({
  name: 'startup',
  scope: 'companies',
  title: 'Startup',
  table: 'venture.startup',
  recordCall: '/startups/{id}',
  fields: recordFields([
    column('Name', 'text', 'name', { sortable: true, notNull: true, folded: 'name_folded' }),
    column('Website', 'text', 'website', SITES),
    column('Domain', 'text', 'domain', SITES),
    identifiers('venture.startup'),
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
    relation(
      'Investor',
      (row) => `FROM venture.holding h JOIN venture.fund f ON f.id = h.fund_id
        WHERE h.startup_id = ${row}.id AND h.deleted_at IS NULL AND f.deleted_at IS NULL`,
      'h.fund_id',
    ),
    keywords('Keywords', 'keywords'),
    column('RoundsCount', 'integer', 'rounds_count', { sortable: true, notNull: true }),
    column('LatestPostValuation', 'usd', 'latest_post_valuation', { sortable: true }),
    computed('AverageRoundAmount', 'usd', (row) => `${row}.average_round_amount`),
    computed(
      'FundingPerMember',
      'usd',
      (row) => `(${row}.total_raised / nullif(${row}.members_count, 0))`,
    ),
    computed('InvestorNames', 'text', investorNames, { many: true }),
  ]),
  relations: [
    TAGS,
    IDENTIFIERS,
    ADDRESSES,
    {
      name: 'Funds',
      description: 'The investors, with the status of each holding; the last investment first.',
      kind: 'records',
      target: 'fund',
      many: true,
      from: (row) => `FROM venture.holding h JOIN venture.fund t ON t.id = h.fund_id
        WHERE h.startup_id = ${row}.id AND h.deleted_at IS NULL AND t.deleted_at IS NULL`,
      extra: [{ name: 'Status', ...HOLDING_STATUS }],
      orderBy: 'h.last_investment_date DESC NULLS LAST, t.id DESC',
    },
    {
      name: 'FundingRounds',
      description: 'The rounds, newest first.',
      kind: 'records',
      target: 'fundingRound',
      many: true,
      from: (row) => `FROM venture.funding_round t
        WHERE t.startup_id = ${row}.id AND t.deleted_at IS NULL`,
      orderBy: 't.date DESC NULLS LAST, t.id DESC',
    },
    personsRelation('startup', 'The people, with their title and since when.'),
  ],
});

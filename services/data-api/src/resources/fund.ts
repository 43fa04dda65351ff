import { investorTypes, stages } from '@vcds/venture-model';
import {
  column,
  computed,
  filterOnly,
  identifiers,
  inDimension,
  keywords,
  multiValued,
  readOnly,
  recordFields,
  SITES,
} from './field.ts';
import {
  ADDRESSES,
  closedRelation,
  HOLDING_STATUS,
  IDENTIFIERS,
  namesRelation,
  personsRelation,
  TAGS,
} from './relations.ts';
import { resource } from './resource.ts';

// Everything about a portfolio refers to its startups that are not deleted, with the alias `t`.
const portfolio = (row: string) =>
  `FROM venture.holding h JOIN venture.startup t ON t.id = h.startup_id
    WHERE h.fund_id = ${row}.id AND h.deleted_at IS NULL AND t.deleted_at IS NULL`;

const ofPortfolio = (column: string, row: string) =>
  `(SELECT c.${column} FROM venture.fund_computed c WHERE c.id = ${row}.id)`;

/** An investor: venture fund, accelerator, private equity, fund of funds. */
export const fund = resource({
  name: 'fund',
  scope: 'companies',
  title: 'Fund',
  table: 'venture.fund',
  recordCall: '/funds/{id}',
  fields: recordFields([
    column('Name', 'text', 'name', { sortable: true, notNull: true, folded: 'name_folded' }),
    column('Website', 'text', 'website', SITES),
    column('Domain', 'text', 'domain', SITES),
    identifiers('venture.fund'),
    readOnly('Description', 'text', 'description'),
    column('Location', 'text', 'location', inDimension('city', 'funds')),
    column('Founded', 'year', 'founded', { sortable: true }),
    multiValued('Tag', 'text', 'tags', inDimension('industry', 'funds')),
    multiValued('Country', 'text', 'countries', inDimension('country', 'funds')),
    multiValued('Region', 'text', 'regions', inDimension('region', 'funds')),
    multiValued('City', 'text', 'cities', inDimension('city', 'funds')),
    column('MembersCount', 'integer', 'members_count', { sortable: true }),
    column('MembersCountBucket', 'closed', 'members_bucket', inDimension('team_size', 'funds')),
    multiValued(
      'InvestmentStage',
      'closed',
      'investment_stages',
      inDimension('investment_stage', 'funds'),
    ),
    multiValued(
      'InvestmentType',
      'closed',
      'investment_types',
      inDimension('investor_type', 'funds'),
    ),
    filterOnly(multiValued('Group.Name', 'text', 'groups', inDimension('fund_group', 'funds'))),
    keywords('Keywords', 'keywords'),
    column(
      'OperatingStatus',
      'closed',
      'operating_status',
      inDimension('operating_status', 'funds'),
    ),
    column('InvestmentsCount', 'integer', 'investments_count', { sortable: true, notNull: true }),
    column('FirstInvestmentDate', 'date', 'first_investment_date', { sortable: true }),
    column('LastInvestmentDate', 'date', 'last_investment_date', { sortable: true }),
    computed('AverageRoundAmount', 'usd', (row) => `${row}.average_round_amount`),
    computed('ExitRate', 'number', (row) => ofPortfolio('exit_rate', row)),
    computed(
      'LatestInvestments',
      'text',
      (row) => `coalesce(${ofPortfolio('latest_investments', row)}, '{}')`,
      {
        many: true,
      },
    ),
  ]),
  relations: [
    TAGS,
    closedRelation(
      'InvestmentStages',
      'The stages at which the fund says it invests.',
      'investment_stages',
      stages,
    ),
    closedRelation(
      'InvestmentTypes',
      'The kinds of investor that the fund is.',
      'investment_types',
      investorTypes,
    ),
    IDENTIFIERS,
    ADDRESSES,
    namesRelation('Groups', 'The editorial groups of the fund.', 'groups'),
    {
      name: 'Startups',
      description: 'The portfolio, with the status of each holding; the last investment first.',
      kind: 'records',
      target: 'startup',
      many: true,
      from: portfolio,
      extra: [{ name: 'HoldingStatus', ...HOLDING_STATUS }],
      orderBy: 'h.last_investment_date DESC NULLS LAST, t.id DESC',
      storedCount: (row) => `coalesce(${ofPortfolio('startups_count', row)}, 0)`,
    },
    personsRelation('fund', 'The team, with their title and since when.'),
  ],
});

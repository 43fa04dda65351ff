import {
  investorTypes,
  isListedOfStartup,
  memberBuckets,
  operatingStatuses,
  stages,
} from '@vcds/venture-model';
import { addressObjects } from './address-json.ts';
import { closedObjects, namedObjects } from './closed-json.ts';
import {
  column,
  computed,
  filterOnly,
  inDimension,
  keywords,
  multiValued,
  readOnly,
  recordFields,
} from './field.ts';
import { resource } from './resource.ts';

const LATEST_INVESTMENTS_MAX = 10;

const participations = (row: string) =>
  `FROM venture.round_investor p
    JOIN venture.funding_round q ON q.id = p.round_id AND ${isListedOfStartup('q')}
    WHERE p.investor_id = ${row}.id AND p.deleted_at IS NULL`;

const averageRoundAmount = (row: string) =>
  `(SELECT round(avg(q.amount))::bigint ${participations(row)} AND q.confirmed)`;

// Everything about a portfolio refers to its startups that are not deleted, with the alias `t`.
const portfolio = (row: string) =>
  `FROM venture.holding h JOIN venture.startup t ON t.id = h.startup_id
    WHERE h.fund_id = ${row}.id AND h.deleted_at IS NULL AND t.deleted_at IS NULL`;

const exitRate = (row: string) =>
  `(SELECT round(avg((h.status <> 'Held')::int), 4)::float8 ${portfolio(row)})`;

const latestInvestments = (row: string) =>
  `(SELECT coalesce(json_agg(l.name), '[]') FROM (
      SELECT t.name ${portfolio(row)}
      ORDER BY h.last_investment_date DESC NULLS LAST, t.name LIMIT ${LATEST_INVESTMENTS_MAX}) l)`;

/** An investor: venture fund, accelerator, private equity, fund of funds. */
export const fund = resource({
  name: 'fund',
  scope: 'companies',
  title: 'Fund',
  table: 'venture.fund',
  fields: recordFields([
    column('Name', 'text', 'name', { sortable: true, folded: 'name_folded' }),
    column('Website', 'text', 'website'),
    column('Domain', 'text', 'domain'),
    readOnly('Description', 'text', 'description'),
    column('Location', 'text', 'location', inDimension('city', 'funds')),
    column('Founded', 'year', 'founded', { sortable: true }),
    multiValued('Tag', 'text', 'tags', inDimension('industry', 'funds')),
    multiValued('Country', 'text', 'countries', inDimension('country', 'funds')),
    multiValued('Region', 'text', 'regions', inDimension('region', 'funds')),
    multiValued('City', 'text', 'cities', inDimension('city', 'funds')),
    column('MembersCount', 'integer', 'members_count', { sortable: true }),
    column('MembersCountBucket', 'closed', 'members_bucket', {
      closed: memberBuckets,
      see: '/categories/team_size?entity=funds',
    }),
    multiValued('InvestmentStage', 'closed', 'investment_stages', {
      closed: stages,
      see: '/categories/investment_stage?entity=funds',
    }),
    multiValued('InvestmentType', 'closed', 'investment_types', {
      closed: investorTypes,
      see: '/categories/investor_type?entity=funds',
    }),
    filterOnly(multiValued('Group.Name', 'text', 'groups', inDimension('fund_group', 'funds'))),
    keywords('Keywords', 'keywords'),
    column('OperatingStatus', 'closed', 'operating_status', {
      closed: operatingStatuses,
      see: '/categories/operating_status?entity=funds',
    }),
    column('InvestmentsCount', 'integer', 'investments_count', { sortable: true }),
    column('LastInvestmentDate', 'date', 'last_investment_date', { sortable: true }),
    computed('AverageRoundAmount', 'usd', averageRoundAmount),
    computed('ExitRate', 'number', exitRate),
    computed('LatestInvestments', 'text', latestInvestments),
  ]),
  relations: [
    {
      name: 'Tags',
      description: 'The industry tags, one object each.',
      kind: 'json',
      sql: namedObjects('tags'),
    },
    {
      name: 'InvestmentStages',
      description: 'The stages at which the fund says it invests.',
      kind: 'json',
      sql: closedObjects('investment_stages', stages),
    },
    {
      name: 'InvestmentTypes',
      description: 'What kind of investor the fund is.',
      kind: 'json',
      sql: closedObjects('investment_types', investorTypes),
    },
    {
      name: 'Addresses',
      description: 'The registered addresses: Street, PostalCode, City, Region, Country.',
      kind: 'json',
      sql: addressObjects,
    },
    {
      name: 'Groups',
      description: 'The editorial groups the fund is in.',
      kind: 'json',
      sql: namedObjects('groups'),
    },
    {
      name: 'Startups',
      description: 'The portfolio, with the status of each holding.',
      kind: 'records',
      target: 'startup',
      many: true,
      from: portfolio,
      extra: [['HoldingStatus', 'h.status']],
      orderBy: 't.name COLLATE venture.text_order, t.id',
    },
    {
      name: 'Persons',
      description: 'The team, with their title and since when.',
      kind: 'records',
      target: 'person',
      many: true,
      from: (row) => `FROM venture.fund_person j JOIN venture.person t ON t.id = j.person_id
        WHERE j.fund_id = ${row}.id AND j.deleted_at IS NULL AND t.deleted_at IS NULL`,
      extra: [
        ['Title', 'coalesce(j.title, t.title)'],
        ['Since', 'j.since'],
      ],
      orderBy: 't.name COLLATE venture.text_order, t.id',
    },
  ],
});

import { isListedOfStartup } from '@vcds/venture-model';
import {
  column,
  computed,
  filterOnly,
  inDimension,
  type Member,
  plainValues,
  readOnly,
  recordFields,
  relation,
} from './field.ts';
import { companyRelation, jsonRelation } from './relations.ts';
import { resource } from './resource.ts';

// The subquery sorts, because ORDER BY in an aggregate opens the collation again for every row.
const participants = (row: string) =>
  `SELECT p.investor_id AS "Id", CASE WHEN p.fund_id IS NULL THEN 'person' ELSE 'fund' END AS "Type",
      coalesce(f.name, i.name) AS "Name", f.website AS "Website", p.lead AS "Lead"
    FROM venture.round_investor p
    LEFT JOIN venture.fund f ON f.id = p.fund_id AND f.deleted_at IS NULL
    LEFT JOIN venture.person i ON i.id = p.person_id AND i.deleted_at IS NULL
    WHERE p.round_id = ${row}.id AND p.deleted_at IS NULL AND coalesce(f.id, i.id) IS NOT NULL
    ORDER BY p.lead DESC, coalesce(f.name, i.name) COLLATE venture.text_order, p.investor_id`;

const listedParticipants = (row: string) => `FROM venture.round_investor p
  LEFT JOIN venture.fund f ON f.id = p.fund_id LEFT JOIN venture.person i ON i.id = p.person_id
  WHERE p.round_id = ${row}.id AND p.deleted_at IS NULL
    AND f.deleted_at IS NULL AND i.deleted_at IS NULL`;

const INVESTOR: readonly Member[] = [
  { name: 'Id', type: 'uuid', notNull: true },
  { name: 'Type', type: 'closed', closed: plainValues('fund', 'person'), notNull: true },
  { name: 'Name', type: 'text', notNull: true },
  { name: 'Website', type: 'text' },
  { name: 'Lead', type: 'boolean', notNull: true },
];

const investorNames = (row: string) =>
  `(SELECT coalesce(json_agg(n."Name"), '[]') FROM (${participants(row)}) AS n)`;

/** A funding round, across all startups (docs/spec/resources.md 4.5). */
export const fundingRound = resource({
  name: 'fundingRound',
  scope: 'rounds',
  title: 'Funding round',
  table: 'venture.funding_round',
  recordCall: '/startups/fundingrounds?$filter=Id eq {id}',
  live: isListedOfStartup,
  fields: recordFields([
    column('StartupId', 'uuid', 'startup_id', { notNull: true }),
    filterOnly(column('Startup', 'uuid', 'startup_id')),
    relation('Investor', listedParticipants, 'p.investor_id'),
    relation('LeadInvestor', (row) => `${listedParticipants(row)} AND p.lead`, 'p.investor_id'),
    column('Date', 'date', 'date', { sortable: true }),
    column('Year', 'year', 'year', { sortable: true }),
    column('Series', 'text', 'series', inDimension('round_series', 'rounds')),
    column('Stage', 'closed', 'stage', {
      sortable: true,
      ...inDimension('round_stage', 'rounds'),
    }),
    column('Amount', 'usd', 'amount', { sortable: true }),
    readOnly('OriginalAmount', 'number', 'original_amount'),
    readOnly('OriginalCurrency', 'text', 'original_currency'),
    column('Confirmed', 'boolean', 'confirmed', { notNull: true }),
    computed('InvestorNames', 'text', investorNames, { many: true }),
  ]),
  relations: [
    companyRelation('startup', 'startup_id', 'The company that raised the round.'),
    jsonRelation(
      'Investors',
      'The participants, funds and people, lead investors first.',
      INVESTOR,
      participants,
    ),
  ],
});

import { stages } from '../dimensions/closed-values.ts';
import { answered, computed, filterOnly, recordFields, related, stored } from './field.ts';
import { resource } from './resource.ts';

const participants = (row: string) =>
  `FROM venture.round_investor p
    LEFT JOIN venture.fund f ON f.id = p.fund_id AND f.deleted_at IS NULL
    LEFT JOIN venture.person i ON i.id = p.person_id AND i.deleted_at IS NULL
    WHERE p.round_id = ${row}.id AND p.deleted_at IS NULL AND coalesce(f.id, i.id) IS NOT NULL`;

const investorNames = (row: string) =>
  `(SELECT coalesce(json_agg(coalesce(f.name, i.name)
      ORDER BY p.lead DESC, coalesce(f.name, i.name) COLLATE venture.text_order, p.investor_id), '[]')
    ${participants(row)})`;

const investors = (row: string) =>
  `(SELECT coalesce(json_agg(json_build_object(
      'Id', p.investor_id, 'Type', CASE WHEN p.fund_id IS NULL THEN 'person' ELSE 'fund' END,
      'Name', coalesce(f.name, i.name), 'Website', f.website, 'Lead', p.lead)
      ORDER BY p.lead DESC, coalesce(f.name, i.name) COLLATE venture.text_order, p.investor_id), '[]')
    ${participants(row)})`;

/** A funding round, across all startups (spec §2.1). */
export const fundingRound = resource({
  name: 'fundingRound',
  title: 'Funding round',
  table: 'venture.funding_round',
  fields: recordFields([
    stored('StartupId', 'uuid', 'startup_id'),
    filterOnly(stored('Startup', 'uuid', 'startup_id')),
    related(
      'Investor',
      (row) =>
        `FROM venture.round_investor p WHERE p.round_id = ${row}.id AND p.deleted_at IS NULL`,
      'p.investor_id',
    ),
    stored('Date', 'date', 'date', { sortable: true }),
    stored('Year', 'year', 'year', { sortable: true }),
    stored('Series', 'text', 'series', { see: '/categories/round_series?entity=rounds' }),
    stored('Stage', 'closed', 'stage', {
      sortable: true,
      closed: stages,
      see: '/categories/stage?entity=startups',
    }),
    stored('Amount', 'usd', 'amount', { sortable: true }),
    answered('OriginalAmount', 'number', 'original_amount'),
    answered('OriginalCurrency', 'text', 'original_currency'),
    stored('Confirmed', 'boolean', 'confirmed'),
    computed('InvestorNames', 'text', investorNames),
  ]),
  relations: [
    {
      name: 'Startup',
      description: 'The company that raised the round.',
      kind: 'records',
      target: 'startup',
      many: false,
      from: (row) =>
        `FROM venture.startup t WHERE t.id = ${row}.startup_id AND t.deleted_at IS NULL`,
    },
    {
      name: 'Investors',
      description: 'The participants, funds and people: Id, Type, Name, Website, Lead.',
      kind: 'json',
      sql: investors,
    },
  ],
});

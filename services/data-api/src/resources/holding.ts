import { column, computed, inDimension, type Member, readOnly } from './field.ts';
import { resource } from './resource.ts';

const STARTUP: readonly Member[] = [
  { name: 'Id', type: 'uuid', notNull: true },
  { name: 'Name', type: 'text', notNull: true },
  { name: 'Website', type: 'text' },
];

/** One startup in a fund's portfolio (docs/spec/resources.md 4.9). */
export const holding = resource({
  name: 'holding',
  scope: 'companies',
  title: 'Portfolio company',
  table: `(SELECT h.*, s.name AS startup_name, s.website AS startup_website
    FROM venture.holding h JOIN venture.startup s ON s.id = h.startup_id
    WHERE h.deleted_at IS NULL AND s.deleted_at IS NULL)`,
  live: () => 'true',
  tieBreak: 'startup_id',
  fields: [
    computed(
      'Startup',
      'text',
      (row) => `(SELECT row_to_json(o) FROM (SELECT ${row}.startup_id AS "Id",
        ${row}.startup_name AS "Name", ${row}.startup_website AS "Website") AS o)`,
      { members: STARTUP, notNull: true },
    ),
    column('Status', 'closed', 'status', {
      notNull: true,
      ...inDimension('exit_status', 'startups'),
    }),
    column('FirstInvestmentDate', 'date', 'first_investment_date', { sortable: true }),
    column('LastInvestmentDate', 'date', 'last_investment_date', { sortable: true }),
    column('ExitDate', 'date', 'exit_date', { sortable: true }),
    column('Acquirer', 'text', 'acquirer'),
    readOnly('RoundsCount', 'integer', 'rounds_count', { notNull: true }),
  ],
});

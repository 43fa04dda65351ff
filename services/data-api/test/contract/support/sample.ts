import { column, recordFields } from '../../../src/resources/field.ts';
import { resource } from '../../../src/resources/resource.ts';

/** One sortable field of each type that a resource sorts by. */
export const sample = resource({
  name: 'sample',
  scope: 'companies',
  title: 'Sample',
  table: 'venture.sample',
  live: () => 'true',
  fields: recordFields([
    column('Name', 'text', 'name', { sortable: true }),
    column('Year', 'year', 'year', { sortable: true }),
    column('Members', 'integer', 'members', { sortable: true }),
    column('Amount', 'usd', 'amount', { sortable: true }),
    column('Date', 'date', 'date', { sortable: true }),
    column('Confirmed', 'boolean', 'confirmed', { sortable: true }),
    column('Rounds', 'integer', 'rounds', { sortable: true, notNull: true }),
  ]),
});

import { isListedOfStartup } from '@vcds/venture-model';
import { column, recordFields } from './field.ts';
import { resource } from './resource.ts';

/** A post-money valuation (docs/spec/resources.md 4.6). */
export const postValuation = resource({
  name: 'postValuation',
  scope: 'rounds',
  title: 'Post-valuation',
  table: 'venture.post_valuation',
  live: isListedOfStartup,
  fields: recordFields([
    column('StartupId', 'uuid', 'startup_id'),
    column('FundingRoundId', 'uuid', 'round_id'),
    column('Date', 'date', 'date', { sortable: true }),
    column('Year', 'year', 'year', { sortable: true }),
    column('Amount', 'usd', 'amount', { sortable: true }),
    column('Estimated', 'boolean', 'estimated'),
  ]),
  relations: [
    {
      name: 'Startup',
      description: 'The company valued.',
      kind: 'records',
      target: 'startup',
      many: false,
      from: (row) =>
        `FROM venture.startup t WHERE t.id = ${row}.startup_id AND t.deleted_at IS NULL`,
    },
  ],
});

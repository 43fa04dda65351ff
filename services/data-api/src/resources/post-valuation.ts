import { isListedOfStartup } from '@vcds/venture-model';
import { recordFields, stored } from './field.ts';
import { resource } from './resource.ts';

/** A post-money valuation (docs/spec/resources.md 4.6). */
export const postValuation = resource({
  name: 'postValuation',
  scope: 'rounds',
  title: 'Post-valuation',
  table: 'venture.post_valuation',
  live: isListedOfStartup,
  fields: recordFields([
    stored('StartupId', 'uuid', 'startup_id'),
    stored('FundingRoundId', 'uuid', 'round_id'),
    stored('Date', 'date', 'date', { sortable: true }),
    stored('Year', 'year', 'year', { sortable: true }),
    stored('Amount', 'usd', 'amount', { sortable: true }),
    stored('Estimated', 'boolean', 'estimated'),
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

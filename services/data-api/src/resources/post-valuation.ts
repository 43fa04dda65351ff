import { isListedOfStartup, stages } from '@vcds/venture-model';
import { column, recordFields } from './field.ts';
import { companyRelation } from './relations.ts';
import { resource } from './resource.ts';

/** A post-money valuation (docs/spec/resources.md 4.6). */
export const postValuation = resource({
  name: 'postValuation',
  scope: 'rounds',
  title: 'Post-valuation',
  table: 'venture.post_valuation',
  live: isListedOfStartup,
  fields: recordFields([
    column('StartupId', 'uuid', 'startup_id', { notNull: true }),
    column('FundingRoundId', 'uuid', 'round_id'),
    column('Date', 'date', 'date', { sortable: true }),
    column('Year', 'year', 'year', { sortable: true }),
    column('Amount', 'usd', 'amount', { sortable: true }),
    column('Stage', 'closed', 'round_stage', {
      sortable: true,
      closed: stages,
      see: '/categories/round_stage?entity=rounds',
    }),
    column('RoundAmount', 'usd', 'round_amount', { sortable: true }),
    column('PreviousStage', 'closed', 'previous_stage', {
      sortable: true,
      closed: stages,
      see: '/categories/round_stage?entity=rounds',
    }),
    column('StepUp', 'number', 'step_up', { sortable: true }),
    column('Estimated', 'boolean', 'estimated', { notNull: true }),
  ]),
  relations: [companyRelation('startup', 'startup_id', 'The company valued.')],
});

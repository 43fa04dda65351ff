import { primarySources, stages } from '@vcds/venture-model';
import { recordTable } from './kinds.ts';
import { profileFields } from './profile.ts';

export const startupRecord = recordTable({
  type: 'startup',
  table: 'startup',
  doc: 'A company.',
  fields: {
    ...profileFields,
    TotalRaised: {
      kind: 'money',
      column: 'total_raised_reported',
      original: { amount: 'total_raised_original', currency: 'total_raised_currency' },
      dated: 'occurred_at',
      doc: 'The total that the source states. Default: the sum of confirmed rounds.',
    },
    Currency: {
      kind: 'currency',
      doc: 'Currency of TotalRaised, converted at the rate of occurredAt. Default: USD.',
    },
    NextFundingStage: {
      kind: 'closed',
      closed: stages,
      column: 'next_funding_stage_stated',
      doc: 'The expected next stage. Default: predicted from the rounds.',
    },
    PrimarySource: {
      kind: 'closed',
      closed: primarySources,
      column: 'primary_source',
      doc: 'How the company first reached the database.',
    },
  },
});

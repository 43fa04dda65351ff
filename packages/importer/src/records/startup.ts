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
      doc: 'What the source says was raised in all; without it the sum of confirmed rounds.',
    },
    Currency: {
      kind: 'currency',
      doc: 'Of TotalRaised, converted at the day of occurredAt; USD when left out.',
    },
    NextFundingStage: {
      kind: 'closed',
      closed: stages,
      column: 'next_funding_stage_stated',
      doc: 'The stage expected next; without it the one that usually follows.',
    },
    PrimarySource: {
      kind: 'closed',
      closed: primarySources,
      column: 'primary_source',
      doc: 'How the company first reached the database.',
    },
  },
});

import { recordTable } from './kinds.ts';

export const valuationRecord = recordTable({
  type: 'valuation',
  table: 'post_valuation',
  doc: 'A post-money valuation.',
  fields: {
    Startup: {
      kind: 'ref',
      to: 'startup',
      required: true,
      column: 'startup_id',
      doc: 'The company valued.',
    },
    Round: { kind: 'ref', to: 'round', column: 'round_id', doc: 'The round that set it.' },
    Date: { kind: 'date', column: 'date', doc: 'The day it is of.' },
    Amount: {
      kind: 'money',
      column: 'amount',
      original: { amount: 'original_amount', currency: 'original_currency' },
      dated: 'date',
      doc: 'In Currency; kept as OriginalAmount, and in US dollars at the rate of Date.',
    },
    Currency: { kind: 'currency', doc: 'USD when left out.' },
    Estimated: { kind: 'boolean', column: 'estimated', absent: false, doc: 'False when left out.' },
    SourceUrl: { kind: 'url', max: 2000, column: 'source_url', doc: 'Where the record was read.' },
  },
});

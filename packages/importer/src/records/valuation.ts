import { AMOUNT_FIELDS, recordTable } from './kinds.ts';

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
    Round: { kind: 'ref', to: 'round', column: 'round_id', doc: 'The round of the valuation.' },
    Date: { kind: 'date', column: 'date', doc: 'The date of the valuation.' },
    ...AMOUNT_FIELDS,
    Estimated: { kind: 'boolean', column: 'estimated', absent: false, doc: 'Default: false.' },
    SourceUrl: { kind: 'url', max: 2000, column: 'source_url', doc: 'Where the record was read.' },
  },
});

import { stages } from '@vcds/venture-model';
import { AMOUNT_FIELDS, recordTable } from './kinds.ts';

export const roundRecord = recordTable({
  type: 'round',
  table: 'funding_round',
  doc: 'A funding round.',
  fields: {
    Startup: {
      kind: 'ref',
      to: 'startup',
      required: true,
      column: 'startup_id',
      doc: 'The company that raised it.',
    },
    Date: { kind: 'date', column: 'date', doc: 'The day it was announced.' },
    Series: {
      kind: 'series',
      max: 200,
      column: 'series',
      doc: 'The series as the source writes it.',
    },
    Stage: {
      kind: 'closed',
      closed: stages,
      column: 'stage_stated',
      doc: 'Default: the stage that Series names.',
    },
    ...AMOUNT_FIELDS,
    Confirmed: { kind: 'boolean', column: 'confirmed', absent: true, doc: 'Default: true.' },
    Investors: {
      kind: 'investors',
      doc: 'The participants that this line states. Lines of type investor add others.',
    },
    SourceUrl: { kind: 'url', max: 2000, column: 'source_url', doc: 'Where the record was read.' },
  },
});

import { namedValues, recordTable } from './kinds.ts';

export const referenceRecord = recordTable({
  type: 'reference',
  table: 'reference',
  doc: 'The source of one fact about a company.',
  fields: {
    Startup: {
      kind: 'ref',
      to: 'startup',
      required: true,
      column: 'startup_id',
      doc: 'The company.',
    },
    Field: {
      kind: 'text',
      required: true,
      max: 200,
      column: 'field',
      doc: 'The field with the fact.',
    },
    Source: {
      kind: 'text',
      required: true,
      max: 500,
      column: 'fact_source',
      doc: 'The source in words.',
    },
    Url: { kind: 'url', max: 2000, column: 'url', doc: 'The page that states the fact.' },
    RetrievedAt: {
      kind: 'instant',
      column: 'retrieved_at',
      doc: 'The time at which the page was read.',
    },
    Confidence: {
      kind: 'closed',
      closed: namedValues('confirmed', 'estimated'),
      column: 'confidence',
      absent: 'confirmed',
      doc: 'confirmed (default) or estimated.',
    },
  },
});

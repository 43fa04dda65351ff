import { recordTable } from './kinds.ts';

const confidences = (['confirmed', 'estimated'] as const).map((name) => ({
  value: name,
  name,
  slug: name,
  label: name,
}));

export const referenceRecord = recordTable({
  type: 'reference',
  table: 'reference',
  doc: 'Where one fact about a company comes from.',
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
      doc: 'The field in question.',
    },
    Source: {
      kind: 'text',
      required: true,
      max: 500,
      column: 'fact_source',
      doc: 'Who says so, in words.',
    },
    Url: { kind: 'url', max: 2000, column: 'url', doc: 'Where it is said.' },
    RetrievedAt: { kind: 'instant', column: 'retrieved_at', doc: 'When it was read there.' },
    Confidence: {
      kind: 'closed',
      closed: confidences,
      column: 'confidence',
      absent: 'confirmed',
      doc: 'confirmed (when left out) or estimated.',
    },
  },
});

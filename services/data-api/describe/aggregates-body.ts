/** The schema of the body of aggregates. */
import { arrayOf, object, type SchemaObject, TEXT } from '@vcds/openapi';
import { DIMENSION_IDS } from '@vcds/venture-model';
import { AGGREGATE_ENTITY_IDS } from '../src/aggregates/entities.ts';
import { enumOf, text } from './schema-parts.ts';

const COUNT: SchemaObject = { type: 'integer', minimum: 0 };
const NARROWED_BY = {
  type: 'object',
  description: 'The labels of the narrowing values, by dimension.',
  properties: Object.fromEntries(DIMENSION_IDS.map((id) => [id, arrayOf(TEXT)])),
  additionalProperties: false,
} as const satisfies SchemaObject;

const INVESTOR: SchemaObject = {
  ...object({ Id: text('Of the fund.'), Name: text('Of the fund.') }),
  nullable: true,
};

const GROUP: SchemaObject = {
  type: 'object',
  description: 'The value of each key, a label or null, and each measure, by their names.',
  properties: {
    investor: { ...INVESTOR, description: 'A fund that has invested, as a key.' },
    lead_investor: { ...INVESTOR, description: 'A fund that has led, as a key.' },
    known: {
      type: 'object',
      description: 'By field of a measure, how many of the records have it.',
      additionalProperties: COUNT,
    },
  },
  required: ['known'],
  additionalProperties: { oneOf: [{ type: 'string', nullable: true }, { type: 'number' }] },
};

/** Of an answer that is an object (docs/spec/query-language.md 5.5). */
export const HINTS = arrayOf(TEXT, {
  description: 'Sentences about values of the filter that occur nowhere. Absent without one.',
});

export const AGGREGATES = object(
  {
    entity: enumOf(AGGREGATE_ENTITY_IDS),
    measures: arrayOf(TEXT, { description: 'The names of the numbers of each group.' }),
    by: arrayOf(TEXT, { description: 'The names of the keys.' }),
    narrowedBy: NARROWED_BY,
    rows: arrayOf(GROUP, { description: 'The groups, in order.' }),
    total: { ...GROUP, description: 'The numbers of all records together, each once.' },
    groups: { ...COUNT, description: 'The number of groups.' },
    more: { type: 'boolean', description: 'Whether more groups follow.' },
    asOf: object(
      {
        position: text('The batch of changes that the numbers include.'),
        at: { type: 'string', format: 'date-time', description: 'When they were current.' },
      },
      { description: 'The age of the data: at most two seconds.' },
    ),
    hints: HINTS,
  },
  { description: 'Figures of groups of records.', optional: ['hints'] },
);

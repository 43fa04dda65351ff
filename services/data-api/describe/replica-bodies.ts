/** The schemas of a copy of the data. */
import { arrayOf, INSTANT, nullable, object, TEXT, UUID } from '@vcds/openapi';
import { CHANGE_COLLECTIONS, OPS } from '../src/replica/collections.ts';
import { enumOf, text } from './schema-parts.ts';

const COLLECTION = enumOf(CHANGE_COLLECTIONS.map(({ name }) => name));

export const CHANGE = object(
  {
    id: { ...UUID, description: 'Identifies the entry.' },
    collection: COLLECTION,
    recordId: text('The `Id` of the record; of a holding `FUND/STARTUP`.'),
    op: enumOf(
      Object.keys(OPS),
      'upsert and split: write the record. delete and merge: remove it.',
    ),
    revision: {
      type: 'integer',
      minimum: 1,
      description: 'Increases with each change of a stated fact of the record.',
    },
    detectedAt: {
      ...INSTANT,
      description: 'When the change was published, in microseconds. The order of the feed.',
    },
    fields: nullable(
      arrayOf(TEXT, { description: 'The fields that changed; null if all are new.' }),
    ),
    into: { ...UUID, description: 'Of a merge and a split, the other record.' },
    record: nullable({
      type: 'object',
      description:
        'With `include=record`: the record as its collection answers it now; null if it is not there.',
    }),
  },
  { description: 'A change of a record.', optional: ['into', 'record'] },
);

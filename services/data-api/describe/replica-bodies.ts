/** The schemas of a copy of the data. */
import { arrayOf, INSTANT, nullable, object, TEXT, URI, UUID } from '@vcds/openapi';
import { CHANGE_COLLECTIONS, OPS } from '../src/replica/collections.ts';
import { SNAPSHOT_FORMATS } from '../src/replica/manifest.ts';
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

const NUMBER = { type: 'integer', minimum: 0 } as const;

export const SNAPSHOT_LIST = object(
  {
    snapshots: arrayOf(
      object({
        id: text('The time of its records, as `20261128T010000Z`.'),
        createdAt: INSTANT,
        schemaVersion: text('Another version has other fields.'),
        cursor: text('The `cursor` with which `/changes` continues after the snapshot.'),
        collections: arrayOf(
          object({
            name: COLLECTION,
            rows: NUMBER,
            files: arrayOf(
              object({
                name: TEXT,
                url: URI,
                format: enumOf(SNAPSHOT_FORMATS),
                rows: NUMBER,
                bytes: NUMBER,
                sha256: text('Of the bytes of the file, hexadecimal.'),
              }),
            ),
          }),
        ),
      }),
    ),
  },
  { description: 'The snapshots, newest first.' },
);

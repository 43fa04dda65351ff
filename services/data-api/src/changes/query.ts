/** The parameters of the feed of changes (docs/spec/replica.md 23.2). */
import { echo, nearest, withHint } from '@vcds/odata-query';
import { ApiError } from '@vcds/service-kit/api-errors';
import { CHANGE_COLLECTIONS, type ChangeCollection } from '../replica/collections.ts';
import type { ParameterReader } from '../serve/request/parameter-reader.ts';
import type { IntegerParameter, Parameter, TextParameter } from '../serve/request/parameters.ts';
import {
  CURSOR_TEXT,
  LIST,
  momentParameter,
  parseList,
  parseMoment,
  SHORT_LENGTH_MAX,
} from '../signals/feed-parameters.ts';

const NAMES = CHANGE_COLLECTIONS.map(({ name }) => name);
const RECORD = 'record';

const COLLECTIONS: TextParameter = {
  ...LIST,
  name: 'collections',
  values: NAMES,
  description: 'The collections whose changes to return; all by default.',
  example: ['startups', 'fundingrounds'],
};
const SINCE = momentParameter('since', 'Only changes whose `detectedAt` is at or after it.');
export const CHANGES_CURSOR: TextParameter = {
  ...CURSOR_TEXT,
  description:
    'The `nextCursor` of a page, or the `cursor` of a snapshot: the changes after it. It never expires.',
};
const INCLUDE: TextParameter = {
  kind: 'choice',
  name: 'include',
  lengthMax: SHORT_LENGTH_MAX,
  values: [RECORD],
  description:
    'Add each record as its collection answers it now, at the price of the collection; null if it is not there any more.',
};
const LIMIT: IntegerParameter = {
  kind: 'integer',
  name: 'limit',
  ...{ min: 1, max: 1_000, default: 200 },
  description: 'The page size.',
};
export const CHANGES_PARAMETERS: readonly Parameter[] = [
  ...[COLLECTIONS, CHANGES_CURSOR, SINCE, LIMIT, INCLUDE],
];

export interface ChangesQuery {
  /** Without duplicates. */
  readonly collections: readonly ChangeCollection[];
  readonly sinceUs: bigint | undefined;
  readonly cursor: string | undefined;
  readonly limit: number;
  readonly includesRecords: boolean;
}

/**
 * @param today `YYYY-MM-DD`, for suggestions.
 * @throws ApiError `bad_parameter`, `bad_date`, `bad_cursor`.
 */
export function parseChangesQuery(reader: ParameterReader, today: string): ChangesQuery {
  return {
    collections: parseList(reader, COLLECTIONS)?.map(collectionNamed) ?? CHANGE_COLLECTIONS,
    sinceUs: parseMoment(reader, SINCE, today),
    cursor: reader.text(CHANGES_CURSOR, 'bad_cursor'),
    limit: reader.integer(LIMIT),
    includesRecords: includesRecords(reader),
  };
}

function collectionNamed(name: string): ChangeCollection {
  const found = CHANGE_COLLECTIONS.find((each) => each.name === name);
  if (found !== undefined) return found;
  const suggestion = nearest(name, NAMES);
  throw new ApiError(
    'bad_parameter',
    withHint(`There is no collection '${echo(name)}' in the feed of changes.`, suggestion),
    { parameter: COLLECTIONS.name, value: name, allowed: NAMES, suggestion },
  );
}

function includesRecords(reader: ParameterReader): boolean {
  const text = reader.text(INCLUDE);
  if (text === undefined || text === RECORD) return text === RECORD;
  throw new ApiError('bad_parameter', `Parameter include must be ${RECORD}, or absent.`, {
    parameter: INCLUDE.name,
    value: text,
    allowed: [RECORD],
    suggestion: RECORD,
  });
}

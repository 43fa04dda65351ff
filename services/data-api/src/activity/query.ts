/** The parameters of the activity feed (docs/spec/activity.md 21.4), parsed but not resolved. */
import { TOP } from '../collections/query.ts';
import { NARROWING_PARAMETERS, parseNarrowing, type WrittenNarrowing } from '../narrowing/query.ts';
import type { PageCeiling, ParameterReader } from '../request/parameter-reader.ts';
import type { IntegerParameter, Parameter, TextParameter } from '../request/parameters.ts';
import {
  CURSOR_TEXT,
  LIST,
  momentParameter,
  parseList,
  parseSubjects,
  parseTimeRange,
  SUBJECT_LIST,
  type TimeRange,
} from '../signals/feed-parameters.ts';
import { ACTIVITY_TYPES } from './activity-types.ts';

const TYPES: TextParameter = {
  ...LIST,
  name: 'types',
  values: ACTIVITY_TYPES.map(({ name }) => name),
  description: 'The types of entry; all by default.',
  example: ['round.recorded'],
};
const SUBJECT: TextParameter = {
  ...SUBJECT_LIST,
  description:
    'Only entries about these startups or funds. A fund also has the rounds in which it invested, ' +
    'and a startup the holdings of funds.',
};
const SINCE = momentParameter('since', 'Only entries whose `Date` is at or after it.');
const UNTIL = momentParameter('until', 'Only entries whose `Date` is before it.');
const SKIP: IntegerParameter = {
  kind: 'integer',
  name: '$skip',
  ...{ min: 0, max: 10_000, default: 0, example: 25 },
  description: 'The number of entries to skip. Follow the `Link` header to page further.',
};
const CURSOR: TextParameter = {
  ...CURSOR_TEXT,
  description: 'The position after which the page starts; part of the `Link` to the next page.',
};
export const ACTIVITY_PARAMETERS: readonly Parameter[] = [
  ...[TYPES, SUBJECT, SINCE, UNTIL, TOP, SKIP, CURSOR],
  ...NARROWING_PARAMETERS,
];

export interface ActivityQuery {
  readonly types: readonly string[] | undefined;
  /** Ids of startups and funds, without duplicates. */
  readonly subjects: readonly string[] | undefined;
  readonly range: TimeRange;
  readonly top: number;
  readonly skip: number;
  readonly cursor: string | undefined;
  readonly narrowing: readonly WrittenNarrowing[];
}

/**
 * @param today `YYYY-MM-DD`, for suggestions.
 * @throws ApiError `bad_parameter`, `bad_date`, `bad_cursor`.
 */
export function parseActivityQuery(
  reader: ParameterReader,
  today: string,
  ceiling: PageCeiling,
): ActivityQuery {
  return {
    types: parseList(reader, TYPES),
    subjects: parseSubjects(reader, SUBJECT),
    range: parseTimeRange(reader, SINCE, UNTIL, today),
    top: reader.integer(TOP, ceiling),
    skip: reader.integer(SKIP),
    cursor: reader.text(CURSOR, 'bad_cursor'),
    narrowing: parseNarrowing(reader),
  };
}

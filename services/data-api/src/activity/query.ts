/** The parameters of the activity feed (docs/spec/activity.md 21.4), parsed but not resolved. */
import { TOP } from '../collections/query.ts';
import { NARROWING_PARAMETERS, parseNarrowing, type WrittenNarrowing } from '../narrowing/query.ts';
import {
  badParameter,
  type PageCeiling,
  type ParameterReader,
} from '../serve/request/parameter-reader.ts';
import type { IntegerParameter, Parameter, TextParameter } from '../serve/request/parameters.ts';
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
import { SIGNAL_TYPES } from '../signals/signal-types.ts';

const TYPES: TextParameter = {
  ...LIST,
  name: 'types',
  values: SIGNAL_TYPES.map(({ name }) => name),
  description:
    'The types of entry; all by default. Changes of profiles and exits occur only if their source ' +
    'dated them.',
  example: ['round.recorded'],
};
const SUBJECT: TextParameter = {
  ...SUBJECT_LIST,
  description:
    'Only entries with these startups or funds as `Subject`. The subject of new holdings, exits and ' +
    'joined rounds is the fund.',
};
const SINCE = momentParameter('since', 'Only entries whose market date is at or after it.');
const UNTIL = momentParameter('until', 'Only entries whose market date is before it.');
/** The names that the change feed has for the same bounds. */
const OCCURRED_SINCE = momentParameter('occurredSince', 'The same as `since`.');
const OCCURRED_UNTIL = momentParameter('occurredUntil', 'The same as `until`.');
const SKIP: IntegerParameter = {
  kind: 'integer',
  name: '$skip',
  ...{ min: 0, max: 10_000, default: 0, example: 25 },
  description: 'The number of entries to skip. Follow the `Link` header to page further.',
};
export const CURSOR: TextParameter = {
  ...CURSOR_TEXT,
  description: 'The position after which the page starts; part of the `Link` to the next page.',
};
export const ACTIVITY_PARAMETERS: readonly Parameter[] = [
  ...[TYPES, SUBJECT, SINCE, UNTIL, OCCURRED_SINCE, OCCURRED_UNTIL, TOP, SKIP, CURSOR],
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
    range: parseTimeRange(
      reader,
      oneOf(reader, SINCE, OCCURRED_SINCE),
      oneOf(reader, UNTIL, OCCURRED_UNTIL),
      today,
    ),
    top: reader.integer(TOP, ceiling),
    skip: reader.integer(SKIP),
    cursor: reader.text(CURSOR, 'bad_cursor'),
    narrowing: parseNarrowing(reader),
  };
}

function oneOf(reader: ParameterReader, row: TextParameter, same: TextParameter): TextParameter {
  if (!reader.has(same.name)) return row;
  if (!reader.has(row.name)) return same;
  const message = `Parameters ${row.name} and ${same.name} are the same bound. Send one of them.`;
  throw badParameter(same.name, reader.text(same, 'bad_date') ?? '', message);
}

/** The parameters of the change feed (docs/spec/signals.md 9.2), parsed but not resolved. */
import { withHint } from '@vcds/odata-query';
import { ApiError } from '@vcds/service-kit/api-errors';
import { NARROWING_PARAMETERS, parseNarrowing, type WrittenNarrowing } from '../narrowing/query.ts';
import { readDollars } from '../serve/request/dollars.ts';
import type { ParameterReader } from '../serve/request/parameter-reader.ts';
import type { IntegerParameter, Parameter, TextParameter } from '../serve/request/parameters.ts';
import {
  CURSOR_TEXT,
  LIST,
  momentParameter,
  parseList,
  parseSubjects,
  parseTimeRange,
  SHORT_LENGTH_MAX,
  SUBJECT_LIST,
  type TimeRange,
} from './feed-parameters.ts';
import { SIGNAL_TYPES } from './signal-types.ts';

const ORDERS = ['asc', 'desc'] as const;
export const SIGNAL_EXPANDS = ['subject', 'object'] as const;
export type SignalExpand = (typeof SIGNAL_EXPANDS)[number];

const TYPES: TextParameter = {
  ...LIST,
  name: 'types',
  values: SIGNAL_TYPES.map(({ name }) => name),
  description: 'The types of signal; all by default. Fewer types cost least.',
  example: ['round.recorded'],
};
const SUBJECT: TextParameter = {
  ...SUBJECT_LIST,
  description:
    'Only signals with these startups or funds as `subject`. The subject of new holdings, exits and ' +
    'joined rounds is the fund.',
};
const EXPANDS: TextParameter = {
  ...LIST,
  name: 'expand',
  values: SIGNAL_EXPANDS,
  description: 'Add the names of subjects or objects; each adds 25 % to the price of a signal.',
};
const SINCE = momentParameter('since', 'Only signals whose `detectedAt` is at or after it.');
const UNTIL = momentParameter('until', 'Only signals whose `detectedAt` is before it.');
const OCCURRED_SINCE = momentParameter(
  'occurredSince',
  'Only signals whose `occurredAt` is at or after it.',
);
const OCCURRED_UNTIL = momentParameter(
  'occurredUntil',
  'Only signals whose `occurredAt` is before it.',
);
const MIN_AMOUNT: TextParameter = {
  kind: 'dollars',
  name: 'minAmount',
  lengthMax: SHORT_LENGTH_MAX,
  description:
    'Only signals of at least this amount in whole US dollars. Excludes types without an amount.',
  example: 1_000_000,
};
export const SIGNALS_CURSOR: TextParameter = {
  ...CURSOR_TEXT,
  description: 'The `nextCursor` of a page: the page after it. It never expires.',
};
const ORDER: TextParameter = {
  kind: 'choice',
  name: 'order',
  lengthMax: SHORT_LENGTH_MAX,
  values: ORDERS,
  default: 'desc',
  description: 'By `detectedAt`. `asc` follows the feed forward.',
};
/** See docs/spec/limits.md 12.2. */
export const SIGNALS_LIMIT: IntegerParameter = {
  kind: 'integer',
  name: 'limit',
  ...{ min: 1, max: 200, default: 50 },
  description: 'The page size.',
};
export const SIGNALS_PARAMETERS: readonly Parameter[] = [
  ...[TYPES, SINCE, UNTIL, OCCURRED_SINCE, OCCURRED_UNTIL, SUBJECT, MIN_AMOUNT],
  ...[SIGNALS_CURSOR, ORDER, SIGNALS_LIMIT, EXPANDS],
  ...NARROWING_PARAMETERS,
];

export interface SignalsQuery {
  readonly types: readonly string[] | undefined;
  readonly detected: TimeRange;
  readonly occurred: TimeRange;
  /** Ids of startups and funds, without duplicates. */
  readonly subjects: readonly string[] | undefined;
  readonly minAmount: bigint | undefined;
  readonly cursor: string | undefined;
  readonly order: (typeof ORDERS)[number];
  readonly limit: number;
  readonly expands: readonly SignalExpand[];
  readonly narrowing: readonly WrittenNarrowing[];
}

/**
 * @param today `YYYY-MM-DD`, for suggestions.
 * @throws ApiError `bad_parameter`, `bad_date`, `bad_cursor`.
 */
export function parseSignalsQuery(reader: ParameterReader, today: string): SignalsQuery {
  return {
    types: parseList(reader, TYPES),
    detected: parseTimeRange(reader, SINCE, UNTIL, today),
    occurred: parseTimeRange(reader, OCCURRED_SINCE, OCCURRED_UNTIL, today),
    subjects: parseSubjects(reader, SUBJECT),
    minAmount: readDollars(reader, MIN_AMOUNT),
    cursor: reader.text(SIGNALS_CURSOR, 'bad_cursor'),
    order: order(reader),
    limit: reader.integer(SIGNALS_LIMIT),
    expands: [...new Set(parseList(reader, EXPANDS)?.map(expand))],
    narrowing: parseNarrowing(reader),
  };
}

function order(reader: ParameterReader): SignalsQuery['order'] {
  const text = reader.text(ORDER) ?? 'desc';
  const found = ORDERS.find((each) => each === text);
  if (found !== undefined) return found;
  const suggestion = ORDERS.find((each) => text.toLowerCase().startsWith(each));
  const message = withHint('Parameter order must be asc or desc.', suggestion);
  throw new ApiError('bad_parameter', message, {
    parameter: 'order',
    value: text,
    allowed: ORDERS,
    suggestion,
  });
}

function expand(text: string): SignalExpand {
  const found = SIGNAL_EXPANDS.find((each) => each === text);
  if (found !== undefined) return found;
  throw new ApiError('bad_parameter', 'Parameter expand must be subject, object, or both.', {
    parameter: 'expand',
    value: text,
    allowed: SIGNAL_EXPANDS,
  });
}

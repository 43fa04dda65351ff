/** The parameters of the change feed (docs/spec/signals.md 9.2), parsed but not resolved. */
import {
  BOUNDS,
  echo,
  type FieldSpec,
  isUuidForm,
  toUtc,
  valueMeant,
  withHint,
} from '@vcds/odata-query';
import { ApiError } from '@vcds/service-kit/api-errors';
import { NARROWING_PARAMETERS, parseNarrowing, type WrittenNarrowing } from '../narrowing/query.ts';
import { readDollars } from '../request/dollars.ts';
import type { ParameterReader } from '../request/parameter-reader.ts';
import type { IntegerParameter, Parameter, TextParameter } from '../request/parameters.ts';
import { parseValueList } from '../request/value-list.ts';
import { SIGNAL_TYPES } from './signal-types.ts';

const LIST_LENGTH_MAX = 32_000;
const SHORT_LENGTH_MAX = 200;
const ORDERS = ['asc', 'desc'] as const;
export const SIGNAL_EXPANDS = ['subject', 'object'] as const;
export type SignalExpand = (typeof SIGNAL_EXPANDS)[number];

/** A list of values. */
const LIST = { kind: 'list', lengthMax: LIST_LENGTH_MAX, itemsMax: BOUNDS.listValues } as const;
const TYPES: TextParameter = {
  ...LIST,
  name: 'types',
  values: SIGNAL_TYPES.map(({ name }) => name),
  description: 'The types of signal; all by default. Fewer types cost least.',
  example: ['round.recorded'],
};
const SUBJECT: TextParameter = {
  ...LIST,
  name: 'subject',
  isOfIds: true,
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
const bound = (name: string, description: string): TextParameter => ({
  kind: 'moment',
  name,
  lengthMax: SHORT_LENGTH_MAX,
  description: `${description} A date or an instant, in UTC unless it has a zone.`,
});
const SINCE = bound('since', 'Only signals whose `detectedAt` is at or after it.');
const UNTIL = bound('until', 'Only signals whose `detectedAt` is before it.');
const OCCURRED_SINCE = bound('occurredSince', 'Only signals whose `occurredAt` is at or after it.');
const OCCURRED_UNTIL = bound('occurredUntil', 'Only signals whose `occurredAt` is before it.');
const MIN_AMOUNT: TextParameter = {
  kind: 'dollars',
  name: 'minAmount',
  lengthMax: SHORT_LENGTH_MAX,
  description:
    'Only signals of at least this amount in whole US dollars. Excludes types without an amount.',
  example: 1_000_000,
};
const CURSOR: TextParameter = {
  kind: 'text',
  name: 'cursor',
  lengthMax: LIST_LENGTH_MAX,
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
  ...[CURSOR, ORDER, SIGNALS_LIMIT, EXPANDS],
  ...NARROWING_PARAMETERS,
];

/** The type of field for which suggestions for dates are computed. */
const DATE_VALUE: FieldSpec = { name: '', type: 'date', filterable: true, sortable: false };
/** Microseconds in a millisecond. */
const US = 1_000n;

/** From the first, inclusive, to the second, exclusive; microseconds since 1970. */
export interface TimeRange {
  readonly sinceUs: bigint | undefined;
  readonly untilUs: bigint | undefined;
}

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
    types: list(reader, TYPES),
    detected: timeRange(reader, SINCE, UNTIL, today),
    occurred: timeRange(reader, OCCURRED_SINCE, OCCURRED_UNTIL, today),
    subjects: list(reader, SUBJECT)?.map(subjectId),
    minAmount: readDollars(reader, MIN_AMOUNT),
    cursor: reader.text(CURSOR, 'bad_cursor'),
    order: order(reader),
    limit: reader.integer(SIGNALS_LIMIT),
    expands: [...new Set(list(reader, EXPANDS)?.map(expand))],
    narrowing: parseNarrowing(reader),
  };
}

function list(reader: ParameterReader, row: TextParameter): readonly string[] | undefined {
  const text = reader.text(row);
  return text === undefined ? undefined : [...new Set(parseValueList(row.name, text))];
}

function subjectId(text: string): string {
  if (isUuidForm(text)) return text.toLowerCase();
  throw new ApiError(
    'bad_parameter',
    `'${echo(text)}' is not an id: subject requires ids of startups and funds, comma separated.`,
    { parameter: 'subject', value: text, see: '/companies/search?q={value}' },
  );
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

function timeRange(
  reader: ParameterReader,
  since: TextParameter,
  until: TextParameter,
  today: string,
): TimeRange {
  const sinceUs = moment(reader, since, today);
  const untilUs = moment(reader, until, today);
  if (sinceUs !== undefined && untilUs !== undefined && sinceUs > untilUs) {
    throw new ApiError('bad_date', `${since.name} must not be later than ${until.name}.`, {
      parameter: since.name,
      value: reader.text(since),
    });
  }
  return { sinceUs, untilUs };
}

// Without a zone it is UTC; a date is its midnight (docs/spec/signals.md 9.2).
function moment(reader: ParameterReader, row: TextParameter, today: string): bigint | undefined {
  const { name } = row;
  const text = reader.text(row, 'bad_date');
  if (text === undefined) return undefined;
  const utc = toUtc(text);
  if (utc !== undefined) return microseconds(utc);
  const message =
    `Parameter ${name} must be a valid date or instant, as YYYY-MM-DD or ` +
    'YYYY-MM-DDTHH:MM:SSZ, with at most six decimals; write the + of an offset as %2B.';
  const suggestion = valueMeant(text, DATE_VALUE, today);
  throw new ApiError('bad_date', withHint(message, suggestion), {
    parameter: name,
    value: text,
    suggestion,
  });
}

function microseconds(utc: string): bigint {
  const [second = '', fraction = ''] = utc.slice(0, -1).split('.');
  return BigInt(Date.parse(`${second}Z`)) * US + BigInt(fraction.padEnd(6, '0'));
}

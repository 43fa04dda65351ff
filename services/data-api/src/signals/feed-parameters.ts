/** The parameters that the change feed and the activity feed share, and how they are parsed. */
import {
  BOUNDS,
  cutInstant,
  echo,
  type FieldSpec,
  isUuidForm,
  valueMeant,
  withHint,
} from '@vcds/odata-query';
import { ApiError } from '@vcds/service-kit/api-errors';
import type { ParameterReader } from '../serve/request/parameter-reader.ts';
import type { TextParameter } from '../serve/request/parameters.ts';
import { parseValueList } from '../serve/request/value-list.ts';

const LIST_LENGTH_MAX = 32_000;
export const SHORT_LENGTH_MAX = 200;

/** A list of values. */
export const LIST = {
  kind: 'list',
  lengthMax: LIST_LENGTH_MAX,
  itemsMax: BOUNDS.listValues,
} as const;

/** `subject`, without its description. */
export const SUBJECT_LIST = { ...LIST, name: 'subject', isOfIds: true } as const;

/** `cursor`, without its description. */
export const CURSOR_TEXT = { kind: 'text', name: 'cursor', lengthMax: LIST_LENGTH_MAX } as const;

/** A bound of a time range. */
export const momentParameter = (name: string, description: string): TextParameter => ({
  kind: 'moment',
  name,
  lengthMax: SHORT_LENGTH_MAX,
  description: `${description} A date or an instant, in UTC unless it has a zone.`,
});

/** The field for which suggestions for dates are computed. */
const DATE_VALUE: FieldSpec = { name: '', type: 'date', filterable: true, sortable: false };
/** Microseconds in a millisecond, a second and a day. */
const US = 1_000n;
const SECOND_US = 1_000n * US;
const DAY_US = 86_400n * SECOND_US;

/** From the first, inclusive, to the second, exclusive; microseconds since 1970. */
export interface TimeRange {
  readonly sinceUs: bigint | undefined;
  readonly untilUs: bigint | undefined;
}

/**
 * The values of a list, without duplicates; undefined if absent.
 *
 * @throws ApiError `bad_parameter`.
 */
export function parseList(
  reader: ParameterReader,
  row: TextParameter,
): readonly string[] | undefined {
  const text = reader.text(row);
  return text === undefined ? undefined : [...new Set(parseValueList(row.name, text))];
}

/**
 * Ids of startups and funds, in lower case; undefined if absent.
 *
 * @throws ApiError `bad_parameter`.
 */
export function parseSubjects(
  reader: ParameterReader,
  row: TextParameter,
): readonly string[] | undefined {
  return parseList(reader, row)?.map(subjectId);
}

function subjectId(text: string): string {
  if (isUuidForm(text)) return text.toLowerCase();
  throw new ApiError(
    'bad_parameter',
    `'${echo(text)}' is not an id: subject requires ids of startups and funds, comma separated.`,
    { parameter: 'subject', value: text, see: '/companies/search?q={value}' },
  );
}

/**
 * @param today `YYYY-MM-DD`, for suggestions.
 * @throws ApiError `bad_date` for an invalid bound, or unless the first is earlier than the second.
 */
export function parseTimeRange(
  reader: ParameterReader,
  since: TextParameter,
  until: TextParameter,
  today: string,
): TimeRange {
  const sinceUs = parseMoment(reader, since, today);
  const untilUs = parseMoment(reader, until, today);
  if (sinceUs !== undefined && untilUs !== undefined && sinceUs > untilUs) {
    throw new ApiError('bad_date', `${since.name} must not be later than ${until.name}.`, {
      parameter: since.name,
      value: reader.text(since),
    });
  }
  if (untilUs !== undefined && sinceUs === untilUs) throw emptyRange(reader, since, until, untilUs);
  return { sinceUs, untilUs };
}

// The second bound is exclusive: it would be an answer without a signal, for a credit.
function emptyRange(
  reader: ParameterReader,
  since: TextParameter,
  until: TextParameter,
  us: bigint,
): ApiError {
  const isDay = us % DAY_US === 0n;
  const next = isDay ? instantText(us + DAY_US).slice(0, 10) : instantText(us + SECOND_US);
  const message =
    `${since.name} and ${until.name} are the same instant, and ${until.name} is exclusive: nothing ` +
    `is between them. For one ${isDay ? 'day' : 'second'} send ${until.name}=${next}.`;
  return new ApiError('bad_date', message, {
    parameter: until.name,
    value: reader.text(until),
    suggestion: next,
  });
}

function instantText(us: bigint): string {
  return new Date(Number(us / US)).toISOString();
}

/**
 * Microseconds since 1970. Without a zone it is UTC; a date is its midnight (docs/spec/signals.md 9.2).
 *
 * @throws ApiError `bad_date`.
 */
export function parseMoment(
  reader: ParameterReader,
  row: TextParameter,
  today: string,
): bigint | undefined {
  const { name } = row;
  const text = reader.text(row, 'bad_date');
  if (text === undefined) return undefined;
  const instant = cutInstant(text);
  // Signals are in whole microseconds: both bounds are the next one.
  if (instant !== undefined) return microseconds(instant.utc) + (instant.isCut ? 1n : 0n);
  const message =
    `Parameter ${name} must be a valid date or instant, as YYYY-MM-DD or ` +
    'YYYY-MM-DDTHH:MM:SSZ, with at most 12 decimals; write the + of an offset as %2B.';
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

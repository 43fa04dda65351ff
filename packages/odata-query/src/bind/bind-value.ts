import type { Literal } from '../ast.ts';
import { BOUNDS } from '../bounds.ts';
import { echo } from '../echo.ts';
import { type ClosedValue, closedValueOf, type FieldSpec, type ValueType } from '../field-spec.ts';
import { keywordNamed } from '../keyword.ts';
import { isDateForm, isInstantForm, isNumberForm, isUuidForm } from '../lexer/bare-literal.ts';
import { printLiteral } from '../print.ts';
import { QueryError, type QueryErrorDetails } from '../query-error.ts';
import { isDay, toUtcBetween, withLostPlus } from '../utc.ts';
import type { BoundValue } from './bound-filter.ts';

/** Reads a literal that is not null as a value of the field's type, or throws QueryError. */
type ValueReader = (value: Literal, field: FieldSpec) => BoundValue;

const READERS: Readonly<Record<ValueType, ValueReader>> = {
  uuid: readUuid,
  text: (value, field) => {
    const text = readText(value, field);
    const stored = field.canonical?.(text) ?? text;
    if (typeof stored === 'string') return stored;
    throw wrongValue(field, value, `${field.name} '${echo(text)}' ${stored.fault}.`);
  },
  year: (value, field) => readWithin(value, field, YEAR),
  integer: (value, field) => readWithin(value, field, INTEGER),
  usd: (value, field) => readWithin(value, field, USD),
  number: readNumber,
  date: readDate,
  instant: readInstant,
  boolean: readBoolean,
  closed: readClosed,
  keywords: readKeywords,
};

/**
 * The value of a literal for a field. Any value may stand in quotes, the field's type decides how
 * it is read; text and the names of closed values must.
 */
export function bindValue(value: Literal, field: FieldSpec): BoundValue {
  return READERS[field.type](value, field);
}

/** Half of a surrogate pair: no character, and nothing UTF-8 can express. */
const LONE_SURROGATE = /\p{Cs}/u;

/** Text, as it stands between the quotes. */
export function readText(value: Literal, field: FieldSpec): string {
  if (value.type !== 'string') {
    throw wrongValue(field, value);
  }
  if (!value.text.includes('\0') && !LONE_SURROGATE.test(value.text)) return value.text;
  const message = `The value of ${field.name} contains a character that text cannot contain.`;
  throw wrongValue(field, value, message);
}

/** @throws QueryError `bad_filter` for a text of more than `max` characters. */
export function assertLength(text: string, max: number, value: Literal, field: FieldSpec): void {
  if (text.length <= max) return;
  const message = `The value of ${field.name} can have at most ${max} characters; this one has ${text.length}.`;
  throw wrongValue(field, value, message);
}

/** The text of a full-text search, at most 1,000 characters; it must hold something to search for. */
export function readKeywords(value: Literal, field: FieldSpec): string {
  const text = readText(value, field);
  assertLength(text, BOUNDS.keywordsCharacters, value, field);
  if (text.trim() !== '') return text;
  throw wrongValue(field, value, `${field.name} requires at least one word to search for.`);
}

/** An id, bare or quoted, in any case; in lower case from here on. */
export function readUuid(value: Literal, field: FieldSpec): string {
  const isId = value.type === 'uuid' || (value.type === 'string' && isUuidForm(value.text));
  if (isId) return value.text.toLowerCase();
  throw wrongValue(field, value);
}

/** `true` or `false`, in any case, bare or quoted. */
function readBoolean(value: Literal, field: FieldSpec): boolean {
  if (value.type === 'boolean' || value.type === 'string') {
    const constant = keywordNamed(value.text);
    if (constant === 'true') return true;
    if (constant === 'false') return false;
  }
  throw wrongValue(field, value);
}

/** One of a fixed list; a number that is not in quotes may be written in any way. */
function readClosed(value: Literal, field: FieldSpec): ClosedValue['value'] {
  const list = field.closed ?? [];
  const number = value.type === 'number' ? wholeNumber(value.text) : undefined;
  const found = closedValueOf(list, number === undefined ? value.text : String(number));
  if (found === undefined) throw unknownValue(value, field, list);
  return found.value;
}

function unknownValue(value: Literal, field: FieldSpec, list: readonly ClosedValue[]): QueryError {
  const message = `${field.name} has no value ${echo(printLiteral(value))}.`;
  return new QueryError('unknown_value', message, {
    parameter: '$filter',
    field: field.name,
    position: value.position,
    value: echo(value.text),
    allowed: list.slice(0, BOUNDS.errorAllowed).map((entry) => entry.label),
    see: field.see,
  });
}

/** Whether the literal is written as a number, bare or quoted. */
export function isNumeric(value: Literal): boolean {
  return value.type === 'number' || (value.type === 'string' && isNumberForm(value.text));
}

/** A finite double. */
export function readNumber(value: Literal, field: FieldSpec): number {
  if (!isNumeric(value)) throw wrongValue(field, value);
  const number = Number(value.text);
  if (!Number.isFinite(number)) {
    throw wrongValue(field, value, `The value of ${field.name} is too large.`);
  }
  return number === 0 ? 0 : number;
}

interface Range {
  readonly min: number;
  readonly max: number;
}

/** The columns' own ranges: smallint, int4, and what JSON can carry exactly of int8. */
const YEAR: Range = { min: -32_768, max: 32_767 };
const INTEGER: Range = { min: -2_147_483_648, max: 2_147_483_647 };
const USD: Range = { min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER };

/**
 * Any way of writing a whole number will do (5000000, 5e6, 5000000.00); one with a fraction or
 * beyond the column is rejected, never rounded.
 */
function readWithin(value: Literal, field: FieldSpec, { min, max }: Range): number {
  if (!isNumeric(value)) throw wrongValue(field, value);
  const number = wholeNumber(value.text);
  if (number === undefined) throw wrongValue(field, value);
  if (number >= min && number <= max) return number;
  throw wrongValue(field, value, `The value of ${field.name} must be from ${min} to ${max}.`);
}

/** Short enough to be exact, and never a zero with a sign. */
const PLAIN = /^(?:0|-?[1-9]\d{0,14})$/;
const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** More digits than any safe integer has. */
const DIGITS_MAX = 16;
const ZERO = 48;

/**
 * The whole number a decimal text stands for, worked out on its digits so that nothing is rounded
 * on the way; ±Infinity for one of more than 16 digits, undefined for one with a fraction.
 */
export function wholeNumber(text: string): number | undefined {
  if (PLAIN.test(text)) return Number(text);
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = DECIMAL.exec(text) ?? [];
  const digits = whole + fraction;
  let first = 0;
  let last = digits.length;
  while (first < last && digits.charCodeAt(first) === ZERO) first++;
  while (last > first && digits.charCodeAt(last - 1) === ZERO) last--;
  if (first === last) return digits === '' ? undefined : 0;
  const significant = digits.slice(first, last);
  const exponent = Number(exponentText) - fraction.length + (digits.length - last);
  if (exponent < 0) return undefined;
  const factor = sign === '-' ? -1 : 1;
  if (significant.length + exponent > DIGITS_MAX) return factor * Number.POSITIVE_INFINITY;
  return factor * Number(significant + '0'.repeat(exponent));
}

const MIDNIGHT = 'T00:00:00Z';

/**
 * A day, as `YYYY-MM-DD`, bare or quoted. An instant is taken for the day whose midnight UTC it
 * is, which is how programs print a date; any other instant says more than a day can hold.
 */
function readDate(value: Literal, field: FieldSpec): string {
  const text = value.text;
  if (value.type === 'date' || (value.type === 'string' && isDateForm(text))) {
    if (isDay(text)) return text;
    throw noSuchDay(value, field);
  }
  if (value.type === 'instant' || (value.type === 'string' && isInstantForm(text))) {
    const utc = toUtcBetween(text);
    if (utc === undefined) throw noSuchDay(value, field);
    if (utc.endsWith(MIDNIGHT)) return utc.slice(0, -MIDNIGHT.length);
    const message = `${field.name} is a date without a time.`;
    throw wrongValue(field, value, message, { suggestion: utc.slice(0, 10) });
  }
  throw wrongValue(field, value);
}

function noSuchDay(value: Literal, field: FieldSpec): Error {
  return wrongValue(field, value, `'${echo(value.text)}' is not a valid date.`);
}

/** An instant, bare or quoted, in UTC as {@link toUtc} writes it. */
export function readInstant(value: Literal, field: FieldSpec): string {
  const { type, text } = value;
  const isWritten = type === 'date' || type === 'instant' || type === 'string';
  const suggestion = isWritten ? withLostPlus(text) : undefined;
  if (suggestion !== undefined) {
    const message = `'${echo(text)}' is not a valid instant: write the + of an offset as %2B in a URL.`;
    throw wrongValue(field, value, message, { suggestion });
  }
  if (!isWritten || !(isDateForm(text) || isInstantForm(text))) throw wrongValue(field, value);
  const utc = toUtcBetween(text);
  if (utc !== undefined) return utc;
  const message = `'${echo(text)}' is not a valid instant: years go from 1 to 9999, hours to 23, offsets to 14:00.`;
  throw wrongValue(field, value, message);
}

const EXPECTED: Readonly<Record<ValueType, string>> = {
  uuid: 'an id (a UUID), e.g. 5f0c4f0e-6c1b-5d8a-9d3e-0b8f6f4f3c11',
  text: "text in single quotes, e.g. 'Berlin'",
  year: 'a year, e.g. 2010',
  integer: 'a whole number, e.g. 250',
  usd: 'a whole number of US dollars, e.g. 5000000',
  number: 'a number, e.g. 0.75',
  date: 'a date, e.g. 2012-09-03',
  instant: 'a date or an instant, e.g. 2012-09-03 or 2012-09-03T13:52:00Z',
  boolean: 'true or false',
  closed: 'one of its listed values',
  keywords: "words in single quotes, e.g. 'machine learning'",
};

/** The error for a value that is not of the field's type, or beyond its range. */
export function wrongValue(
  field: FieldSpec,
  value: Literal,
  message: string = mismatch(field, value),
  details: QueryErrorDetails = {},
): QueryError {
  const isTemporal = field.type === 'date' || field.type === 'instant';
  return new QueryError(isTemporal ? 'bad_date' : 'bad_filter', message, {
    parameter: '$filter',
    field: field.name,
    position: value.position,
    value: echo(value.text),
    see: field.see,
    ...details,
  });
}

function mismatch(field: FieldSpec, value: Literal): string {
  return `${field.name} requires ${EXPECTED[field.type]}, not ${echo(printLiteral(value))}.`;
}

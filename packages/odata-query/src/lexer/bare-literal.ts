import { echo, suggestable } from '../echo.ts';
import { QueryError } from '../query-error.ts';
import { isBareCharacter, isDigit, isSpace, MINUS } from './character.ts';
import { type LiteralToken, type Token, token } from './token.ts';

/** No pattern here has two ways to match the same text, so none can backtrack. */
const UUID = /^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$/;
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const INSTANT =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:\.\d{1,12})?)?(?:[Zz]|[+-]\d{2}:[0-5]\d)?$/;

const UUID_LENGTH = 36;
const NUMBER_WITH_SUFFIX = /^[+-]?[\d.]+[A-Za-z]+$/;
const NUMBER_WITHOUT_DIGITS_BESIDE_POINT = /^[+-]?(?:\d+\.|\.\d+)$/;
const TIME_OF_DAY = /^\d{1,2}:[\d:.]+$/;
const DATE_LIKE = /^[+-]?(?:\d{4,6}-\d|\d{1,6}([-/.])\d{1,2}\1\d)/;

/** Whether a value written in quotes has the form of a date or of an instant. */
export function isDateForm(text: string): boolean {
  return DATE.test(text);
}

export function isInstantForm(text: string): boolean {
  return INSTANT.test(text);
}

export function isNumberForm(text: string): boolean {
  return NUMBER.test(text);
}

/** Whether a text is a UUID in its usual form, in any case. */
export function isUuidForm(text: string): boolean {
  return text.length === UUID_LENGTH && UUID.test(text);
}

/** Reads a literal that begins with a digit or a sign: a number, date, instant or uuid. */
export function readBareLiteral(text: string, start: number): Token {
  let end = start;
  while (end < text.length && isBareCharacter(text.charCodeAt(end))) end++;
  const written = text.slice(start, end);
  const kind = classify(written);
  if (kind === undefined) throw malformed(text, written, start, end);
  return token(kind, start, end, written);
}

/** Reads a uuid whose first character is a letter; undefined if it is none. */
export function readUuid(text: string, start: number): Token | undefined {
  if (text.charCodeAt(start + 8) !== MINUS) return undefined;
  const end = start + UUID_LENGTH;
  const written = text.slice(start, end);
  if (!UUID.test(written) || isBareCharacter(text.charCodeAt(end))) return undefined;
  return token('uuid', start, end, written);
}

function classify(written: string): LiteralToken | undefined {
  if (isUuidForm(written)) return 'uuid';
  if (NUMBER.test(written)) return 'number';
  if (DATE.test(written)) return 'date';
  if (INSTANT.test(written)) return 'instant';
  return undefined;
}

function malformed(text: string, written: string, start: number, end: number): QueryError {
  const details = { parameter: '$filter', position: start, value: echo(written) };
  const shown = echo(written);
  const sign = written[0] === '-' || written[0] === '+' ? written[0] : undefined;
  if (sign !== undefined && !isDigit(written.charCodeAt(1)) && written[1] !== '.') {
    return new QueryError(
      'bad_filter',
      isSpace(text.charCodeAt(end)) && written.length === 1
        ? `Unexpected ${sign}: arithmetic is not supported in a filter.`
        : `'${shown}' is not a value: + and - are only allowed before a number, e.g. -5.`,
      details,
    );
  }
  if (NUMBER_WITHOUT_DIGITS_BESIDE_POINT.test(written)) {
    const message = `'${shown}' is not a number: write digits on both sides of the point, e.g. 0.5.`;
    return new QueryError('bad_filter', message, details);
  }
  if (NUMBER_WITH_SUFFIX.test(written)) {
    const message = `'${shown}' is not a number: write numbers without units or suffixes.`;
    return new QueryError('bad_filter', message, details);
  }
  if (TIME_OF_DAY.test(written)) {
    const message =
      `'${shown}' is a time of day: write date and time, e.g. 2012-09-03T13:52:00Z.` +
      ' If it is an offset, write its + as %2B in a URL.';
    return new QueryError('bad_filter', message, details);
  }
  if (DATE_LIKE.test(written)) {
    const message =
      `'${shown}' is not a valid date: write YYYY-MM-DD, e.g. 2012-09-03, or with a time, e.g. ` +
      '2012-09-03T13:52:00Z.';
    return new QueryError('bad_date', message, details);
  }
  const message = `'${shown}' is not a number, a date or an id. Put text in single quotes.`;
  return new QueryError('bad_filter', message, {
    ...details,
    suggestion: suggestable(`'${written}'`),
  });
}

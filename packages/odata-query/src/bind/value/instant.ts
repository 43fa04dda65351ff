import type { Literal } from '../../ast/literal.ts';
import { echo } from '../../echo.ts';
import type { FieldSpec } from '../../field-spec.ts';
import { isDateForm, isInstantForm } from '../../lexer/bare-literal.ts';
import { isCalendarDay } from './calendar.ts';
import { wrongValue } from './wrong-value.ts';

const PARTS =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,12}))?)?(?:[Zz]|([+-])(\d{2}):(\d{2}))?$/;

/** Decimals of a second that the database stores. */
const DECIMALS_MAX = 6;
const MINUTE_MS = 60_000;
/** The widest offset of OData and of XML Schema. */
const OFFSET_MINUTES_MAX = 14 * 60;

/**
 * An instant, bare or quoted, as `YYYY-MM-DDTHH:MM:SS[.ffffff]Z`. Without a zone it is in UTC; a
 * date stands for its midnight UTC. Microseconds are kept, anything finer is rejected.
 */
export function readInstant(value: Literal, field: FieldSpec): string {
  const { type, text } = value;
  const isDate = type === 'date' || (type === 'string' && isDateForm(text));
  const isInstant = type === 'instant' || (type === 'string' && isInstantForm(text));
  if (!isDate && !isInstant) throw wrongValue(field, value);
  const utc = toUtc(isDate ? `${text}T00:00Z` : text);
  if (utc !== undefined) return utc;
  throw wrongValue(
    field,
    value,
    `'${echo(text)}' is not a valid instant: years go from 1 to 9999, hours to 23, offsets to` +
      ' 14:00, and seconds have at most six decimals.',
  );
}

/**
 * A text of the form of an instant (`isInstantForm`) in UTC; undefined for one that does not exist
 * or is finer than a microsecond. A leap second (`:60`) is the first second of the next minute.
 */
export function toUtc(text: string): string | undefined {
  const [
    ,
    year,
    month,
    day,
    hour,
    minute,
    second = '0',
    decimals = '',
    sign,
    offsetHour = '0',
    offsetMinute = '0',
  ] = PARTS.exec(text) ?? [];
  const fraction = withoutTrailingZeros(decimals);
  if (fraction.length > DECIMALS_MAX) return undefined;
  if (!isCalendarDay(Number(year), Number(month), Number(day))) return undefined;
  const offset = Number(offsetHour) * 60 + Number(offsetMinute);
  if (offset > OFFSET_MINUTES_MAX) return undefined;
  const moment = new Date(0);
  moment.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  moment.setUTCHours(Number(hour), Number(minute), Number(second));
  moment.setTime(moment.getTime() + (sign === '-' ? offset : -offset) * MINUTE_MS);
  if (moment.getUTCFullYear() < 1 || moment.getUTCFullYear() > 9999) return undefined;
  const toSecond = moment.toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length);
  return fraction === '' ? `${toSecond}Z` : `${toSecond}.${fraction}Z`;
}

function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

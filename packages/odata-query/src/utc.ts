import { isDateForm, isInstantForm } from './lexer/bare-literal.ts';

const DAYS: readonly number[] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const PARTS =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,12}))?)?(?:[Zz]|([+-])(\d{2}):(\d{2}))?$/;
/** Decimals of a second that the database stores. */
const DECIMALS_MAX = 6;

/** An instant in UTC, cut at a microsecond. */
interface CutInstant {
  /** As {@link toUtc} writes it. */
  readonly utc: string;
  /** Whether the text was later than that by less than a microsecond. */
  readonly isCut: boolean;
}

const MINUTE_MS = 60_000;
/** The widest offset of OData and of XML Schema. */
const OFFSET_MINUTES_MAX = 14 * 60;

/** Whether the proleptic Gregorian calendar has the day, in the years 1 to 9999. */
export function isCalendarDay(year: number, month: number, day: number): boolean {
  if (year < 1 || year > 9999) return false;
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeapYear ? 29 : DAYS[month - 1];
  return days !== undefined && day >= 1 && day <= days;
}

/** Whether a text is a day of the calendar, as `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  const [year, month, day] = [text.slice(0, 4), text.slice(5, 7), text.slice(8)];
  return isDateForm(text) && isCalendarDay(Number(year), Number(month), Number(day));
}

/**
 * A date or an instant in ISO 8601, as `YYYY-MM-DDTHH:MM:SS[.ffffff]Z`. Without a zone it is in UTC;
 * a date is its midnight; a leap second (`:60`) is the first second of the next minute. Undefined
 * for any other text, one that does not exist, or one that is finer than a microsecond.
 */
export function toUtc(text: string): string | undefined {
  const instant = cutInstant(text);
  return instant?.isCut === false ? instant.utc : undefined;
}

/**
 * As {@link toUtc}, also for a text of up to 12 decimals: then an instant within the same
 * millisecond, which compares with every instant in whole milliseconds as the text does.
 */
export function toUtcBetween(text: string): string | undefined {
  const { utc, isCut } = cutInstant(text) ?? {};
  if (utc === undefined || isCut !== true) return utc;
  const [second = '', fraction = ''] = utc.slice(0, -1).split('.');
  const decimals = fraction.padEnd(DECIMALS_MAX, '0');
  return `${second}.${decimals.endsWith('000') ? `${decimals.slice(0, -1)}1` : decimals}Z`;
}

/** As {@link toUtc}, also for a text of up to 12 decimals. */
export function cutInstant(text: string): CutInstant | undefined {
  if (isDateForm(text)) {
    return isDay(text) ? { utc: `${text}T00:00:00Z`, isCut: false } : undefined;
  }
  if (!isInstantForm(text)) return undefined;
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
  const fraction = withoutTrailingZeros(decimals.slice(0, DECIMALS_MAX));
  if (!isCalendarDay(Number(year), Number(month), Number(day))) return undefined;
  const offset = Number(offsetHour) * 60 + Number(offsetMinute);
  if (offset > OFFSET_MINUTES_MAX) return undefined;
  const moment = new Date(0);
  moment.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  moment.setUTCHours(Number(hour), Number(minute), Number(second));
  moment.setTime(moment.getTime() + (sign === '-' ? offset : -offset) * MINUTE_MS);
  if (moment.getUTCFullYear() < 1 || moment.getUTCFullYear() > 9999) return undefined;
  const toSecond = moment.toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length);
  return {
    utc: fraction === '' ? `${toSecond}Z` : `${toSecond}.${fraction}Z`,
    isCut: withoutTrailingZeros(decimals).length > DECIMALS_MAX,
  };
}

function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

const LOST_PLUS = /^(\d{4}-\d{2}-\d{2}[Tt][\d:.]+) (\d{2}:\d{2})$/;

/** An instant with the + of its offset, where a URL has made it a blank; undefined for another text. */
export function withLostPlus(text: string): string | undefined {
  const meant = text.replace(LOST_PLUS, '$1+$2');
  return meant !== text && isInstantForm(meant) ? meant : undefined;
}

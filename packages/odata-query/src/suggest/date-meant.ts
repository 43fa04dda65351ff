import { isCalendarDay } from '../utc.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAY_MS = 86_400_000;
const RELATIVE_DAYS: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['now', 0],
  ['currentdate', 0],
  ['getdate', 0],
  ['tomorrow', 1],
  ['yesterday', -1],
]);

/** Each names its parts year, month (a number or a name) and day; a part left out is the first. */
const FORMS: readonly RegExp[] = [
  /^(?<year>\d{4})$/,
  /^(?<year>\d{4})[-/.](?<month>\d{1,2})$/,
  /^(?<year>\d{4})[-/. ](?<month>\d{1,2})[-/. ](?<day>\d{1,2})$/,
  /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/,
  /^(?<month>\p{L}{3,9})\.? (?<year>\d{4})$/u,
  /^(?<day>\d{1,2})(?:st|nd|rd|th)?\.? (?<month>\p{L}{3,9})\.?,? (?<year>\d{4})$/u,
  /^(?<month>\p{L}{3,9})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})$/u,
  /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})[ t][\d:.]{4,15}(?:z|[+-]\d{2}:?\d{2})?$/,
];
const TWO_FIRST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/;
const AGO = /^(\d{1,4}) ?(day|week|month|year)s? ago$/;
const BEFORE_NOW = /^(?:now|today)? ?- ?(\d{1,4}) ?d(?:ays?)?$/;
const UNIX_SECONDS = /^1\d{9}(?:\d{3})?$/;
const DAYS_IN: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365 };

/**
 * The day that `today`, `2012/9/3`, `3 Sep 2012`, `2012` or `90 days ago` stands for, as
 * `YYYY-MM-DD`; of a day beyond the end of its month, the last. Undefined for a text that can be
 * read in two ways (`03/09/2012`).
 *
 * @param text at most 64 characters.
 * @param today `YYYY-MM-DD`; without it no text is relative to the present.
 */
export function dateMeant(text: string, today: string | undefined): string | undefined {
  const plain = text.trim().toLowerCase().replace(/\s+/g, ' ').replace(/^'|'$/g, '');
  const relative = relativeDays(plain);
  if (relative !== undefined) {
    return today === undefined ? undefined : dayOf(Date.parse(today) + relative * DAY_MS);
  }
  if (UNIX_SECONDS.test(plain)) return dayOf(Number(plain.padEnd(13, '0')));
  for (const form of FORMS) {
    const { year, month = '1', day = '1' } = form.exec(plain)?.groups ?? {};
    if (year !== undefined) return lastDayAtMost(Number(year), monthOf(month), Number(day));
  }
  const [, first, , second, year] = TWO_FIRST.exec(plain) ?? [];
  return unambiguous(Number(year), Number(first), Number(second));
}

function relativeDays(plain: string): number | undefined {
  const named = RELATIVE_DAYS.get(plain.replace(/[_ ]|\(\)$/g, ''));
  if (named !== undefined) return named;
  const before = BEFORE_NOW.exec(plain)?.[1];
  if (before !== undefined) return -Number(before);
  const [, count, unit = ''] = AGO.exec(plain) ?? [];
  return count === undefined ? undefined : -Number(count) * (DAYS_IN[unit] ?? 0);
}

function monthOf(text: string): number {
  const index = MONTHS.indexOf(text.slice(0, 3));
  return index < 0 ? Number(text) : index + 1;
}

function unambiguous(year: number, first: number, second: number): string | undefined {
  if (first === second || second > 12) return lastDayAtMost(year, first, second);
  return first > 12 ? lastDayAtMost(year, second, first) : undefined;
}

function lastDayAtMost(year: number, month: number, day: number): string | undefined {
  if (!(day >= 1 && day <= 31)) return undefined;
  let existing = day;
  while (existing > 27 && !isCalendarDay(year, month, existing)) existing--;
  if (!isCalendarDay(year, month, existing)) return undefined;
  return [String(year).padStart(4, '0'), twoDigits(month), twoDigits(existing)].join('-');
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

function dayOf(ms: number): string | undefined {
  const text = new Date(ms).toISOString().slice(0, 10);
  return text.startsWith('+') ? undefined : text;
}

import { isCalendarDay } from '@vcds/odata-query';
import { readInstant } from '@vcds/venture-model';

const MONTHS = [
  ...['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
];

/** A longer text is not a date. */
const DATE_CHARACTERS_MAX = 100;

/** The pattern of each token of a format. */
const TOKENS: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  YY: '(?<shortYear>\\d{2})',
  MMM: '(?<monthName>[A-Za-z]{3})[a-z]*\\.?',
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{2})',
  D: '(?<day>\\d{1,2})',
  HH: '(?<hour>\\d{2})',
  H: '(?<hour>\\d{1,2})',
  mm: '(?<minute>\\d{2})',
  ss: '(?<second>\\d{2})',
};

/** Runs of one letter, and single other characters. */
const RUNS = /([A-Za-z])\1*|[^A-Za-z]/gu;
const SPECIAL = /[/\\^$*+?.()|[\]{}]/u;
/** Letters that are literal, as in `YYYY-MM-DDTHH:mm:ssZ`. */
const LITERAL_LETTERS = new Set(['T', 'Z']);

/**
 * A parser of dates such as `M/D/YY`, `D-MMM-YY`, `YYYY` or `M/D/YY H:mm`. It returns an ISO 8601
 * instant in UTC; the default of missing parts is January, the 1st, midnight.
 * Two digits mean the latest year up to `yearMax`. `ISO` reads ISO 8601, `unix` seconds since 1970.
 */
export function dateReader(format: string, yearMax: number): typeof readInstant {
  if (format === 'ISO') return readInstant;
  if (format === 'unix') return readUnixSeconds;
  const source = format.replace(RUNS, (run) =>
    Object.hasOwn(TOKENS, run) ? (TOKENS[run] ?? '') : run.replace(SPECIAL, '\\$&'),
  );
  const pattern = new RegExp(`^${source}$`, 'u');
  return (text) => {
    if (text.length > DATE_CHARACTERS_MAX) return undefined;
    const parts = pattern.exec(text)?.groups;
    return parts === undefined ? undefined : compose(parts, yearMax);
  };
}

/**
 * The fault of a format: letters that are not a token (`dd`), a duplicate part of the date, or no
 * year; undefined for a valid format.
 */
export function dateFormatError(format: string): string | undefined {
  if (format === 'ISO' || format === 'unix') return undefined;
  const parts = new Set<string>();
  for (const [run] of format.matchAll(RUNS)) {
    const token = Object.hasOwn(TOKENS, run) ? TOKENS[run] : undefined;
    if (token === undefined) {
      if (/^[A-Za-z]/u.test(run) && !LITERAL_LETTERS.has(run)) return unknownToken(run);
      continue;
    }
    const part = /[Yy]ear|month|day|hour|minute|second/u.exec(token)?.[0].toLowerCase() ?? '';
    if (parts.has(part)) return `"${format}" has two tokens for the ${part}`;
    parts.add(part);
  }
  return parts.has('year') ? undefined : `"${format}" has no year (YYYY or YY)`;
}

function unknownToken(run: string): string {
  const known = Object.keys(TOKENS);
  const meant =
    known.find((token) => token.toLowerCase() === run.toLowerCase()) ??
    known.find((token) => run.toLowerCase().startsWith(token.toLowerCase()));
  const advice = meant === undefined ? '' : `; did you mean ${meant}?`;
  return `unknown date token "${run}"${advice} (tokens: ${known.join(' ')}, ISO, unix)`;
}

function compose(
  parts: Readonly<Record<string, string | undefined>>,
  yearMax: number,
): string | undefined {
  const { shortYear, monthName, day = '1', hour = '0', minute = '0', second = '0' } = parts;
  const year =
    shortYear === undefined ? Number(parts.year) : latestYear(Number(shortYear), yearMax);
  const month =
    monthName === undefined
      ? Number(parts.month ?? '1')
      : MONTHS.indexOf(monthName.toLowerCase()) + 1;
  if (!isCalendarDay(year, month, Number(day))) return undefined;
  const two = (value: string | number) => String(value).padStart(2, '0');
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  return readInstant(`${date}T${two(hour)}:${two(minute)}:${two(second)}Z`);
}

/** The latest year, up to the greatest, that ends in the two digits. */
function latestYear(digits: number, yearMax: number): number {
  const century = yearMax - (yearMax % 100);
  return century + digits <= yearMax ? century + digits : century + digits - 100;
}

function readUnixSeconds(text: string): string | undefined {
  if (!/^\d{1,11}$/u.test(text)) return undefined;
  return new Date(Number(text) * 1000).toISOString();
}

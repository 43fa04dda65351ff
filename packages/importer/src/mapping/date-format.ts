import { isCalendarDay } from '@vcds/odata-query';
import { readInstant } from '@vcds/venture-model';
import { monthNamed } from './months.ts';

/** A longer text is not a date. */
const DATE_CHARACTERS_MAX = 100;

/** The pattern of each token of a format. */
const TOKENS: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  YY: '(?<shortYear>\\d{2})',
  MMM: '(?<monthName>\\p{L}{3,15})\\.?',
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{2})',
  D: '(?<day>\\d{1,2})(?:st|nd|rd|th|er)?',
  HH: '(?<hour>\\d{2})',
  H: '(?<hour>\\d{1,2})',
  hh: '(?<hour>0[1-9]|1[0-2])',
  h: '(?<hour>0?[1-9]|1[0-2])',
  mm: '(?<minute>\\d{2})',
  ss: '(?<second>\\d{2})(?:[.,]\\d{1,9})?',
  a: '(?<half>[AaPp])\\.?[Mm]\\.?',
};

/** Formats that are no sequence of tokens, with their readers. */
const PRESETS: Readonly<Record<string, typeof readInstant>> = {
  ISO: readInstant,
  unix: (text) =>
    /^\d{1,11}$/u.test(text) ? new Date(Number(text) * 1000).toISOString() : undefined,
  excel: (text) => readSerial(text, 1900),
  excel1904: (text) => readSerial(text, 1904),
  quarter: (text) => readPart(text, 'Q', 4),
  half: (text) => readPart(text, 'H|S|HY', 2),
};

/** Texts in brackets, runs of one letter, and single other characters. */
const RUNS = /\[[^[\]]*\]|([A-Za-z])\1*|[^A-Za-z]/gu;
const SPECIAL = /[/\\^$*+?.()|[\]{}]/gu;
/** Letters that are literal, as in `YYYY-MM-DDTHH:mm:ssZ`. */
const LITERAL_LETTERS = new Set(['T', 'Z']);

/**
 * A parser of dates such as `M/D/YY`, `D-MMM-YY`, `YYYY` or `M/D/YY h:mm a`. It returns an ISO 8601
 * instant in UTC; the default of missing parts is January, the 1st, midnight.
 * Two digits mean the latest year up to `yearMax`. `ISO` reads ISO 8601, `unix` seconds since 1970,
 * `excel` and `excel1904` days of a spreadsheet, `quarter` and `half` the first day of `Q1 2025` and
 * `H2 2025`.
 */
export function dateReader(format: string, yearMax: number): typeof readInstant {
  if (Object.hasOwn(PRESETS, format)) return PRESETS[format] ?? readInstant;
  const source = format.replace(RUNS, (run) => {
    if (run.length > 1 && run.startsWith('[')) return run.slice(1, -1).replace(SPECIAL, '\\$&');
    return Object.hasOwn(TOKENS, run) ? (TOKENS[run] ?? '') : run.replace(SPECIAL, '\\$&');
  });
  const pattern = new RegExp(`^${source}$`, 'u');
  return (text) => {
    if (text.length > DATE_CHARACTERS_MAX) return undefined;
    const parts = pattern.exec(text.replace(/\s/gu, ' '))?.groups;
    return parts === undefined ? undefined : compose(parts, yearMax);
  };
}

/**
 * The fault of a format: letters that are not a token (`dd`), a duplicate part of the date, no year,
 * or an hour of 12 without `a`; undefined for a valid format.
 */
export function dateFormatError(format: string): string | undefined {
  if (Object.hasOwn(PRESETS, format)) return undefined;
  const parts = new Set<string>();
  const runs = [...format.matchAll(RUNS)].map(([run]) => run);
  for (const run of runs) {
    const token = Object.hasOwn(TOKENS, run) ? TOKENS[run] : undefined;
    if (token === undefined) {
      if (/^[A-Za-z]/u.test(run) && !LITERAL_LETTERS.has(run)) return unknownToken(run);
      continue;
    }
    const part = /[Yy]ear|month|day|hour|minute|second|half/u.exec(token)?.[0].toLowerCase() ?? '';
    if (parts.has(part)) return `"${format}" has two tokens for the ${part}`;
    parts.add(part);
  }
  const twelve = runs.find((run) => run === 'h' || run === 'hh');
  if (twelve !== undefined && !parts.has('half')) {
    return `"${twelve}" is an hour of 12 and needs "a" (AM or PM); write ${twelve.toUpperCase()} for one of 24`;
  }
  if (twelve === undefined && parts.has('half')) return '"a" (AM or PM) needs the hour "h" or "hh"';
  return parts.has('year') ? undefined : `"${format}" has no year (YYYY or YY)`;
}

function unknownToken(run: string): string {
  const known = Object.keys(TOKENS);
  const meant =
    known.find((token) => token.toLowerCase() === run.toLowerCase()) ??
    known.find((token) => run.toLowerCase().startsWith(token.toLowerCase()));
  const advice = meant === undefined ? '' : `; did you mean ${meant}?`;
  const names = [...known, ...Object.keys(PRESETS)].join(' ');
  return `unknown date token "${run}"${advice} (tokens: ${names}; other letters go in brackets)`;
}

function compose(
  parts: Readonly<Record<string, string | undefined>>,
  yearMax: number,
): string | undefined {
  const { shortYear, monthName, day = '1', minute = '0', second = '0' } = parts;
  const year =
    shortYear === undefined ? Number(parts.year) : latestYear(Number(shortYear), yearMax);
  const month = monthName === undefined ? Number(parts.month ?? '1') : (monthNamed(monthName) ?? 0);
  if (!isCalendarDay(year, month, Number(day))) return undefined;
  const hour = hourOf(Number(parts.hour ?? '0'), parts.half);
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  return readInstant(`${date}T${two(hour)}:${two(minute)}:${two(second)}Z`);
}

/** 12 AM is midnight, 12 PM noon. */
function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

const two = (value: string | number) => String(value).padStart(2, '0');

/** The latest year, up to the greatest, that ends in the two digits. */
function latestYear(digits: number, yearMax: number): number {
  const century = yearMax - (yearMax % 100);
  return century + digits <= yearMax ? century + digits : century + digits - 100;
}

const DAY_MS = 86_400_000;
/** 31 December 9999 in the system of 1900. */
const SERIAL_MAX = 2_958_465;

/**
 * A date of a spreadsheet: days since the end of 1899, or since the beginning of 1904. The system of
 * 1900 has a 29 February 1900, which is no day.
 */
function readSerial(text: string, system: 1900 | 1904): string | undefined {
  if (!/^\d{1,7}(?:\.\d{1,15})?$/u.test(text)) return undefined;
  const serial = Number(text);
  if (serial > SERIAL_MAX || (system === 1900 && (serial < 1 || Math.floor(serial) === 60))) {
    return undefined;
  }
  const first =
    system === 1904
      ? Date.UTC(1904, 0, 1)
      : serial < 60
        ? Date.UTC(1899, 11, 31)
        : Date.UTC(1899, 11, 30);
  return new Date(first + Math.round((serial * DAY_MS) / 1000) * 1000).toISOString();
}

/** The first day of a quarter or half: `Q1 2025`, `2025-Q1`, `1Q25`, `Q1/25`, `2025 Q1`. */
function readPart(text: string, letters: string, parts: 2 | 4): string | undefined {
  if (text.length > DATE_CHARACTERS_MAX) return undefined;
  const digit = `(?<part>[1-${parts}])`;
  const year = "'?(?<year>\\d{4}|\\d{2})";
  const forms = [
    `(?:${letters})\\s?${digit}[\\s,./'-]*${year}`,
    `${digit}\\s?(?:${letters})[\\s,./'-]*${year}`,
    `(?<year>\\d{4})[\\s,./-]*(?:${letters})\\s?${digit}`,
    `(?<year>\\d{4})[\\s,./-]*${digit}(?:${letters})`,
  ];
  for (const form of forms) {
    const found = new RegExp(`^(?:${form})$`, 'iu').exec(text)?.groups;
    if (found?.part === undefined || found.year === undefined) continue;
    const whole = found.year.length === 2 ? `20${found.year}` : found.year;
    const month = 1 + (Number(found.part) - 1) * (12 / parts);
    return readInstant(`${whole}-${two(month)}-01T00:00:00Z`);
  }
  return undefined;
}

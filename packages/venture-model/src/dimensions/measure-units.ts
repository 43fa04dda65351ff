/** How the values of columns are stored in the facet index. */

export type MeasureUnit =
  /** Equal to the column. */
  | 'number'
  /** Days since 1970-01-01. */
  | 'day'
  /** At least 0, rounded down to three significant digits. */
  | 'rounded'
  /** 1 for true, 0 for false. */
  | 'boolean'
  /** Text, equal to the column. */
  | 'text'
  /** Of text: the number of its range in the order of texts (`venture.text_range`). */
  | 'text_range'
  /** Of an instant: the hour since 1970, the second of the hour, and the millisecond of the second. */
  | InstantPart;

/** A part of an instant; the parts together are the instant, to the millisecond. */
export type InstantPart = 'hour' | 'second' | 'millisecond';

/** The values of a unit: stored ones are whole numbers, but for `text`. */
interface Unit {
  /** SQL of the stored value of a column. */
  readonly stored: (sql: string) => string;
  /** The number of a value of a filter, before it is rounded; undefined or no whole number if it has none. */
  readonly number: (value: unknown) => unknown;
  /** The value of a filter with a number. */
  readonly value: (number: number) => string | number;
  /** How many numbers are stored as that of this one. */
  readonly step: (number: number) => number;
  /** From this number on, different values are stored as one; null if none are. */
  readonly roundedFrom: number | null;
}

const DIGITS = 3;
const DAY_MS = 86_400_000;

const NUMBER: Unit = {
  stored: (sql) => sql,
  number: (value) => value,
  value: (number) => number,
  step: () => 1,
  roundedFrom: null,
};
/** No value of a filter is compared with the stored ones by its number. */
const UNCOMPARED: Unit = { ...NUMBER, number: () => undefined };

export const UNITS: Readonly<Record<MeasureUnit, Unit>> = Object.freeze({
  number: NUMBER,
  day: {
    ...NUMBER,
    stored: (sql) => `(${sql} - DATE '1970-01-01')`,
    number: (value) => Date.parse(String(value)) / DAY_MS,
    value: (number) => new Date(number * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length),
  },
  rounded: {
    ...NUMBER,
    stored: (sql) =>
      `(${sql} - ${sql} % (10 ^ greatest(length(${sql}::text) - ${DIGITS}, 0))::bigint)`,
    step: (number) => (number < 0 ? 1 : 10 ** Math.max(String(number).length - DIGITS, 0)),
    roundedFrom: 10 ** DIGITS,
  },
  boolean: {
    ...NUMBER,
    stored: (sql) => `${sql}::integer`,
    number: (value) => (typeof value === 'boolean' ? Number(value) : undefined),
  },
  text: UNCOMPARED,
  text_range: { ...UNCOMPARED, stored: textRange, roundedFrom: 0 },
  hour: { ...UNCOMPARED, stored: (sql) => `(${hourOf(sql)})::bigint` },
  second: {
    ...UNCOMPARED,
    stored: (sql) => `(floor(${epochOf(sql)}) - 3600 * ${hourOf(sql)})::bigint`,
  },
  millisecond: {
    ...UNCOMPARED,
    stored: (sql) => `(1000 * (${epochOf(sql)} - floor(${epochOf(sql)})))::bigint`,
  },
});

/** SQL of the seconds since 1970 of an instant, as a double, which is exact to the microsecond until the year 2200. */
function epochOf(sql: string): string {
  return `date_part('epoch', ${sql})`;
}

function hourOf(sql: string): string {
  return `floor(${epochOf(sql)} / 3600)`;
}

/** SQL of the number of the range of a text: texts in a later range follow all of an earlier one. */
export function textRange(sql: string): string {
  return `(SELECT range.number FROM venture.text_range AS range
    WHERE range.first <= ${sql} COLLATE venture.text_order ORDER BY range.first DESC LIMIT 1)`;
}

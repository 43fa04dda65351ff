/** How the values of columns are stored in the facet index. */

export type MeasureUnit =
  /** Equal to the column. */
  | 'number'
  /** Days since 1970-01-01. */
  | 'day'
  /**
   * Of a whole number of at least 0: twice its first three digits followed by zeros, and one more if
   * other digits follow. So a million records have some thousand values, and a bound of three digits,
   * such as 1,500,000, divides them exactly.
   */
  | 'rounded'
  /** Text, equal to the column. */
  | 'text';

/** The values of a unit: stored ones are whole numbers, but for `text`. */
interface Unit {
  /** SQL of the stored value of a column. */
  readonly stored: (sql: string) => string;
  /** The stored number of a value of a filter; undefined or no whole number if the index cannot compare it. */
  readonly number: (value: unknown) => unknown;
}

const DIGITS = 3;
const DAY_MS = 86_400_000;

const NUMBER: Unit = { stored: (sql) => sql, number: (value) => value };

export const UNITS: Readonly<Record<MeasureUnit, Unit>> = Object.freeze({
  number: NUMBER,
  day: {
    stored: (sql) => `(${sql} - DATE '1970-01-01')`,
    number: (value) => Date.parse(String(value)) / DAY_MS,
  },
  rounded: {
    stored: (sql) => {
      const step = `(10 ^ greatest(length(${sql}::text) - ${DIGITS}, 0))::bigint`;
      return `(2 * (${sql} - ${sql} % ${step}) + (${sql} % ${step} <> 0)::integer)`;
    },
    number: (value) =>
      Number(value) % stepOf(Number(value)) === 0 ? 2 * Number(value) : undefined,
  },
  text: { stored: (sql) => sql, number: () => undefined },
});

function stepOf(value: number): number {
  return value < 0 ? 1 : 10 ** Math.max(String(value).length - DIGITS, 0);
}

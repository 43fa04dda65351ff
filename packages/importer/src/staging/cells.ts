/** Encodes values in the text format of PostgreSQL's COPY. */

/** The cell of an unknown value. */
export const NULL_CELL = '\\N';

const SPECIAL = /[\\\n\r\t]/u;
const ALL_SPECIAL = /[\\\n\r\t]/gu;
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** A text without NUL. */
export function textCell(value: string | null): string {
  if (value === null) return NULL_CELL;
  return SPECIAL.test(value) ? value.replace(ALL_SPECIAL, (sign) => ESCAPES[sign] ?? sign) : value;
}

/** A text array. */
export function textsCell(values: readonly string[]): string {
  if (values.length === 0) return '{}';
  let literal = '{';
  for (const value of values) {
    const quoted = /["\\]/u.test(value) ? value.replace(/["\\]/gu, '\\$&') : value;
    literal += literal.length === 1 ? `"${quoted}"` : `,"${quoted}"`;
  }
  return textCell(`${literal}}`);
}

/** An array of numbers. */
export function numbersCell(values: readonly number[]): string {
  return `{${values.join(',')}}`;
}

/** A JSON value whose texts contain no NUL. */
export function jsonCell(value: unknown): string {
  return textCell(JSON.stringify(value));
}

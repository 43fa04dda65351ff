/** A `$filter` whose values are escaped. */
export class Filter {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** A value that {@link filter} writes as a literal. A list stands after `in` and `notin`. */
export type FilterValue = FilterLiteral | readonly FilterLiteral[] | Filter;
type FilterLiteral = string | number | bigint | boolean | Date | null;

/**
 * A `$filter` of docs/spec/query-language.md with escaped values, such as
 * ``filter`Country eq ${country} and Founded ge ${2020}` ``. Values must not be in quotes; a nested
 * filter is put into parentheses.
 *
 * @throws TypeError for a value that cannot be a literal, or in quotes.
 */
export function filter(strings: TemplateStringsArray, ...values: readonly FilterValue[]): Filter {
  let text = strings[0] ?? '';
  let fixed = text;
  for (const [index, value] of values.entries()) {
    if (fixed.split("'").length % 2 === 0) {
      throw new TypeError('Do not put quotes around a value of a filter: it gets its own.');
    }
    const after = strings[index + 1] ?? '';
    fixed += after;
    text += written(value) + after;
  }
  return new Filter(text);
}

/** A text whose `%`, `_`, `*` and `\` a `like` pattern takes literally. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_*]/g, '\\$&');
}

function written(value: FilterValue): string {
  if (value instanceof Filter) return `(${value})`;
  return Array.isArray(value) ? `(${value.map(literal).join(',')})` : literal(value);
}

function literal(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return `${value}`;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  // A lone surrogate cannot be sent.
  if (typeof value === 'string' && !/\p{Surrogate}/u.test(value)) {
    return `'${value.replaceAll("'", "''")}'`;
  }
  const given = typeof value === 'object' ? 'an object' : `a ${typeof value} (${String(value)})`;
  throw new TypeError(`A filter cannot contain ${given}.`);
}

/** The conversions of a mapping: from the value of a column to the value of a field. */
import { readAmount, readCurrency } from './amount/read-amount.ts';
import { readDigits } from './amount/read-digits.ts';
import { dateReader } from './date-format.ts';
import type { Evaluation } from './expression.ts';
import type { Conversion, TableValue } from './mapping.ts';
import { compilePattern, type Found } from './pattern.ts';
import { readList } from './read-list.ts';
import { unreadable, whyNoList } from './unreadable.ts';

/** Converts a known value to that of the field; null if it is unknown. */
export type Converter = (value: unknown, evaluation: Evaluation) => unknown;

/** Compiles the steps of a conversion, which run in the order of the schema. */
export function convert(
  conversion: Conversion,
  tableOf: (name: string) => ReadonlyMap<string, TableValue>,
): Converter {
  const nulls = new Set(conversion.nulls);
  const match = conversion.match === undefined ? undefined : compilePattern(conversion.match);
  const lookUp = tableStep(conversion, tableOf);
  const read = readStep(conversion, tableOf);
  const one = (value: unknown, evaluation: Evaluation): unknown => {
    if (nulls.has(String(value))) return null;
    const matched = match === undefined ? value : matchedBy(match(String(value)));
    const found = matched === undefined ? undefined : lookUp(matched);
    if (found === null) return null;
    const result =
      found === undefined ? undefined : readEach((given) => read(given, evaluation), found);
    if (result === undefined) return unreadable(conversion, value, evaluation);
    return result === null ? null : (conversion.as ?? result);
  };
  const listOf = listStep(conversion);
  return (value, evaluation) => {
    const values = Array.isArray(value) ? value : listOf(value);
    if (values === undefined) return one(value, evaluation);
    if (values === 'unreadable') {
      return unreadable(conversion, value, evaluation, whyNoList(conversion), 'list');
    }
    return values.flatMap((element: unknown) => {
      const trimmed = typeof element === 'string' ? element.trim() : element;
      if (trimmed === '' || trimmed === null) return [];
      const result = one(trimmed, evaluation);
      return result === null ? [] : result;
    });
  };
}

/** The items of a text; undefined if the step makes no list. */
function listStep({
  separator,
  list,
}: Conversion): (value: unknown) => readonly unknown[] | 'unreadable' | undefined {
  if (list === true) return (value) => readList(String(value), separator) ?? 'unreadable';
  if (separator === undefined) return () => undefined;
  return (value) => {
    const text = String(value);
    const items = text.split(separator);
    return isQuotedList(text, items) ? 'unreadable' : items;
  };
}

/** A list in brackets, or an item that begins with a quote and ends without one. */
function isQuotedList(text: string, items: readonly string[]): boolean {
  const [first, last] = [text.trim().charAt(0), text.trim().slice(-1)];
  return (
    (first === '[' && last === ']') ||
    (first === '{' && last === '}') ||
    items.some((item) => /^\s*"/u.test(item) && !/"\s*$/u.test(item))
  );
}

/** A table may have several values for one. */
function readEach(read: (value: unknown) => unknown, found: TableValue | unknown): unknown {
  if (!Array.isArray(found)) return read(found);
  const results = found.map(read);
  return results.includes(undefined) ? undefined : results;
}

function matchedBy(found: Found | undefined): string | undefined {
  return found?.first ?? found?.all;
}

function tableStep(
  { table, otherwise }: Conversion,
  tableOf: (name: string) => ReadonlyMap<string, TableValue>,
): (value: unknown) => unknown {
  if (table === undefined) return (value) => value;
  const values = typeof table === 'string' ? tableOf(table) : new Map(Object.entries(table));
  return (value) => {
    const found = values.get(String(value));
    if (found !== undefined) return found;
    if (otherwise === 'keep') return value;
    return otherwise === 'null' ? null : undefined;
  };
}

function readStep(
  conversion: Conversion,
  tableOf: (name: string) => ReadonlyMap<string, TableValue>,
): Converter {
  const texts = (read: (text: string) => unknown) => (value: unknown) => read(String(value).trim());
  const { read } = conversion;
  if (read === undefined) return (value) => value;
  switch (read) {
    case 'text':
      return String;
    case 'number':
      return (value) => {
        if (typeof value === 'number') return value;
        const number = readDigits(String(value), conversion.decimal);
        return typeof number === 'number' ? number : undefined;
      };
    case 'money':
      return (value, { currency }) => {
        if (typeof value === 'number') return value;
        const amount = readAmount(String(value).trim(), conversion);
        return typeof amount === 'object' && isIn(amount.currencies, currency)
          ? amount.value
          : undefined;
      };
    case 'currency':
      return (value) => readCurrency(String(value).trim());
    case 'boolean':
      return texts((text) => booleans.get(text.toLowerCase()));
    case 'date': {
      const readInstant = instantReader(conversion);
      return texts((text) => readInstant(text)?.slice(0, 10));
    }
    case 'year': {
      const readInstant = instantReader(conversion);
      return texts((text) => {
        const instant = readInstant(text);
        return instant === undefined ? undefined : Number(instant.slice(0, 4));
      });
    }
    case 'instant':
      return texts(instantReader(conversion));
    case 'address':
      return texts(addressReader(conversion, tableOf));
  }
}

/** Whether an amount with this currency may belong to a record with that one (null: US dollars). */
function isIn(currencies: readonly string[], currency: string | null | undefined): boolean {
  if (currencies.length === 0 || currency === undefined) return true;
  return currency === null ? currencies[0] === 'USD' : currencies.includes(currency);
}

const booleans = new Map([
  ...['true', 't', 'yes', 'y', '1'].map((text) => [text, true] as const),
  ...['false', 'f', 'no', 'n', '0'].map((text) => [text, false] as const),
]);

function instantReader({ formats = ['ISO'], yearMax = 2069 }: Conversion) {
  const readers = formats.map((format) => dateReader(format, yearMax));
  return (text: string): string | undefined => {
    for (const read of readers) {
      const instant = read(text);
      if (instant !== undefined) return instant;
    }
    return undefined;
  };
}

function addressReader(
  { patterns = [], partTables = {} }: Conversion,
  tableOf: (name: string) => ReadonlyMap<string, TableValue>,
) {
  const compiled = patterns.map(({ pattern, parts = {}, partTables: own = {} }) => ({
    find: compilePattern(pattern),
    parts,
    tables: new Map(
      Object.entries({ ...partTables, ...own }).map(([part, name]) => [part, tableOf(name)]),
    ),
  }));
  return (text: string): Readonly<Record<string, unknown>> | undefined => {
    for (const { find, parts, tables } of compiled) {
      const found = find(text);
      if (found === undefined) continue;
      const address: Record<string, unknown> = { ...parts };
      for (const [part, value] of Object.entries(found.named)) {
        const trimmed = value?.trim();
        if (trimmed) address[part] = tables.get(part)?.get(trimmed) ?? trimmed;
      }
      return address;
    }
    return undefined;
  };
}

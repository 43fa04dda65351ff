import {
  type AggregateQuery,
  type AggregateRow,
  compareValues,
  type GroupKey,
  type Measure,
  PERCENTILES,
  type RecordCondition,
} from '../../src/port.ts';
import type { Value } from './oracle.ts';
import { dimensionOf } from './schema.ts';

/** A live record: its values, figures by id, and the ids of linked records. */
export interface Film {
  readonly values: readonly Value[];
  readonly figures: Readonly<Record<string, number | null>>;
  readonly links: readonly string[];
}

type Key = string | number | null;

/** The reference implementation: plain lists, sorted as a spreadsheet would sort them. */
export function aggregateNaively(query: AggregateQuery, films: readonly Film[]) {
  const { by, measures, order, skip, top } = query;
  const found = films.filter((film) => meets(film, query.where));
  const groups = new Map<string, { keys: readonly Key[]; members: Film[] }>();
  if (by.length === 0) groups.set('[]', { keys: [], members: [] });
  for (const film of found) {
    for (const keys of product(by.map((key) => keysOf(key, film)))) {
      const group = groups.get(JSON.stringify(keys)) ?? { keys, members: [] };
      groups.set(JSON.stringify(keys), group);
      group.members.push(film);
    }
  }
  const rows = [...groups.values()].map(({ keys, members }) => ({ keys, ...numbersOf(members) }));
  const ofMeasure = order.findIndex(({ measure }) => measure !== undefined);
  const hasNone = ({ keys }: AggregateRow) => Number(keys.includes(null));
  rows.sort((a, b) => {
    for (const [index, { measure, key, descending }] of order.entries()) {
      if (index === ofMeasure && hasNone(a) !== hasNone(b)) return hasNone(a) - hasNone(b);
      const of = (row: AggregateRow) =>
        measure === undefined ? rankOf(query, key ?? 0, row) : (row.measures[measure] ?? null);
      const difference = compare(of(a), of(b), descending ? -1 : 1);
      if (difference !== 0) return difference;
    }
    for (const [index] of by.entries()) {
      const difference = compare(rankOf(query, index, a), rankOf(query, index, b), 1);
      if (difference !== 0) return difference;
    }
    return 0;
  });
  return {
    groups: rows.length,
    rows: rows.slice(skip, skip + top),
    total: numbersOf(found),
  };

  function numbersOf(members: readonly Film[]) {
    const figures = measures.flatMap((each) => (each.kind === 'figure' ? [each.figure] : []));
    const known = figures.map((id) => [id, numbers(members, id).length]);
    return {
      measures: measures.map((measure) => measured(measure, members)),
      known: Object.fromEntries(known) as Record<string, number>,
    };
  }
}

function meets(film: Film, where: RecordCondition): boolean {
  switch (where.kind) {
    case 'and':
      return where.of.every((each) => meets(film, each));
    case 'or':
      return where.of.some((each) => meets(film, each));
    case 'not':
      return !meets(film, where.of);
    case 'values':
      return valuesOf(film, where.dimension).some((each) => where.values.includes(each));
    case 'any':
      return valuesOf(film, where.dimension).length > 0;
    case 'figure': {
      const figure = film.figures[where.figure] ?? null;
      if (figure === null) return false;
      return figure >= (where.least ?? figure) && figure <= (where.most ?? figure);
    }
    default:
      throw new TypeError(`No condition ${where.kind} is generated.`);
  }
}

function valuesOf({ values }: Film, id: string): readonly (string | number)[] {
  const { number, isNumeric } = dimensionOf(id);
  return values.flatMap((each) => {
    if (each.dimension !== number) return [];
    return [isNumeric ? Number(each.value) : each.value];
  });
}

function keysOf(key: GroupKey, film: Film): readonly Key[] {
  if (key.kind === 'dimension') {
    const values = valuesOf(film, key.dimension);
    return values.length === 0 ? [null] : values;
  }
  const day = film.figures[key.figure] ?? null;
  if (day === null) return [null];
  const [year = '', month = ''] = new Date(day * 86_400_000).toISOString().split('-');
  if (key.unit === 'year') return [year];
  if (key.unit === 'month') return [`${year}-${month}`];
  return [`${year}-Q${Math.ceil(Number(month) / 3)}`];
}

function product(lists: readonly (readonly Key[])[]): readonly (readonly Key[])[] {
  return lists.reduce<readonly (readonly Key[])[]>(
    (all, list) => all.flatMap((keys) => list.map((key) => [...keys, key])),
    [[]],
  );
}

function measured(measure: Measure, members: readonly Film[]): number | null {
  if (measure.kind === 'count') return members.length;
  if (measure.kind === 'related') return new Set(members.flatMap(({ links }) => links)).size;
  if (measure.kind === 'distinct') {
    return new Set(members.flatMap((film) => valuesOf(film, measure.dimension))).size;
  }
  if (measure.kind === 'distinctFigure') return new Set(numbers(members, measure.figure)).size;
  const sorted = numbers(members, measure.figure).sort((a, b) => a - b);
  if (sorted.length === 0) return null;
  const sum = sorted.reduce((all, each) => all + each, 0);
  if (measure.of === 'sum') return sum;
  if (measure.of === 'average') return sum / sorted.length;
  if (measure.of === 'min') return sorted[0] ?? null;
  if (measure.of === 'max') return sorted.at(-1) ?? null;
  const position = PERCENTILES[measure.of] * (sorted.length - 1);
  const lower = sorted[Math.floor(position)] as number;
  const upper = sorted[Math.ceil(position)] as number;
  return lower + (upper - lower) * (position - Math.floor(position));
}

function numbers(members: readonly Film[], id: string): number[] {
  return members.flatMap(({ figures }) => figures[id] ?? []);
}

type Rank = string | number | { readonly folded: string; readonly value: string } | null;

function rankOf({ by }: AggregateQuery, index: number, { keys }: AggregateRow): Rank {
  const [key, value] = [by[index], keys[index] ?? null];
  if (key?.kind !== 'dimension' || typeof value !== 'string') return value;
  return { folded: value.replace('!', '').toLowerCase(), value };
}

/** Without a value last, in either direction. */
function compare(a: Rank, b: Rank, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'object' && typeof b === 'object') return sign * compareValues(a, b);
  return a === b ? 0 : sign * (a < b ? -1 : 1);
}

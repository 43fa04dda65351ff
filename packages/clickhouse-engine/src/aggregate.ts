/** Aggregates: one scan of the records computes all groups, and all records together as one more. */
import {
  type AggregateQuery,
  type AggregateRow,
  type Aggregates,
  type GroupKey,
  type GroupOrder,
  type Measure,
  PERCENTILES,
  TooManyGroupsError,
  timeText,
} from '@vcds/facet-engine';
import type { Compiler } from './conditions.ts';
import { linkColumn } from './tables.ts';

/** In place of the codes of keys: the group of all records. */
const ALL = 4_294_967_295;
const YEAR_MAX = 9_999;
/** Days before 1970 of the first date that ClickHouse has, and days after which the calendar repeats. */
const FIRST_DAY = 25_567;
const CYCLE_DAYS = 146_097;
const CYCLE_YEARS = 400;

type Unit = Extract<GroupKey, { kind: 'time' }>['unit'];
type Cell = number | null;

/** A group; `m…` are its measures, `n…` the records that have each figure, `v…` the values of keys. */
export type GroupRow = Readonly<Record<string, unknown>> & {
  readonly k?: readonly number[];
  /** All groups, with that of all records. */
  readonly groups?: number;
};

export function compileAggregate(query: AggregateQuery, compiler: Compiler): string {
  const { entity, by, measures, where } = query;
  const numbers = [
    'count() AS records',
    ...measures.map((each, index) => `${measureSql(each, entity, compiler)} AS m${index}`),
    ...figuresOf(measures).map((id, index) => `count(${compiler.figure(entity, id)}) AS n${index}`),
  ].join(', ');
  const from = `FROM ${compiler.records(entity)} WHERE ${compiler.condition(entity, where)}`;
  if (by.length === 0) return `SELECT ${numbers} ${from}`;
  const keys = by.map((key) => keySql(key, entity, compiler));
  const joins = by.map((key, index) => {
    if (key.kind === 'time') return '';
    const { number } = compiler.dimension(key.dimension);
    return ` ANY LEFT JOIN (SELECT code, value, folded FROM ${compiler.values}
      WHERE dimension = ${number}) AS v${index} ON v${index}.code = tupleElement(g.k, ${index + 1})`;
  });
  const values = by.map((key, index) =>
    key.kind === 'time' ? '' : `, v${index}.value AS v${index}_value`,
  );
  return `SELECT g.*, count() OVER () AS groups${values.join('')}
    FROM (SELECT arrayJoin(arrayConcat([${tupleOf(by.map(() => `toUInt32(${ALL})`))}], ${product(keys)})) AS k,
      ${numbers} ${from} GROUP BY k) AS g${joins.join('')}
    ORDER BY ${orderSql(query, compiler).join(', ')} LIMIT ${query.top + query.skip + 1}`;
}

/** @throws TooManyGroupsError */
export function aggregatesOf(
  query: AggregateQuery,
  rows: readonly GroupRow[],
  compiler: Compiler,
): Omit<Aggregates, 'asOf'> {
  const { by, skip, top, groupsMax } = query;
  const [all] = rows;
  const total = numbersOf(query, all ?? {});
  if (by.length === 0) {
    return { rows: top > 0 && skip === 0 ? [{ keys: [], ...total }] : [], total, groups: 1 };
  }
  const groups = Math.max(0, (all?.groups ?? 0) - 1);
  if (groups > groupsMax) throw new TooManyGroupsError(groupsMax);
  const page = rows.slice(1 + skip, 1 + skip + top).map(
    (row): AggregateRow => ({
      keys: by.map((key, index) => keyValue(key, index, row, compiler)),
      ...numbersOf(query, row),
    }),
  );
  return { rows: page, total, groups };
}

function numbersOf({ measures }: AggregateQuery, row: GroupRow): Omit<AggregateRow, 'keys'> {
  const cell = (name: string) => (row[name] ?? null) as Cell;
  return {
    // Without a row there is no record.
    measures: measures.map(
      ({ kind }, index) => cell(`m${index}`) ?? (kind === 'figure' ? null : 0),
    ),
    known: Object.fromEntries(figuresOf(measures).map((id, index) => [id, cell(`n${index}`) ?? 0])),
  };
}

function keyValue(key: GroupKey, index: number, row: GroupRow, compiler: Compiler) {
  const code = row.k?.[index] ?? 0;
  if (code === 0) return null;
  if (key.kind === 'time') return timeText(code - 1, key.unit);
  const value = String(row[`v${index}_value`]);
  return compiler.dimension(key.dimension).isNumeric ? Number(value) : value;
}

function figuresOf(measures: readonly Measure[]): readonly string[] {
  return [...new Set(measures.flatMap((each) => (each.kind === 'figure' ? each.figure : [])))];
}

/** The codes of a record's values of a key, 0 without one. */
function keySql(key: GroupKey, entity: string, compiler: Compiler): string {
  if (key.kind === 'time') return `[${timeSql(compiler.figure(entity, key.figure), key.unit)}]`;
  const { column } = compiler.dimension(key.dimension);
  return `if(empty(${column}), [toUInt32(0)], ${column})`;
}

/**
 * The number of a unit of time of a day, from 1; 0 outside the years that have one. ClickHouse has dates of 400
 * years, after which the calendar repeats.
 */
function timeSql(column: string, unit: Unit): string {
  const day = `(toInt64(ifNull(${column}, 0)) + ${FIRST_DAY})`;
  const date = `addDays(toDate32('1900-01-01'), positiveModulo(${day}, ${CYCLE_DAYS}))`;
  const year = `(toYear(${date}) + ${CYCLE_YEARS} * toInt64(floor(${day} / ${CYCLE_DAYS})))`;
  const number = {
    year: `${year} - 1`,
    quarter: `(${year} - 1) * 4 + toQuarter(${date}) - 1`,
    month: `(${year} - 1) * 12 + toMonth(${date}) - 1`,
  }[unit];
  const isKnown = `isNotNull(${column}) AND ${year} BETWEEN 1 AND ${YEAR_MAX}`;
  return `toUInt32(if(${isKnown}, ${number} + 1, 0))`;
}

/** The combinations of the values of all keys, as tuples. */
function product(keys: readonly string[]): string {
  const names = keys.map((_, index) => `x${index}`);
  return keys.reduceRight(
    (inner, key, index) =>
      index === keys.length - 1
        ? `arrayMap(${names[index]} -> ${inner}, ${key})`
        : `arrayFlatten(arrayMap(${names[index]} -> ${inner}, ${key}))`,
    tupleOf(names),
  );
}

function tupleOf(parts: readonly string[]): string {
  return `tuple(${parts.join(', ')})`;
}

function measureSql(measure: Measure, entity: string, compiler: Compiler): string {
  if (measure.kind === 'count') return 'count()';
  if (measure.kind === 'distinct') {
    return `uniqExactArray(${compiler.dimension(measure.dimension).column})`;
  }
  if (measure.kind === 'distinctFigure') {
    return `uniqExact(${compiler.figure(entity, measure.figure)})`;
  }
  if (measure.kind === 'related') {
    const { links } = compiler.relation(measure.relation);
    if (links.of !== 'from') throw new RangeError(`${measure.relation} has no links of its own.`);
    return `uniqExactArray(${linkColumn(links.index)})`;
  }
  const column = compiler.figure(entity, measure.figure);
  switch (measure.of) {
    case 'average':
      return `sum(${column}) / count(${column})`;
    case 'sum':
    case 'min':
    case 'max':
      return `${measure.of}(${column})`;
    default:
      return `quantileExactInclusive(${PERCENTILES[measure.of]})(${column})`;
  }
}

function orderSql({ order, by }: AggregateQuery, compiler: Compiler): readonly string[] {
  const own = by.map((_, key): GroupOrder => ({ key, descending: false }));
  const isAll = `tupleElement(g.k, 1) = ${ALL}`;
  const measured = order.findIndex(({ measure }) => measure !== undefined);
  // In an order by a measure, groups in which a key has no value come last.
  const withoutValue = by.map((_, key) => `tupleElement(g.k, ${key + 1}) = 0`).join(' OR ');
  return [
    `${isAll} DESC`,
    ...[...order, ...own].flatMap(({ measure, key = 0, descending }, index) => {
      const direction = descending ? 'DESC' : 'ASC';
      if (measure !== undefined) {
        const number = `g.m${measure} ${direction} NULLS LAST`;
        return index === measured ? [`(${withoutValue}) ASC`, number] : [number];
      }
      const code = `tupleElement(g.k, ${key + 1})`;
      const none = `${code} = 0 ASC`;
      const of = by[key];
      if (of?.kind !== 'dimension') return [none, `${code} ${direction}`];
      if (compiler.dimension(of.dimension).isNumeric) {
        return [none, `toFloat64OrZero(v${key}.value) ${direction}`];
      }
      return [none, `v${key}.folded ${direction}`, `v${key}.value ${direction}`];
    }),
  ];
}

/**
 * Aggregates by one statement of the database: what the index does not have, and entities of few records. It is the
 * reference of the engine in memory in tests.
 */
import { PERCENTILES } from '@vcds/facet-engine';
import { compileFilter } from '../collections/filter-sql.ts';
import { compileNarrowing, hasAny } from '../narrowing/sql.ts';
import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import type { ResourceField } from '../resources/index.ts';
import { ofValuation, VALUATION_OWNERS, type ValuationReading } from './entities.ts';
import { type GroupKey, investorDimension, type Measure } from './measures.ts';
import { type AggregatesPlan, GROUPS_MAX, type Order } from './plan.ts';

const ROW = 'r';

/** The row of the statement. */
export interface AggregatesRow {
  /** The number of groups, or one more than the bound. */
  readonly groups: number;
  readonly rows: readonly GroupRow[];
  readonly total: Omit<GroupRow, 'keys'>;
  /** The last batch of the facet index, which the records follow. */
  readonly batch: string;
}

/** By index: keys, measures, and how many records have the field of each measure. */
export interface GroupRow {
  readonly keys: readonly (string | number | null)[];
  readonly measures: readonly (number | null)[];
  readonly known: readonly (number | null)[];
}

/** The statement; its row is {@link AggregatesRow}. */
export function compileAggregates(plan: AggregatesPlan): Statement {
  const { resource, by, measures, order, top, skip } = plan;
  const values = new SqlValues();
  const conditions = [
    resource.live(ROW),
    narrowedBy(plan, values),
    ...(plan.filter === undefined ? [] : [compileFilter(plan.filter, ROW, values)]),
  ].join(' AND ');
  const keys = by.map((_, index) => `k${index}`);
  const named = by.map((key, index) => `${keySql(key, index, plan)} AS k${index}`);
  const joins = by.map((key, index) => keyJoin(key, index, plan)).join('');
  const lists = relatedLists(plan, conditions);
  const numbers = measures.flatMap((measure, index) => [
    `${measureSql(measure, index)} AS m${index}`,
    `${knownSql(measure)} AS n${index}`,
  ]);
  const grouped = (isTotal: boolean) =>
    `SELECT ${[...(isTotal ? [] : named), ...numbers].join(', ')}
      FROM ${resource.table} AS ${ROW}${lists.joins}${isTotal ? '' : joins} WHERE ${conditions}
      ${isTotal || keys.length === 0 ? '' : `GROUP BY ${keys.join(', ')}`}`;
  const list = (prefix: string, of: readonly unknown[]) =>
    `json_build_array(${of.map((_, index) => `${prefix}${index}`).join(', ')})`;
  const ranked = by.map((key, index) => folded(key, index));
  const positions = [...order, ...by.map((_, key): Order => ({ key, descending: false }))];
  const measured = positions.findIndex(({ measure }) => measure !== undefined);
  const ordered = positions.map((each, index) =>
    index === measured ? [...groupsWithoutValue(keys), orderSql(each, by)] : orderSql(each, by),
  );
  const text = `WITH ${lists.queries}grouped AS MATERIALIZED (
      SELECT * FROM (${grouped(false)}) AS g LIMIT ${GROUPS_MAX + 1}
    ), page AS (
      SELECT row_number() OVER () AS position, ordered.* FROM (
        SELECT g.* FROM grouped AS g${ranked.map(({ join }) => join).join('')}
        ORDER BY ${ordered.flat().join(', ') || '1'}
        LIMIT ${top} OFFSET ${skip}) AS ordered
    )
    SELECT (SELECT count(*)::int FROM grouped) AS groups,
      (SELECT coalesce(json_agg(json_build_object('keys', ${list('k', by)},
        'measures', ${list('m', measures)}, 'known', ${list('n', measures)}) ORDER BY position), '[]')
        FROM page) AS rows,
      (SELECT json_build_object('measures', ${list('m', measures)}, 'known', ${list('n', measures)})
        FROM (${grouped(true)}) AS t) AS total,
      (SELECT coalesce(max(version), 0)::text FROM venture.facet_state) AS batch`;
  return { text, values: values.values, plan: 'custom', scans: true };
}

function narrowedBy({ entity, narrowing }: AggregatesPlan, values: SqlValues): string {
  if (narrowing.length === 0) return 'true';
  if (entity !== 'valuations') return compileNarrowing(narrowing, entity, ROW, values);
  const by = (of: ValuationReading['of']) =>
    narrowing.filter(({ dimension }) => ofValuation(dimension).of === of);
  const own = by('valuation').map(({ dimension, values: wanted }) =>
    hasAny(ofValuation(dimension).reading, ROW, dimension.sqlType, wanted, values),
  );
  const owners = (['round', 'company'] as const).flatMap((of) => {
    if (by(of).length === 0) return [];
    const met = compileNarrowing(by(of), OWNED[of], 'owner', values);
    return [`EXISTS (SELECT ${VALUATION_OWNERS[of](ROW)} AND ${met})`];
  });
  return [...own, ...owners].join(' AND ');
}

const OWNED = { round: 'rounds', company: 'startups' } as const;

/** How a dimension is read from the records of the plan: the reading, and the rows that have it. */
function source(key: GroupKey & { kind: 'dimension' }, { entity }: AggregatesPlan) {
  if (entity === 'valuations') return valuationSource(key);
  const reading = key.dimension.readings[entity];
  const from = reading.through?.from(ROW);
  return { reading, from, row: from === undefined ? ROW : 'related' };
}

function valuationSource({ dimension }: GroupKey & { kind: 'dimension' }) {
  const { of, reading } = ofValuation(dimension);
  if (of === 'valuation') return { reading, from: undefined, row: ROW };
  const from = VALUATION_OWNERS[of](ROW);
  if (reading.through === undefined) return { reading, from, row: 'owner' };
  const related = `CROSS JOIN LATERAL (SELECT related.* ${reading.through.from('owner')}) AS related WHERE`;
  return { reading, from: from.replace(' WHERE', ` ${related}`), row: 'related' };
}

function keySql(key: GroupKey, index: number, plan: AggregatesPlan): string {
  if (key.kind === 'time') return timeSql(key.unit, columnOf(key.field), key.field.type);
  const { reading, from, row } = source(key, plan);
  // The table of values has ids as text.
  const type = key.dimension.names === undefined ? '' : '::text';
  return from === undefined && !reading.many
    ? `${reading.sql(row)}${type}`
    : `j${index}.value${type}`;
}

/** The different values of a record, or null without one. */
function keyJoin(key: GroupKey, index: number, plan: AggregatesPlan): string {
  if (key.kind === 'time') return '';
  const { reading, from, row } = source(key, plan);
  if (from === undefined && !reading.many) return '';
  if (from === undefined && reading.each !== undefined) {
    return ` LEFT JOIN LATERAL (${reading.each(ROW)}) AS j${index} ON true`;
  }
  const value = reading.sql(row);
  const rows = reading.many
    ? `SELECT DISTINCT e.value FROM ${from === undefined ? '' : `(SELECT ${value} AS list ${from}) AS l CROSS JOIN LATERAL `}unnest(${
        from === undefined ? value : 'l.list'
      }) AS e(value) WHERE e.value IS NOT NULL`
    : `SELECT DISTINCT e.value FROM (SELECT ${value} AS value ${from}) AS e WHERE e.value IS NOT NULL`;
  return ` LEFT JOIN LATERAL (${rows}) AS j${index} ON true`;
}

const FORMATS = { year: 'YYYY', quarter: 'YYYY-"Q"Q', month: 'YYYY-MM' } as const;

function timeSql(unit: keyof typeof FORMATS, column: string, type: ResourceField['type']): string {
  const utc = type === 'instant' ? `(${column} AT TIME ZONE 'UTC')` : column;
  return `to_char(${utc}, '${FORMATS[unit]}')`;
}

function columnOf({ match, answer, name }: ResourceField): string {
  if (match?.kind === 'column') return match.sql(ROW);
  if (answer === undefined) throw new TypeError(`${name} has no column.`);
  return answer(ROW);
}

/** A date is a number of days since 1970-01-01. */
function numberOf(field: ResourceField): string {
  const column = columnOf(field);
  return field.type === 'date' ? `(${column} - DATE '1970-01-01')` : column;
}

function measureSql(measure: Measure, index: number): string {
  if (measure.kind === 'count') return 'count(*)::float8';
  if (measure.kind === 'distinct') return distinctSql(measure.field, index);
  const number = numberOf(measure.field);
  switch (measure.of) {
    case 'sum':
      return `sum(${number})::float8`;
    case 'average':
      return `avg(${number})::float8`;
    case 'min':
    case 'max':
      return `${measure.of}(${number})::float8`;
    default:
      return `percentile_cont(${PERCENTILES[measure.of]}) WITHIN GROUP (ORDER BY (${number})::float8)`;
  }
}

function distinctSql(field: ResourceField, index: number): string {
  if (field.match?.kind !== 'related') return `count(DISTINCT ${columnOf(field)})::float8`;
  return `(SELECT count(DISTINCT e.id::uuid)::float8
    FROM unnest(string_to_array(string_agg(list${index}.ids, ','), ',')) AS e(id))`;
}

/**
 * The ids of related records of all records, joined at once: a look-up for each record and group took seconds for 20,000
 * rounds. Text, because arrays of different lengths have no aggregate.
 */
function relatedLists({ measures, resource, entity }: AggregatesPlan, conditions: string) {
  const of = measures.flatMap((measure, index) => {
    if (measure.kind !== 'distinct' || measure.field.match?.kind !== 'related') return [];
    // Funds alone, as the dimension of investors.
    const { readings } = investorDimension(measure.field.name);
    const each = readings[entity === 'valuations' ? 'startups' : entity].each;
    if (each === undefined) throw new TypeError(`${measure.field.name} has no ids.`);
    const query = `list${index} AS MATERIALIZED (
      SELECT ${ROW}.id, string_agg(e.value::text, ',') AS ids
      FROM ${resource.table} AS ${ROW} CROSS JOIN LATERAL (${each(ROW)}) AS e
      WHERE ${conditions} GROUP BY ${ROW}.id), `;
    return [{ query, join: ` LEFT JOIN list${index} ON list${index}.id = ${ROW}.id` }];
  });
  return {
    queries: of.map(({ query }) => query).join(''),
    joins: of.map(({ join }) => join).join(''),
  };
}

function knownSql(measure: Measure): string {
  return measure.kind === 'figure' ? `count(${numberOf(measure.field)})::int` : 'NULL::int';
}

/** The text of a value by which it is ordered: that of the facet index. */
function folded(key: GroupKey, index: number): { readonly join: string } {
  if (key.kind === 'time' || key.dimension.isOrdinal) return { join: '' };
  return {
    join: ` LEFT JOIN venture.dimension_value AS d${index}
      ON d${index}.dimension = ${key.dimension.number} AND d${index}.value = g.k${index}`,
  };
}

/** In an order by a measure, groups in which a key has no value come last. */
function groupsWithoutValue(keys: readonly string[]): readonly string[] {
  return keys.length === 0 ? [] : [`num_nulls(${keys.map((each) => `g.${each}`).join(', ')}) > 0`];
}

function orderSql({ measure, key, descending }: Order, by: readonly GroupKey[]): string {
  const direction = descending ? 'DESC' : 'ASC';
  if (measure !== undefined) return `g.m${measure} ${direction} NULLS LAST`;
  const of = by[key ?? 0];
  const own = `g.k${key ?? 0}`;
  if (of?.kind !== 'dimension' || of.dimension.isOrdinal) {
    return `${own}${of?.kind === 'time' ? ' COLLATE "C"' : ''} ${direction} NULLS LAST`;
  }
  return `coalesce(d${key ?? 0}.folded, venture.fold(${own})) COLLATE "C" ${direction} NULLS LAST,
    ${own} COLLATE "C" ${direction} NULLS LAST`;
}

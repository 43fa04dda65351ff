/** The statements that look up values of dimensions. */
import {
  DIMENSIONS,
  type Dimension,
  ENTITIES,
  ENTITY_IDS,
  type EntityId,
} from '@vcds/venture-model';
import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import { TERM_KINDS } from './former-spellings.ts';
import { isYearOf } from './plan.ts';

/** The most values that an error names in place of an unknown one. */
const NEARBY_MAX = 50;
/** No year at a larger distance is suggested. */
const NEAR_YEARS = 10;
/** Minimum trigram similarity of a suggestion; less similar values are only listed. */
export const SIMILARITY_MIN = 0.4;

/** A value of a dimension. */
export interface Valued {
  readonly dimension: Pick<Dimension, 'number'>;
  readonly value: string;
}

export interface ValuedDimension extends Valued {
  readonly dimension: Dimension;
}

const IS_COUNTED = `EXISTS (SELECT FROM venture.facet_count c
  WHERE c.entity = ANY (${numbersOf(ENTITY_IDS)}) AND c.code = d.code AND c.count > 0)`;

const OF_FUNDS = `IN (${DIMENSIONS.flatMap(({ names, number }) => (names ? [number] : [])).join(', ')})`;

/** Of a value of such a dimension. The planner never casts that of another. */
const FUND_ID = `CASE WHEN d.dimension ${OF_FUNDS} THEN d.value::uuid END`;

const OCCURS = `EXISTS (SELECT FROM venture.dimension_value d
  WHERE d.dimension = w.dimension AND d.value = w.value AND ${IS_COUNTED})`;

/** Of each value, whether it occurs. */
export function counted(wanted: readonly Valued[]): Statement {
  return ofEach(wanted, `${OCCURS} AS known`);
}

/**
 * Of each value, whether it occurs, and the labels of the terms of which it is another spelling; in
 * two countries a city is two terms. Of a dimension of records, the ids of those that have this id or name, and
 * their names.
 */
export function looked(wanted: readonly Valued[]): Statement {
  const kinds = [...TERM_KINDS].map(([number, kind]) => `WHEN ${number} THEN '${kind}'`).join(' ');
  const named = (column: string) => `(SELECT array_agg(${column} ORDER BY d.value)
     FROM venture.dimension_value d JOIN venture.fund f ON f.id = ${FUND_ID}
     WHERE d.dimension = w.dimension AND (d.value = w.value OR d.folded = venture.fold(w.value))
       AND ${IS_COUNTED})`;
  return ofEach(
    wanted,
    `${OCCURS} AS known, CASE WHEN w.dimension ${OF_FUNDS} THEN ${named('d.value')} ELSE
       (SELECT array_agg(DISTINCT t.label) FROM venture.term_spelling s
       JOIN venture.term t USING (kind, country, folded)
       WHERE s.kind = CASE w.dimension ${kinds} END AND s.spelling = w.value
         AND t.label <> s.spelling) END AS stored,
     CASE WHEN w.dimension ${OF_FUNDS} THEN ${named('f.name')} END AS labels`,
  );
}

function ofEach(wanted: readonly Valued[], columns: string): Statement {
  const values = new SqlValues();
  const dimensions = values.add(
    wanted.map(({ dimension }) => dimension.number),
    'smallint[]',
  );
  const texts = values.add(
    wanted.map(({ value }) => value),
    'text[]',
  );
  const text = `SELECT ${columns}
    FROM unnest(${dimensions}, ${texts}) WITH ORDINALITY AS w(dimension, value, position)
    ORDER BY w.position`;
  return { text, values: values.values, plan: 'generic' };
}

// Materialized, so that the planner estimates the cost of all matches and uses an index for rare
// values. For the first match alone it may choose a sequential scan.
/** Of each value, whether a record has it. */
export function occurring(all: readonly ValuedDimension[]): Statement {
  const values = new SqlValues();
  const columns = all.map((each) => occursIn(each, values));
  const text = `SELECT ARRAY[${columns.join(', ')}]::boolean[] AS known`;
  return { text, values: values.values, plan: 'custom' };
}

function occursIn({ dimension, value }: ValuedDimension, values: SqlValues): string {
  const wanted = values.add(value, dimension.sqlType);
  const hits = dimension.entities.map((entity) => {
    const { sql, many, has: hasAny } = dimension.readings[entity];
    const equal = many ? `${sql('r')} @> ARRAY[${wanted}]` : `${sql('r')} = ${wanted}`;
    const has = hasAny?.('r', `ARRAY[${wanted}]`) ?? equal;
    const { table, listed } = ENTITIES[entity];
    return `SELECT FROM ${table} r WHERE ${has} AND ${listed('r')}`;
  });
  return `(WITH hit AS MATERIALIZED (${hits.join(' UNION ALL ')}) SELECT EXISTS (SELECT FROM hit))`;
}

/** A range of years: `2010-2015`. */
const YEARS = /^(\d{4})\s*(?:-|–|—|\.\.|to)\s*(\d{4})$/;
/** A longer range is not suggested as a list. */
const RANGE_MAX = 30;

/** The years of a range that occur, in their order; undefined for a text that is no short range. */
export function yearsOfRange({ dimension, value }: ValuedDimension): Statement | undefined {
  const [, from, to] = YEARS.exec(value) ?? [];
  const length = Number(to) - Number(from);
  if (dimension.kind !== 'bucketed' || !(length >= 0 && length < RANGE_MAX)) return undefined;
  const values = new SqlValues();
  const text = `SELECT d.value FROM venture.dimension_value d
    WHERE d.dimension = ${values.add(dimension.number, 'smallint')}
      AND d.value BETWEEN ${values.add(from ?? '', 'text')} AND ${values.add(to ?? '', 'text')}
      AND length(d.value) = 4 AND ${IS_COUNTED}
    ORDER BY d.value`;
  return { text, values: values.values, plan: 'generic' };
}

export function nearbyStatement({ dimension, value }: ValuedDimension): Statement {
  const values = new SqlValues();
  const number = values.add(dimension.number, 'smallint');
  const wanted = values.add(value, 'text');
  const text = isYearOf(dimension, value)
    ? nearYears(number, wanted)
    : nearTexts(dimension, number, wanted);
  return { text, values: values.values, plan: 'custom' };
}

function nearYears(number: string, wanted: string): string {
  return `SELECT d.value, d.value AS stored, abs(d.value::int - ${wanted}::int) <= ${NEAR_YEARS} AS alike
    FROM venture.dimension_value d
    WHERE d.dimension = ${number} AND ${IS_COUNTED}
    ORDER BY abs(d.value::int - ${wanted}::int), d.value LIMIT ${NEARBY_MAX}`;
}

// The most similar values; if none is similar, the most common ones of the dimension's entities.
function nearTexts({ entities, names }: Dimension, number: string, wanted: string): string {
  const label = names ? `(SELECT f.name FROM venture.fund f WHERE f.id = ${FUND_ID})` : 'd.value';
  const counted = `FROM venture.dimension_value d CROSS JOIN LATERAL (
      SELECT max(c.count) AS count FROM venture.facet_count c
      WHERE c.entity = ANY (${numbersOf(entities)}) AND c.code = d.code) c
    WHERE d.dimension = ${number} AND c.count > 0`;
  return `WITH alike AS MATERIALIZED (
      SELECT ${label} AS value, d.value AS stored, venture.similarity(d.folded, venture.fold(${wanted})) AS nearness, c.count
      ${counted} AND d.folded OPERATOR(venture.%) venture.fold(${wanted}))
    SELECT value, stored, nearness >= ${SIMILARITY_MIN} IS TRUE AS alike FROM (
      SELECT value, stored, nearness, count FROM alike
      UNION ALL
      SELECT ${label}, d.value, NULL, c.count ${counted} AND NOT EXISTS (SELECT FROM alike)) AS nearby
    ORDER BY nearness DESC, count DESC, value COLLATE "C" LIMIT ${NEARBY_MAX}`;
}

function numbersOf(entities: readonly EntityId[]): string {
  return `'{${entities.map((id) => ENTITIES[id].number).join(',')}}'`;
}

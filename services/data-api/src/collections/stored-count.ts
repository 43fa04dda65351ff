/**
 * Counts from the facet index: the stored counts, or those of an engine in memory. They reflect every
 * change but those still in the log of the index; a statement, with one snapshot, corrects the count
 * by the records in the log, so the result is exact.
 */
import { indexedById, TOTAL } from '@vcds/venture-model';
import type { SqlValues } from '../postgres/sql-values.ts';
import {
  type CountCondition,
  type IndexCondition,
  type IndexLeaf,
  patternsOf,
} from './count-condition.ts';
import { patternSql } from './filter-sql.ts';

/** For more records in the log, the records are counted instead. */
const PENDING_MAX = 2_000;

/** A pattern that more values match is not evaluated in memory. */
const VALUES_MAX = 1_000;

/** The records of a statement: the table, and the conditions under the alias `row`. */
export interface CountedRows {
  readonly table: string;
  readonly row: string;
  readonly conditions: string;
  /** The conditions as the facet index has them, and the number to add to their count. */
  readonly indexed: { readonly conditions: string; readonly gap: string | undefined };
}

/** SQL of the number of matches. */
export interface StoredCount {
  /** By the stored counts; null if they are behind: without a batch, or with too many changes in the log. */
  readonly indexed: string;
  /** By the records. */
  readonly read: string;
}

/**
 * The count of a condition; undefined if no stored count has it: they have all records, those with
 * one value of a dimension, or with several if a record has at most one.
 */
export function compileStoredCount(
  condition: CountCondition,
  rowsOf: () => CountedRows,
  values: SqlValues,
): StoredCount | undefined {
  const stored = storedOf(condition, values);
  if (stored === undefined) return undefined;
  const rows = rowsOf();
  const { table, row, conditions } = rows;
  return {
    indexed: `CASE WHEN EXISTS (SELECT FROM venture.facet_state) AND NOT ${isLogLong(condition)}
      THEN ${stored} + ${correction(condition, rows, values)} END`,
    read: `(SELECT count(*) FROM ${table} AS ${row} WHERE ${conditions})`,
  };
}

/**
 * SQL of the version of the facet index, 0 before its first batch, of the values that match each pattern, null
 * if these are too many, and of the number to add to the count of the records that had the codes then; null if too
 * many records are in the log.
 */
export function compileCorrection(
  condition: CountCondition,
  rows: CountedRows,
  values: SqlValues,
): string {
  const lists = patternsOf(condition.where).map((each) => {
    const found = `SELECT d.value FROM ${valuesOf(each, values)} LIMIT ${VALUES_MAX + 1}`;
    return `(SELECT CASE WHEN count(*) <= ${VALUES_MAX} THEN coalesce(json_agg(l.value), '[]') END
      FROM (${found}) AS l)`;
  });
  return `SELECT coalesce((SELECT version FROM venture.facet_state), 0) AS version,
    json_build_array(${lists.join(', ')}) AS lists,
    CASE WHEN NOT ${isLogLong(condition)} THEN ${correction(condition, rows, values)} END AS correction`;
}

function correction(
  { entity, where, isOwn }: CountCondition,
  { table, row, indexed }: CountedRows,
  values: SqlValues,
): string {
  const { conditions, gap } = indexed;
  const ids = compileLoggedIds({ entity, isOwn });
  // OFFSET: the rows are looked up by id, whatever the planner expects of the conditions.
  return `(SELECT count(*) FROM (
      SELECT * FROM ${table} AS t WHERE t.id = ANY (${ids}) OFFSET 0) AS ${row} WHERE ${conditions})
    - ${countLoggedCodes({ entity, isOwn, where }, values)}
    ${gap === undefined ? '' : `+ ${gap}`}`;
}

/**
 * SQL of the number of the records in the log whose codes in the index meet a condition.
 *
 * @param extra a condition on the alias `f` of the index
 */
export function countLoggedCodes(
  { where, ...of }: Pick<CountCondition, 'entity' | 'isOwn' | 'where'>,
  values: SqlValues,
  extra = 'true',
): string {
  return `(SELECT count(*) FROM (
    SELECT * FROM ${of.entity.facetTable} AS f
      WHERE f.id = ANY (${compileLoggedIds(of)}) AND NOT f.deleted OFFSET 0) AS f
    WHERE ${hasCodes(where, values)} AND ${extra})`;
}

/** SQL of the ids of the records in the log, an array. */
export function compileLoggedIds({ entity, isOwn }: Pick<CountCondition, 'entity' | 'isOwn'>) {
  return `ARRAY(SELECT p.id FROM (${pending(isOwn)}) AS p WHERE p.entity = ${entity.number})`;
}

/** SQL of whether the log has more records than {@link compileLoggedIds} has. */
export function isLogLong({ isOwn }: Pick<CountCondition, 'isOwn'>): string {
  return `((SELECT count(*) FROM (${pending(isOwn)}) AS p) > ${pendingMax(isOwn)})`;
}

// The same rows each time, because all parts of a statement have one snapshot.
function pending(isOwn: boolean): string {
  return `SELECT c.entity, c.id FROM venture.facet_change AS c
    ORDER BY c.position LIMIT ${pendingMax(isOwn) + 1}`;
}

// A change of a related record is not in the log of the records that have its values.
function pendingMax(isOwn: boolean): number {
  return isOwn ? PENDING_MAX : 0;
}

function storedOf({ entity, where }: CountCondition, values: SqlValues): string | undefined {
  const countOf = (codes: string) => `coalesce((SELECT sum(s.count) FROM venture.facet_count AS s
    WHERE s.entity = ${entity.number} AND s.code = ANY (${codes})), 0)::bigint`;
  const all = countOf(`'{${TOTAL}}'`);
  const isNegated = where.kind === 'not';
  const leaf = isNegated ? where.of : where;
  if (leaf.kind === 'and' && leaf.of.length === 0) return isNegated ? '0::bigint' : all;
  if (leaf.kind === 'and' || leaf.kind === 'or' || leaf.kind === 'not') return undefined;
  const reading = indexedById(leaf.dimension).readings[entity.id];
  const hasOne = reading?.many === false && reading.through?.many !== true;
  if (!hasOne && !(leaf.kind === 'values' && leaf.values.length === 1)) return undefined;
  const stored = countOf(`ARRAY(${codesOf(leaf, values)})`);
  return isNegated ? `${all} - ${stored}` : stored;
}

/** The condition on the codes of the alias `f`. */
function hasCodes(where: IndexCondition, values: SqlValues): string {
  switch (where.kind) {
    case 'and':
    case 'or': {
      const of = where.of.map((each) => hasCodes(each, values));
      return of.length === 0 ? String(where.kind === 'and') : `(${of.join(` ${where.kind} `)})`;
    }
    case 'not':
      return `NOT ${hasCodes(where.of, values)}`;
    case 'any':
      return `EXISTS (${codesOf(where, values)} AND d.code = ANY (f.codes))`;
    case 'values':
    case 'like':
    case 'range':
      return `f.codes && ARRAY(${codesOf(where, values)})`;
  }
}

function codesOf(leaf: IndexLeaf, values: SqlValues): string {
  return `SELECT d.code FROM ${valuesOf(leaf, values)}`;
}

function valuesOf(leaf: IndexLeaf, values: SqlValues): string {
  const { number } = indexedById(leaf.dimension);
  const codes = `venture.dimension_value AS d WHERE d.dimension = ${number}`;
  if (leaf.kind === 'any') return codes;
  if (leaf.kind === 'like') return `${codes} AND d.folded LIKE ${patternSql(leaf.pattern, values)}`;
  if (leaf.kind === 'values') {
    return `${codes} AND d.value = ANY (${values.add(leaf.values.map(String), 'text[]')})`;
  }
  // Values of other dimensions may be no numbers, whatever the order of evaluation.
  const value = `CASE WHEN d.dimension = ${number} THEN d.value::bigint END`;
  const bounds = [
    ...(leaf.least === null ? [] : [`${value} >= ${values.add(leaf.least, 'bigint')}`]),
    ...(leaf.most === null ? [] : [`${value} <= ${values.add(leaf.most, 'bigint')}`]),
  ];
  return [codes, ...bounds].join(' AND ');
}

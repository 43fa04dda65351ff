/** Compiles counts to SQL. */
import type { BoundFilter } from '@vcds/odata-query';
import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import type { ResourceField } from '../resources/index.ts';
import { type CountCondition, conditionOf } from './count-condition.ts';
import type { CountPlan } from './plan.ts';
import { conditions, mayScan, ROW, underParent } from './sql.ts';
import { type CountedRows, compileCorrection, compileStoredCount } from './stored-count.ts';
import { suitsGenericPlan } from './suits-generic-plan.ts';

type Filter = BoundFilter<ResourceField>;

const OPPOSITES = { lt: 'ge', ge: 'lt', le: 'gt', gt: 'le' } as const;

/** The statement of a count. */
export interface CountStatement {
  readonly statement: Statement;
  /** Whether it reads stored counts. Then its row has `isBehind`: whether it had to read the records. */
  readonly isStored: boolean;
}

/**
 * The statement of the number of matches.
 *
 * @param condition of the plan, if it is on dimensions alone
 */
export function compileCount(plan: CountPlan, condition = conditionOf(plan)): CountStatement {
  const values = new SqlValues();
  const rowsOf = () => countedRows(plan, condition, values);
  const stored = condition && compileStoredCount(condition, rowsOf, values);
  if (stored !== undefined) {
    return storedStatement(stored.indexed, `coalesce(s.count, ${stored.read})`, plan, values);
  }
  const text = `SELECT 0 AS records, false AS more,
    ${underParent(plan.parent, bodyOf('count(*)'), values)} AS body
    FROM ${plan.resource.table} AS ${ROW} WHERE ${conditions(plan, values)}`;
  return { statement: countStatement(text, plan, values), isStored: false };
}

/**
 * The statement of the number of all records less those that do not match, which it reads instead of
 * the matches. Undefined if there is no simpler condition for these, or the number of all records is not stored.
 */
export function compileCountByRest(plan: CountPlan): CountStatement | undefined {
  const rest = plan.filter && restOf(plan.filter);
  const all = conditionOf({ ...plan, filter: undefined });
  if (rest === undefined || all === undefined) return undefined;
  const values = new SqlValues();
  const rowsOf = () => countedRows({ ...plan, filter: undefined }, all, values);
  const stored = compileStoredCount(all, rowsOf, values);
  if (stored === undefined) return undefined;
  const read = (
    filter: Filter | undefined,
  ) => `(SELECT count(*) FROM ${plan.resource.table} AS ${ROW}
    WHERE ${conditions({ ...plan, filter }, values)})`;
  const count = `CASE WHEN s.count IS NULL THEN ${read(plan.filter)} ELSE s.count - ${read(rest)} END`;
  return storedStatement(stored.indexed, count, plan, values);
}

/** The records that do not match, as a condition that an index of the field may have. */
function restOf(filter: Filter): Filter | undefined {
  if (filter.kind === 'not') return filter.operand;
  if (filter.kind === 'in' && filter.negated) return { ...filter, negated: false };
  if (filter.kind !== 'compare') return undefined;
  const { operator, field, value } = filter;
  if (operator === 'ne') return { ...filter, operator: 'eq' };
  // No index has the records with another value and those without one.
  if (operator === 'eq') return value === null ? { ...filter, operator: 'ne' } : undefined;
  // Records without a value meet no order operator.
  return field.notNull === true ? { ...filter, operator: OPPOSITES[operator] } : undefined;
}

// OFFSET 0 keeps the stored count one value, read once.
function storedStatement(
  stored: string,
  count: string,
  plan: CountPlan,
  values: SqlValues,
): CountStatement {
  const text = `SELECT 0 AS records, false AS more, s.count IS NULL AS "isBehind", ${bodyOf(count)} AS body
    FROM (SELECT ${stored} AS count OFFSET 0) AS s`;
  return { statement: countStatement(text, plan, values), isStored: true };
}

/** The statement of {@link compileCorrection}. */
export function compileCountCorrection(plan: CountPlan, condition: CountCondition): Statement {
  const values = new SqlValues();
  const text = compileCorrection(condition, countedRows(plan, condition, values), values);
  return countStatement(text, plan, values);
}

function countedRows(
  plan: CountPlan,
  condition: CountCondition | undefined,
  values: SqlValues,
): CountedRows {
  const { table } = plan.resource;
  const exact = conditions(plan, values);
  const rows = { table, row: ROW, conditions: exact };
  if (condition?.rounded === undefined) {
    return { ...rows, indexed: { conditions: exact, gap: undefined } };
  }
  const { filter, gaps } = condition.rounded;
  const rounded = conditions({ ...plan, filter }, values);
  // With the conditions of listed records, which the indexes contain.
  const between = conditions({ ...plan, filter: { kind: 'or', operands: gaps } }, values);
  const gap = `(SELECT count(*) FILTER (WHERE ${exact}) - count(*) FILTER (WHERE ${rounded})
    FROM ${table} AS ${ROW} WHERE ${between})`;
  return { ...rows, indexed: { conditions: rounded, gap } };
}

function countStatement(text: string, plan: CountPlan, { values }: SqlValues): Statement {
  const isGeneric = suitsGenericPlan(plan);
  return { text, values, plan: isGeneric ? 'generic' : 'custom', scans: mayScan(plan) };
}

const bodyOf = (count: string) => `'{"count":' || ${count} || '}'`;

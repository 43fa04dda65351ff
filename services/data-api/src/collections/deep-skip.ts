/**
 * A page of an order by several keys after many records: the position of the last of these is looked
 * up, and the page starts after it, as by a cursor. The records before are counted by the index of the
 * first key; only those that share its value there are sorted.
 */
import type { Database } from '../postgres/database.ts';
import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import type { KeyValue } from './cursor.ts';
import { type Boundary, effectiveKeys, ordering, sortSql, sqlTypeOf } from './order.ts';
import type { OrderKey, PagePlan } from './plan.ts';
import { keysSql, orderTerms } from './position.ts';
import { conditions, mayScan, ROW, SKIP_WITH_ROWS_MAX } from './sql.ts';

/** The records with one value of the first key, and the number of those before them. */
interface Group {
  readonly value: Boundary;
  readonly before: string;
}

/** The same page as a plan that skips no records it would have to sort. */
export async function withoutDeepSkip(
  plan: PagePlan,
  database: Pick<Database, 'rows'>,
): Promise<PagePlan> {
  const keys = effectiveKeys(plan.resource, plan.orderBy, ROW);
  const [first] = keys;
  const isShort = plan.skip <= SKIP_WITH_ROWS_MAX || plan.parent !== undefined;
  if (isShort || first === undefined || keys.length === 1) return plan;
  const [group] = await database.rows<Group>(compileGroup(plan, first));
  // Without so many records the page is empty, in any order.
  if (group === undefined) return { ...plan, orderBy: [first] };
  const position = compilePosition(plan, keys, group);
  const [found] = await database.rows<{ keys: readonly KeyValue[] }>(position);
  // A record of the group is gone since: the database has to skip the others.
  if (found === undefined) return plan;
  return { ...plan, skip: 0, after: { keys: found.keys, seen: 0n } };
}

// The group of the last skipped record.
function compileGroup(plan: PagePlan, first: OrderKey): Statement {
  const values = new SqlValues();
  const { resource, skip } = plan;
  const key = sortSql(first.field, ROW);
  const from = `FROM ${resource.table} AS ${ROW} WHERE ${conditions(plan, values)}`;
  const value = `(SELECT g.value::${sqlTypeOf(first.field)} FROM last AS g)`;
  const isNull = '(SELECT g.value IS NULL FROM last AS g)';
  // Each is a range of the index of the key.
  const before = first.descending
    ? [`${key} > ${value}`, `${key} IS NOT NULL AND ${isNull}`]
    : [`${key} < ${value}`, `${key} IS NULL AND NOT ${isNull}`];
  const counts = before.map((condition) => `(SELECT count(*) ${from} AND ${condition})`);
  const text = `WITH last AS MATERIALIZED (SELECT (${key})::text AS value ${from}
      ORDER BY ${ordering(resource, [first], ROW)} LIMIT 1 OFFSET ${skip - 1})
    SELECT g.value, ${counts.join(' + ')} AS before FROM last AS g`;
  return { text, values: values.values, plan: 'custom', scans: mayScan(plan) };
}

function compilePosition(plan: PagePlan, keys: readonly OrderKey[], group: Group): Statement {
  const values = new SqlValues();
  const { resource, skip } = plan;
  const [first, ...rest] = keys;
  if (first === undefined) throw new TypeError('The order has no keys.');
  const key = sortSql(first.field, ROW);
  const met = conditions(plan, values);
  const isIn =
    group.value === null
      ? `${key} IS NULL`
      : `${key} = ${values.add(group.value, sqlTypeOf(first.field))}`;
  const text = `SELECT ${keysSql(orderTerms(resource, keys), ROW)} AS keys
    FROM ${resource.table} AS ${ROW} WHERE ${met} AND ${isIn}
    ORDER BY ${ordering(resource, rest, ROW)} LIMIT 1 OFFSET ${skip - 1 - Number(group.before)}`;
  return { text, values: values.values, plan: 'custom', scans: mayScan(plan) };
}

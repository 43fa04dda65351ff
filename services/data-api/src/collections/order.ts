/**
 * Orders as SQL. Nulls are first in ascending and last in descending order, so that one index serves
 * both directions; the tie break has the direction of the last key for the same reason.
 */
import type { SqlValues } from '../postgres/sql-values.ts';
import type { Resource, ResourceField } from '../resources/index.ts';
import type { OrderKey } from './plan.ts';

/** The value of a sort key in the last row of a page, as text. */
export type Boundary = string | null;

/** The rows of an order that meet conditions on its keys, and their order. */
export interface OrderPart {
  readonly conditions: (values: SqlValues) => readonly string[];
  readonly order: string;
  /** The values of the first keys that all of these rows have. */
  readonly shared: readonly Boundary[];
}

/** The keys up to the tie break; keys after it order nothing. */
export function effectiveKeys(
  { tieBreak }: Resource,
  keys: readonly OrderKey[],
  row: string,
): readonly OrderKey[] {
  const last = keys.findIndex(({ field }) => sortSql(field, row) === `${row}.${tieBreak}`);
  return last === -1 ? keys : keys.slice(0, last + 1);
}

/** Whether an order has more than one key beside the tie break. */
export function hasSeveralKeys(resource: Resource, keys: readonly OrderKey[]): boolean {
  return effectiveKeys(resource, keys, 'r').length > 1;
}

/** The content of ORDER BY: the keys, and the tie break. */
export function ordering(
  resource: Resource,
  keys: readonly OrderKey[],
  row: string,
  isReversed = false,
): string {
  const tieBreak = `${row}.${resource.tieBreak}`;
  const direction = (descending: boolean) => (descending === isReversed ? 'ASC' : 'DESC');
  const written = effectiveKeys(resource, keys, row).map(({ field, descending }) => {
    const sql = sortSql(field, row);
    const order = direction(descending);
    if (sql === tieBreak) return `${sql} ${order}`;
    return `${sql} ${order} NULLS ${order === 'DESC' ? 'LAST' : 'FIRST'}`;
  });
  const isComplete = written.at(-1)?.startsWith(`${tieBreak} `) ?? false;
  const last = direction(keys.at(-1)?.descending ?? false);
  return [...written, ...(isComplete ? [] : [`${tieBreak} ${last}`])].join(', ');
}

/**
 * The parts of an order by several keys: the rows with a first key before its boundary, equal to it,
 * and after it; the equal ones again in parts, by the next key and boundary. Together they are all
 * rows in order, whatever the boundaries are. Many rows may share the value of a key: with the value
 * in its condition, the planner can read these by an index of the next key, instead of all of them
 * to sort them.
 */
export function partsAround(
  resource: Resource,
  keys: readonly OrderKey[],
  [boundary, ...boundaries]: readonly Boundary[],
  row: string,
): readonly OrderPart[] {
  const [first, ...others] = keys;
  const order = ordering(resource, keys, row);
  if (first === undefined || boundary === undefined)
    return [{ conditions: () => [], order, shared: [] }];
  const key = sortSql(first.field, row);
  const compared = (operator: string) => (values: SqlValues) => [
    `${key} ${operator} ${values.add(boundary, sqlTypeOf(first.field))}`,
  ];
  const isNull = () => [`${key} IS NULL`];
  const equal = boundary === null ? isNull : compared('=');
  const within = partsAround(resource, others, boundaries, row).map((part) => ({
    ...part,
    conditions: (values: SqlValues) => [...equal(values), ...part.conditions(values)],
    shared: [boundary, ...part.shared],
  }));
  const nulls = first.field.notNull
    ? []
    : [{ conditions: isNull, order: ordering(resource, others, row), shared: [null] }];
  const lower = [{ conditions: compared('<'), order, shared: [] }];
  const higher = [{ conditions: compared('>'), order, shared: [] }];
  const rest = [{ conditions: () => [`${key} IS NOT NULL`], order, shared: [] }];
  const before = first.descending ? higher : [...nulls, ...lower];
  const after = first.descending ? [...lower, ...nulls] : higher;
  if (boundary === null) return first.descending ? [...rest, ...within] : [...within, ...rest];
  return [...before, ...within, ...after];
}

/** The expression that sorts by a field. */
export function sortSql(field: ResourceField, row: string): string {
  if (field.match?.kind !== 'column') throw new TypeError(`${field.name} cannot be sorted.`);
  const { sql, ordered = sql } = field.match;
  return ordered(row);
}

/** The SQL type of a field that can be sorted. */
export function sqlTypeOf({ match, name }: ResourceField): string {
  if (match?.kind !== 'column') throw new TypeError(`${name} cannot be sorted.`);
  return match.sqlType;
}

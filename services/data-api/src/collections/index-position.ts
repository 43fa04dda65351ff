/** Records before a position in an order, as conditions on the values of the facet index. */
import type { RecordStart } from '@vcds/facet-engine';
import type { IndexCondition } from './count-condition.ts';
import type { FirstRecordsQuery } from './indexed-order.ts';

/** A key that the index has, and its value of the position as the index stores it; null for none. */
export type PositionKey = Pick<FirstRecordsQuery['order'][number], 'dimension' | 'descending'> & {
  readonly value: number | null;
};

/** The keys of a position: the first ones of an order, which the position has. */
export function positionKeys(
  order: FirstRecordsQuery['order'],
  { values }: RecordStart,
): readonly PositionKey[] {
  return order
    .slice(0, values.length)
    .map(({ dimension, descending }, i) => ({ dimension, descending, value: values[i] ?? null }));
}

/** Records whose values are before those of a position. */
export function isBeforeKeys(keys: readonly PositionKey[]): IndexCondition {
  const of = keys.map((key, i): IndexCondition => {
    return { kind: 'and', of: [...keys.slice(0, i).map(isEqual), isBefore(key)] };
  });
  return { kind: 'or', of };
}

/** Records that have the values of a position. */
export function hasKeys(keys: readonly PositionKey[]): IndexCondition {
  return { kind: 'and', of: keys.map(isEqual) };
}

function isEqual({ dimension, value }: PositionKey): IndexCondition {
  if (value === null) return { kind: 'not', of: { kind: 'any', dimension } };
  return { kind: 'values', dimension, values: [value] };
}

// Records without a value are first in ascending and last in descending order.
function isBefore({ dimension, value, descending }: PositionKey): IndexCondition {
  const any: IndexCondition = { kind: 'any', dimension };
  if (value === null) return descending ? any : { kind: 'or', of: [] };
  if (descending) return { kind: 'range', dimension, least: value + 1, most: null };
  const lower: IndexCondition = { kind: 'range', dimension, least: null, most: value - 1 };
  return { kind: 'or', of: [lower, { kind: 'not', of: any }] };
}

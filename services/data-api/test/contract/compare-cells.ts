import type { Cell } from '../../../../packages/odata-query/test/reference-evaluator.ts';
import type { ResourceField } from '../../src/resources/index.ts';

/** Ignores case and accents, as the collation of the database. */
export const collator = new Intl.Collator('und', { sensitivity: 'base' });

/** Negative, zero or positive as one value of a field is before, equal to or after another one; null is first. */
export function compareCells(
  { type }: ResourceField,
  one: Cell | undefined,
  other: Cell | undefined,
): number {
  const [a, b] = [one ?? null, other ?? null];
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  if (type === 'text') return collator.compare(String(a), String(b));
  const [left, right] =
    type === 'instant' ? [Date.parse(String(a)), Date.parse(String(b))] : [a, b];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

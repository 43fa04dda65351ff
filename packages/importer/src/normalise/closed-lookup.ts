import { type ClosedValue, closedValueOf, spellingsOf } from '@vcds/odata-query';

/** The stored value for a value, label, slug or member name: those that filters accept. */
export function closedValue(
  list: readonly ClosedValue[],
  given: unknown,
): ClosedValue['value'] | undefined {
  const isWritten = typeof given === 'string' || typeof given === 'number';
  return isWritten ? closedValueOf(list, String(given))?.value : undefined;
}

/** Everything that a line may have for the value. */
export function formsOf(row: ClosedValue): readonly (string | number)[] {
  return [...new Set([row.value, ...spellingsOf(row)])];
}

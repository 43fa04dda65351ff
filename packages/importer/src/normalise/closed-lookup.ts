import { type ClosedValue, closedValueOf, spellingsOf } from '@vcds/odata-query';

const FOLDED = new WeakMap<readonly ClosedValue[], ReadonlyMap<string, ClosedValue['value']>>();

/** The stored value for a value, label, slug or member name: those that filters accept. */
export function closedValue(
  list: readonly ClosedValue[],
  given: unknown,
): ClosedValue['value'] | undefined {
  const isWritten = typeof given === 'string' || typeof given === 'number';
  return isWritten ? closedValueOf(list, String(given))?.value : undefined;
}

/** As {@link closedValue}, whatever the case: for texts that were not written for this field. */
export function closedValueOfAnyCase(
  list: readonly ClosedValue[],
  text: string,
): ClosedValue['value'] | undefined {
  let table = FOLDED.get(list);
  if (table === undefined) {
    table = new Map(
      list.flatMap(({ name, slug, label, value }) =>
        [name, slug, label].map((form) => [form.toLowerCase(), value] as const),
      ),
    );
    FOLDED.set(list, table);
  }
  return table.get(text.toLowerCase());
}

/** Everything that a line may have for the value. */
export function formsOf(row: ClosedValue): readonly (string | number)[] {
  return [...new Set([row.value, ...spellingsOf(row)])];
}

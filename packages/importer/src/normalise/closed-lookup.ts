import type { ClosedValue } from '@vcds/odata-query';

const tables = new WeakMap<readonly ClosedValue[], ReadonlyMap<unknown, ClosedValue['value']>>();
const folded = new WeakMap<readonly ClosedValue[], ReadonlyMap<string, ClosedValue['value']>>();

/** The stored value behind a value, label, slug or member name, case as given. */
export function closedValue(
  list: readonly ClosedValue[],
  given: unknown,
): ClosedValue['value'] | undefined {
  let table = tables.get(list);
  if (table === undefined) {
    table = new Map(
      list.flatMap((row) =>
        formsOf(row).map((form): [unknown, ClosedValue['value']] => [form, row.value]),
      ),
    );
    tables.set(list, table);
  }
  return table.get(given);
}

/** As {@link closedValue}, whatever the case: for texts that were not written for this field. */
export function closedValueOfAnyCase(
  list: readonly ClosedValue[],
  text: string,
): ClosedValue['value'] | undefined {
  let table = folded.get(list);
  if (table === undefined) {
    table = new Map(
      list.flatMap((row) =>
        [row.name, row.slug, row.label].map((form): [string, ClosedValue['value']] => [
          form.toLowerCase(),
          row.value,
        ]),
      ),
    );
    folded.set(list, table);
  }
  return table.get(text.toLowerCase());
}

/** Everything a caller may write for the value. */
export function formsOf(row: ClosedValue): readonly (string | number)[] {
  return [...new Set([row.value, row.label, row.slug, row.name])];
}

/**
 * The entries of a table that a list names, in the order of the table; all for an empty list.
 *
 * @throws for an unknown name.
 */
export function chosen<T>(
  table: Readonly<Record<string, T>>,
  list: string,
): Readonly<Record<string, T>> {
  const names = list.split(',').filter(Boolean);
  const unknown = names.find((name) => !Object.hasOwn(table, name));
  if (unknown !== undefined) {
    throw new Error(`Unknown name ${unknown}. Use ${Object.keys(table).join(', ')}.`);
  }
  if (names.length === 0) return table;
  return Object.fromEntries(Object.entries(table).filter(([name]) => names.includes(name)));
}

/** The values of dimensions with their numbers of records, from facets or from groups. */

export interface CountedValue {
  readonly value: string;
  readonly label: string;
  readonly count: number;
}

/** By dimension. */
export type Counts = Readonly<Record<string, readonly CountedValue[]>>;

interface Facets {
  readonly facets?: Readonly<
    Record<
      string,
      readonly { readonly value: unknown; readonly label: string; readonly count: number }[]
    >
  >;
  readonly rows?: readonly Readonly<Record<string, unknown>>[];
}

/** @param body of `/categories/facets`, or of `/aggregates` by one dimension. */
export function countsOf(body: unknown, dimensions: readonly string[]): Counts {
  const { facets, rows = [] } = body as Facets;
  const valuesOf = (id: string): CountedValue[] => {
    if (facets !== undefined) return (facets[id] ?? []).map(countedOf);
    return rows
      .filter((row) => row[id] !== null)
      .map((row) => countedOf({ ...labelled(row[id]), count: Number(row.count) }));
  };
  return Object.fromEntries(dimensions.map((id) => [id, valuesOf(id)]));
}

// The label of a closed value narrows as well as its number, and is readable in the address.
function countedOf({
  value,
  label,
  count,
}: {
  value: unknown;
  label: string;
  count: number;
}): CountedValue {
  return { value: typeof value === 'number' ? label : String(value), label, count };
}

/** An investor has an id and a name. */
function labelled(key: unknown): { value: unknown; label: string } {
  const { Id, Name } = Object(key) as { readonly Id?: unknown; readonly Name?: unknown };
  return { value: Id ?? key, label: String(Name ?? key) };
}

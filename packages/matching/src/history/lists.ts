/** A list of numbers for each key: `items` from `start[key]` up to `start[key + 1]`. */
export interface Lists {
  readonly start: Uint32Array;
  readonly items: Uint32Array;
}

/** Groups items by key, in the order in which `each` gives them; it is called twice. */
export function listsOf(
  keys: number,
  each: (give: (key: number, item: number) => void) => void,
): Lists {
  const start = new Uint32Array(keys + 1);
  each((key) => {
    start[key + 1] = (start[key + 1] as number) + 1;
  });
  for (let key = 1; key <= keys; key++) {
    start[key] = (start[key] as number) + (start[key - 1] as number);
  }
  const items = new Uint32Array(start[keys] as number);
  const next = start.slice();
  each((key, item) => {
    const at = next[key] as number;
    items[at] = item;
    next[key] = at + 1;
  });
  return { start, items };
}

/** The list of a key. */
export function listOf({ start, items }: Lists, key: number): Uint32Array {
  return items.subarray(start[key], start[key + 1]);
}

/** A table without a prototype: `constructor` is not a row of it. */
export function table<T extends Readonly<Record<string, readonly string[]>>>(rows: T): T {
  return Object.freeze(Object.assign(Object.create(null), rows));
}

/** Words separated by blanks. */
export function words(text: string): readonly string[] {
  return Object.freeze(text.trim().split(/\s+/));
}

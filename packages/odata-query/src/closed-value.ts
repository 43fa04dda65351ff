import type { ClosedValue } from './field-spec.ts';

/** The accepted spellings of each list, computed once per list. */
const SPELLINGS = new WeakMap<readonly ClosedValue[], ReadonlyMap<string, ClosedValue>>();

/**
 * The value of a list that a text stands for: its label, slug, member name or number, as it is
 * spelled there and no other way, `4` but neither `4.0` nor `04` (docs/spec/categories.md 8.3).
 */
export function closedValueOf(list: readonly ClosedValue[], text: string): ClosedValue | undefined {
  let spellings = SPELLINGS.get(list);
  if (spellings === undefined) {
    spellings = new Map(
      list.flatMap((entry) => spellingsOf(entry).map((spelling) => [spelling, entry] as const)),
    );
    SPELLINGS.set(list, spellings);
  }
  return spellings.get(text);
}

/** Everything a caller may write for the value. */
export function spellingsOf({ value, label, slug, name }: ClosedValue): readonly string[] {
  return [label, slug, name, String(value)];
}

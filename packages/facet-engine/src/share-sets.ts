import type { SetColumn } from './segment.ts';

/** Columns share the numbers of their sets while there are at most so many combinations. */
const COMBINATIONS_MAX = 1_024;

/** Columns that share one array of numbers, each number a combination of their sets. */
interface Group {
  /** Number of the combination, by record. */
  readonly numbers: Uint16Array;
  /** Number of combinations. */
  readonly count: number;
  readonly members: readonly Member[];
}

interface Member {
  readonly index: number;
  readonly column: SetColumn;
  /** Set of the column, by combination. */
  readonly setOf: Uint16Array;
}

/**
 * Replaces columns of few sets by columns that share the array `sets`: the number of a record then
 * stands for its combination of sets, and two numbers may stand for equal sets of one column.
 * Records are then counted once for all these columns. The other columns are returned as they are.
 */
export function shareSets(
  columns: readonly (SetColumn | undefined)[],
  records: number,
): readonly (SetColumn | undefined)[] {
  const small = columns
    .flatMap((column, index) => (column === undefined ? [] : [{ column, index }]))
    .filter(({ column }) => column.setCount <= COMBINATIONS_MAX)
    .sort((a, b) => a.column.setCount - b.column.setCount);
  const groups: Group[] = [];
  for (const { column, index } of small) {
    const at = groups.findIndex((group, i) => {
      const extended = extend(group, index, column, records);
      if (extended !== undefined) groups[i] = extended;
      return extended !== undefined;
    });
    if (at < 0) groups.push(groupOf(index, column, records));
  }
  const shared = [...columns];
  for (const { numbers, count, members } of groups) {
    if (members.length === 1) continue;
    for (const { index, column, setOf } of members) {
      shared[index] = renumber(column, numbers, count, setOf);
    }
  }
  return shared;
}

function groupOf(index: number, column: SetColumn, records: number): Group {
  const { sets, setCount: count } = column;
  const setOf = Uint16Array.from({ length: count }, (_, set) => set);
  return { numbers: sets.subarray(0, records), count, members: [{ index, column, setOf }] };
}

/** The group with another column; undefined if it has too many combinations. */
function extend(
  { numbers, count, members }: Group,
  index: number,
  column: SetColumn,
  records: number,
): Group | undefined {
  const { sets, setCount } = column;
  // By combination of the group and set of the column: 1 + the number of the new combination.
  const found = new Uint16Array(count * setCount);
  const combined = new Uint16Array(records);
  const before = new Uint16Array(COMBINATIONS_MAX);
  const setOf = new Uint16Array(COMBINATIONS_MAX);
  let length = 0;
  for (let r = 0; r < records; r++) {
    const number = numbers[r] as number;
    const set = sets[r] as number;
    const key = number * setCount + set;
    if (found[key] === 0) {
      if (length === COMBINATIONS_MAX) return undefined;
      before[length] = number;
      setOf[length] = set;
      length += 1;
      found[key] = length;
    }
    combined[r] = (found[key] as number) - 1;
  }
  const kept = members.map((member) => ({
    ...member,
    setOf: before.subarray(0, length).map((number) => member.setOf[number] as number),
  }));
  const added = { index, column, setOf: setOf.subarray(0, length) };
  return { numbers: combined, count: length, members: [...kept, added] };
}

/** The column with a set for each combination. */
function renumber(
  { offsets, values, isSingle }: SetColumn,
  numbers: Uint16Array,
  count: number,
  setOf: Uint16Array,
): SetColumn {
  const renumbered = new Uint32Array(count + 1);
  const listed: number[] = [];
  for (let number = 0; number < count; number++) {
    const set = setOf[number] as number;
    const end = offsets[set + 1] as number;
    for (let i = offsets[set] as number; i < end; i++) listed.push(values[i] as number);
    renumbered[number + 1] = listed.length;
  }
  return {
    ...{ kind: 'sets', sets: numbers, setCount: count, offsets: renumbered },
    ...{ values: Uint32Array.from(listed), isSingle },
  };
}

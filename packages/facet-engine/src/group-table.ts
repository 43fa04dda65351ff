import { withRoom } from './arrays.ts';

/** Numbers below this are in an array, others in a map. */
const DENSE_MAX = 4_194_304;

/** Numbers the groups of records, from 0 in the order in which they are found, by the numbers of their keys. */
export class GroupTable {
  readonly #levels: readonly Level[];

  /** @param sizes by key: above the highest number of its values. */
  constructor(sizes: readonly number[]) {
    this.#levels = sizes.map((size) => new Level(size));
  }

  /** The number of groups. Without keys there is one. */
  get size(): number {
    return this.#levels.at(-1)?.size ?? 1;
  }

  /** The group of the values of the first `level` keys and one more. */
  groupOf(level: number, group: number, value: number): number {
    return (this.#levels[level] as Level).numberOf(group, value);
  }

  /** By key, the number of the value of each group. */
  keys(): readonly Float64Array[] {
    const keys = this.#levels.map(() => new Float64Array(this.size));
    for (let group = 0; group < this.size; group++) {
      let at = group;
      for (let level = keys.length - 1; level >= 0; level--) {
        const { parents, values } = this.#levels[level] as Level;
        (keys[level] as Float64Array)[group] = values[at] as number;
        at = parents[at] as number;
      }
    }
    return keys;
  }
}

/** The groups by the first keys, each of which has a parent by the keys before the last of them. */
class Level {
  size = 0;
  parents = new Uint32Array(1_024);
  values = new Uint32Array(1_024);
  readonly #width: number;
  /** 1 + the number of the group. */
  #dense = new Uint32Array(1_024);
  readonly #others = new Map<number, number>();

  constructor(width: number) {
    this.#width = width;
  }

  numberOf(parent: number, value: number): number {
    const key = parent * this.#width + value;
    if (key < DENSE_MAX) {
      this.#dense = withRoom(this.#dense, key + 1);
      const known = this.#dense[key] as number;
      if (known > 0) return known - 1;
      this.#dense[key] = this.size + 1;
    } else {
      const known = this.#others.get(key);
      if (known !== undefined) return known;
      this.#others.set(key, this.size);
    }
    this.parents = withRoom(this.parents, this.size + 1);
    this.values = withRoom(this.values, this.size + 1);
    this.parents[this.size] = parent;
    this.values[this.size] = value;
    this.size += 1;
    return this.size - 1;
  }
}

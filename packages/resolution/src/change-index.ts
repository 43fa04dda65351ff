import { BLOCK_MAX } from './block-index.ts';
import type { Compiled } from './compile.ts';
import { type Crowd, sizeClass } from './features.ts';
import { crowdKeysOf, isCrowdKey, keysOf } from './keys.ts';

/** Whether a position holds a statement of before, of now, or of both. */
const BOTH = 0;
const BEFORE = 1;
const NOW = 2;

const MIX = 0x9e3779b1;

/** A set of keys that is asked about each key of each statement: a bit of 2^24 first. */
class KeySet {
  readonly #bits = new Uint8Array(2 ** 21);
  readonly #keys = new Map<number, number[]>();

  constructor(keys: Iterable<number>) {
    for (const key of keys) {
      const bit = Math.imul(key, MIX) >>> 8;
      this.#bits[bit >> 3] = (this.#bits[bit >> 3] ?? 0) | (1 << (bit & 7));
      this.#keys.set(key, []);
    }
  }

  /** The positions of a key; undefined for a key that is not sought. */
  get(key: number): number[] | undefined {
    const bit = Math.imul(key, MIX) >>> 8;
    return ((this.#bits[bit >> 3] ?? 0) >> (bit & 7)) & 1 ? this.#keys.get(key) : undefined;
  }
}

/**
 * The statements of the last run by their keys, with those that changed since: finds the pairs that
 * a full run would compare with another result than before. Memory: 4 bytes a key and the ids.
 */
export class ChangeIndex {
  readonly #ids: string[] = [];
  readonly #sources: number[] = [];
  readonly #sourceNumbers = new Map<string, number>();
  readonly #when: number[] = [];
  readonly #starts: number[] = [0];
  #keys = new Int32Array(2 ** 16);
  #live = 0;
  readonly #changed = new Map<string, { before: number; now: number }>();

  /** Statements that there are now. */
  get statements(): number {
    return this.#live;
  }

  /** @param changed ids of the statements that are other ones now, or are gone. */
  constructor(changed: Iterable<string>) {
    for (const id of changed) this.#changed.set(id, { before: -1, now: -1 });
  }

  /** Adds a statement as the last run read it. */
  addBefore(id: string, source: string, keys: readonly number[]): void {
    const change = this.#changed.get(id);
    if (change !== undefined) change.before = this.#ids.length;
    this.#add(id, source, keys, change === undefined ? BOTH : BEFORE);
  }

  /** Adds the present version of a changed statement. */
  addNow(statement: Compiled): void {
    const change = this.#changed.get(statement.id);
    if (change === undefined) throw new RangeError('The statement is not a changed one.');
    change.now = this.#ids.length;
    this.#add(statement.id, statement.source, keysOf(statement), NOW);
  }

  #add(id: string, source: string, keys: readonly number[], when: number): void {
    const number = this.#sourceNumbers.get(source) ?? this.#sourceNumbers.size;
    this.#sourceNumbers.set(source, number);
    this.#ids.push(id);
    this.#sources.push(number);
    this.#when.push(when);
    if (when !== BEFORE) this.#live += 1;
    const start = this.#starts.at(-1) ?? 0;
    if (start + keys.length > this.#keys.length) {
      const longer = new Int32Array(this.#keys.length * 2);
      longer.set(this.#keys);
      this.#keys = longer;
    }
    this.#keys.set(keys, start);
    this.#starts.push(start + keys.length);
  }

  /**
   * The statements of which a pair may have another result, and the pairs of them that a full run
   * compares. A statement is one of them if it changed, or if a block that it is in became too large or
   * small enough to be compared, or the holders of a name or site of it another class.
   */
  affected(): { readonly ids: ReadonlySet<string>; readonly pairs: readonly [string, string][] } {
    const positions = this.#affectedPositions();
    const blocks = this.#blocksOf([...positions].flatMap((at) => this.#keysAt(at)));
    const seen = new Set<number>();
    const pairs: [string, string][] = [];
    for (const at of positions) {
      for (const key of this.#keysAt(at)) {
        const block = this.#now(blocks.get(key) ?? []);
        if (block.length > BLOCK_MAX) continue;
        for (const other of block) {
          const pair = at < other ? at * 2 ** 26 + other : other * 2 ** 26 + at;
          if (this.#sources[at] === this.#sources[other] || seen.has(pair)) continue;
          seen.add(pair);
          pairs.push([this.#idAt(at), this.#idAt(other)]);
        }
      }
    }
    const ids = new Set([...this.#changed.keys(), ...[...positions].map((at) => this.#idAt(at))]);
    return { ids, pairs };
  }

  /** The crowd of the present statements, for comparisons of these. */
  crowdFor(statements: Iterable<Compiled>): Crowd {
    const keys = new Set([...statements].flatMap(crowdKeysOf));
    const blocks = this.#blocksOf(keys);
    const holders = new Map<number, number>();
    for (const key of keys) holders.set(key, this.#holders(this.#now(blocks.get(key) ?? [])));
    return { statements: sizeClass(this.#live), holders: (key) => holders.get(key) ?? 1 };
  }

  #affectedPositions(): Set<number> {
    const keys = new Set<number>();
    const positions = new Set<number>();
    for (const { before, now } of this.#changed.values()) {
      const [old, current] = [before, now].map((at) => (at < 0 ? [] : this.#keysAt(at)));
      if (now >= 0) positions.add(now);
      const isMoved = this.#sources[before] !== this.#sources[now];
      for (const key of old ?? []) if (isMoved || !current?.includes(key)) keys.add(key);
      for (const key of current ?? []) if (isMoved || !old?.includes(key)) keys.add(key);
    }
    const blocks = this.#blocksOf(keys);
    for (const key of keys) {
      const all = blocks.get(key) ?? [];
      const old = all.filter((at) => this.#when[at] !== NOW);
      const current = this.#now(all);
      const isCompared = (block: readonly number[]): boolean => block.length <= BLOCK_MAX;
      const isOther =
        isCompared(old) !== isCompared(current) ||
        (isCrowdKey(key) && this.#holders(old) !== this.#holders(current));
      if (isOther) for (const at of current) positions.add(at);
    }
    return positions;
  }

  #now(block: readonly number[]): readonly number[] {
    return block.filter((at) => this.#when[at] !== BEFORE);
  }

  #holders(block: readonly number[]): number {
    const counts = new Map<number, number>();
    let most = 1;
    for (const at of block) {
      const count = (counts.get(this.#sources[at] ?? -1) ?? 0) + 1;
      counts.set(this.#sources[at] ?? -1, count);
      if (count > most) most = count;
    }
    return sizeClass(most);
  }

  /** One pass over the keys of all statements. */
  #blocksOf(keys: Iterable<number>): KeySet {
    const blocks = new KeySet(keys);
    for (let at = 0; at < this.#ids.length; at += 1) {
      const end = this.#starts[at + 1] ?? 0;
      for (let k = this.#starts[at] ?? 0; k < end; k += 1) blocks.get(this.#keys[k] ?? 0)?.push(at);
    }
    return blocks;
  }

  #keysAt(at: number): readonly number[] {
    return [...this.#keys.subarray(this.#starts[at], this.#starts[at + 1])];
  }

  #idAt(at: number): string {
    return this.#ids[at] ?? '';
  }
}

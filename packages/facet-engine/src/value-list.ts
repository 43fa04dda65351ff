import { compareValues, type FacetSearch, type ValueOrder } from './port.ts';

/** The values of one dimension by ordinal, and their order. */
export class ValueList {
  readonly #entries: ValueOrder[] = [];
  readonly #ordinals = new Map<string, number>();
  /** Ordinals in the order that have another place now. */
  readonly #moved = new Set<number>();
  #sorted = new Uint32Array(0);
  #ranked = new Uint32Array(0);

  get size(): number {
    return this.#entries.length;
  }

  /** Adds the next value, or changes the order of a known one. */
  add(entry: ValueOrder): void {
    const known = this.#ordinals.get(entry.value);
    if (known !== undefined) {
      if (known < this.#ranked.length) this.#moved.add(known);
      this.#entries[known] = entry;
      return;
    }
    this.#ordinals.set(entry.value, this.#entries.length);
    this.#entries.push(entry);
  }

  /** The ordinal of a value; undefined if the value is unknown. */
  ordinalOf(value: string): number | undefined {
    return this.#ordinals.get(value);
  }

  /** The value of an ordinal below {@link size}. */
  valueOf(ordinal: number): string {
    return this.#entry(ordinal).value;
  }

  /** Ordinals in the order of their values. */
  order(): Uint32Array {
    this.#update();
    return this.#sorted;
  }

  /** The index of each ordinal in {@link order}. */
  ranks(): Uint32Array {
    this.#update();
    return this.#ranked;
  }

  /** Ordinals whose folded value matches, in order. */
  matching({ text, anywhere }: FacetSearch): Uint32Array {
    const order = this.order();
    if (anywhere) return order.filter((ordinal) => this.#entry(ordinal).folded.includes(text));
    const start = this.#lowerBound({ folded: text, value: '' }, order);
    let end = start;
    while (end < order.length && this.#folded(order[end]).startsWith(text)) end += 1;
    return order.slice(start, end);
  }

  #folded(ordinal: number | undefined): string {
    return this.#entry(ordinal ?? 0).folded;
  }

  #entry(ordinal: number): ValueOrder {
    const entry = this.#entries[ordinal];
    if (entry === undefined) throw new RangeError(`Unknown value ${ordinal}.`);
    return entry;
  }

  /** Merges the entries added or changed since the last call: it sorts only those. */
  #update(): void {
    const known = this.#sorted.length;
    if (known === this.size && this.#moved.size === 0) return;
    const old = this.#sorted.filter((ordinal) => !this.#moved.has(ordinal));
    const added = Array.from({ length: this.size - known }, (_, i) => known + i);
    added.push(...this.#moved);
    this.#moved.clear();
    added.sort((a, b) => compareValues(this.#entry(a), this.#entry(b)));
    const sorted = new Uint32Array(this.size);
    let from = 0;
    let at = 0;
    for (const ordinal of added) {
      const to = this.#lowerBound(this.#entry(ordinal), old);
      sorted.set(old.subarray(from, to), at);
      at += to - from;
      sorted[at] = ordinal;
      at += 1;
      from = to;
    }
    sorted.set(old.subarray(from), at);
    const ranked = new Uint32Array(this.size);
    sorted.forEach((ordinal, rank) => {
      ranked[ordinal] = rank;
    });
    this.#sorted = sorted;
    this.#ranked = ranked;
  }

  /** The index in an order of the first entry that is not less. */
  #lowerBound(entry: ValueOrder, order: Uint32Array): number {
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareValues(this.#entry(order[middle] as number), entry) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

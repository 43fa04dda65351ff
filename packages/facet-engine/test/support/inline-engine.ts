import { answerQuery } from '../../src/answer-query.ts';
import { Catalogue } from '../../src/catalogue.ts';
import { ColumnStore, type ColumnStoreOptions, type NewValue } from '../../src/column-store.ts';
import { countSegments } from '../../src/count-segments.ts';
import type { FacetCounts, FacetQuery } from '../../src/port.ts';
import { applyChanges, type Segments } from '../../src/segment.ts';

export interface InlineOptions extends ColumnStoreOptions {
  /** Records below which selections walk lists. */
  readonly listMax?: number;
  /** Whether memory is used again that no longer belongs to what was published last. */
  readonly recycles?: boolean;
}

/** The engine without its threads and its database: what is written is what is counted. */
export class InlineEngine {
  readonly store: ColumnStore;
  readonly #catalogue = new Catalogue();
  readonly #entities: Segments[] = [[], [], []];
  readonly #listMax: number | undefined;
  #version = 0;

  constructor(options: InlineOptions = {}) {
    const acknowledged = () => (options.recycles === true ? this.#version : 0);
    this.store = new ColumnStore(3, { acknowledged, ...options });
    this.#listMax = options.listMax;
  }

  addValues(values: readonly NewValue[]): void {
    for (const value of values) this.store.addValue(value);
  }

  write(entity: number, id: string, codes: readonly number[] | undefined): void {
    const list = Int32Array.from(codes ?? []);
    const store = this.store.entities[entity];
    store?.apply(idWords(id), list, list.length, codes === undefined);
  }

  /** Makes what was written seen; what has been handed out before stays as it is. */
  publish(): void {
    const changes = this.store.changes();
    this.#version = changes.version;
    this.#catalogue.apply(changes);
    changes.entities.forEach(({ segments }, entity) => {
      const known = this.#entities[entity];
      if (known !== undefined) applyChanges(known, segments);
    });
  }

  count(query: FacetQuery): Promise<FacetCounts> {
    return answerQuery(query, this.#catalogue, async (plan) => {
      let next = 0;
      const segments = this.#entities[plan.entity] ?? [];
      const { counts } = countSegments(segments, plan, () => next++, this.#listMax);
      return counts ?? new Uint32Array(plan.facets.reduce((sum, { size }) => sum + size, 0));
    });
  }

  /** The segments as a reader holds them now. */
  snapshot(entity: number): Segments {
    return [...(this.#entities[entity] ?? [])];
  }
}

/** A uuid as four words. */
export function idWords(id: string): Uint32Array {
  const digits = id.replaceAll('-', '');
  return Uint32Array.from([0, 8, 16, 24], (at) => Number.parseInt(digits.slice(at, at + 8), 16));
}

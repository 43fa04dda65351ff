import { Dictionary } from './dictionary.ts';
import {
  type EntityChanges,
  type EntityLayout,
  type EntitySize,
  EntityStore,
  type EntityStoreOptions,
} from './entity-store.ts';
import { NumberTable } from './number-table.ts';
import { dimensionSlots, type FacetSchema } from './schema.ts';
import { type Acknowledged, SharedMemory } from './shared-memory.ts';

/** A new value of a dimension, whose ordinal follows from the order, or a known one with another `folded`. */
export interface NewValue {
  readonly code: number;
  readonly dimension: number;
  readonly value: string;
  readonly folded: string;
}

export interface ColumnStoreOptions extends EntityStoreOptions {
  /** By default memory that readers have received is never reused. */
  readonly acknowledged?: Acknowledged;
}

/** The changes of a store since the previous version. */
export interface StoreChanges {
  /** Increases by 1. A reader that has applied it no longer reads older memory. */
  readonly version: number;
  readonly values: readonly NewValue[];
  /** By entity, from 0. */
  readonly entities: readonly EntityChanges[];
}

/** Estimated bytes of a value's texts and of its entries in maps, at the upper end. */
const VALUE_BYTES = 200;

/** The contents of the facet tables: the dictionary and the records of each entity. */
export class ColumnStore {
  readonly entities: readonly EntityStore[];
  readonly #dictionary: Dictionary;
  readonly #memory: SharedMemory;
  #values: NewValue[] = [];
  #valueBytes = 0;

  constructor(
    schema: Pick<FacetSchema, 'entities' | 'dimensions'>,
    options: ColumnStoreOptions = {},
  ) {
    const slots = dimensionSlots(schema);
    this.#dictionary = new Dictionary(slots);
    this.#memory = new SharedMemory(options.acknowledged);
    const targets = new Set(schema.entities.flatMap(({ links = [] }) => links.map(({ to }) => to)));
    const numbers = new Map(Array.from(targets, (id) => [id, new NumberTable()]));
    this.entities = schema.entities.map(({ id, links = [], figures = [] }) => {
      const layout: EntityLayout = {
        dimensionSlots: slots,
        numbers: numbers.get(id),
        figures: figures.length,
        links: links.map(({ to, tags }) => ({
          to: numbers.get(to) as NumberTable,
          hasTags: tags !== undefined,
        })),
      };
      return new EntityStore(this.#dictionary, this.#memory, layout, options);
    });
  }

  get lastCode(): number {
    return this.#dictionary.lastCode;
  }

  get bytes(): number {
    const own = this.#dictionary.bytes + this.#valueBytes + this.#memory.bytes;
    return this.entities.reduce((sum, { size }) => sum + size.bytes, own);
  }

  /** By entity. */
  get sizes(): readonly EntitySize[] {
    return this.entities.map(({ size }) => size);
  }

  /** Adds a value, or changes its `folded`; codes of new ones must ascend. */
  addValue(value: NewValue): void {
    const { code, dimension } = value;
    const isKnown = code <= this.#dictionary.lastCode;
    if (isKnown && this.#dictionary.dimensionOf(code) !== dimension) return;
    if (!isKnown && !this.#dictionary.add(code, dimension)) return;
    this.#values.push(value);
    if (isKnown) return;
    this.#valueBytes += VALUE_BYTES + 2 * (value.value.length + value.folded.length);
  }

  /** Rewrites at most one segment if too many records are dead; returns whether it did. */
  compact(): boolean {
    return this.entities.some((entity) => entity.compact());
  }

  /** The changes since the last call. */
  changes(): StoreChanges {
    const values = this.#values;
    this.#values = [];
    const entities = this.entities.map((entity) => entity.changes());
    return { version: this.#memory.nextVersion(), values, entities };
  }
}

import { Dictionary } from './dictionary.ts';
import {
  type EntityChanges,
  type EntitySize,
  EntityStore,
  type EntityStoreOptions,
} from './entity-store.ts';
import { type Acknowledged, SharedMemory } from './shared-memory.ts';

/** A value that joined a dimension; its ordinal follows from the order. */
export interface NewValue {
  readonly code: number;
  readonly dimension: number;
  readonly value: string;
  readonly folded: string;
}

export interface ColumnStoreOptions extends EntityStoreOptions {
  /** By default nothing that readers were given is ever used again. */
  readonly acknowledged?: Acknowledged;
}

/** What has become of a store since the last time. */
export interface StoreChanges {
  /** Rises by 1. Who has taken it has nothing older any more. */
  readonly version: number;
  readonly values: readonly NewValue[];
  /** By entity, from 0. */
  readonly entities: readonly EntityChanges[];
}

/** Bytes of a value's two texts and of finding it: an estimate, on the safe side. */
const VALUE_BYTES = 200;

/** All that is held of the facet tables: the dictionary and the records of each entity. */
export class ColumnStore {
  readonly entities: readonly EntityStore[];
  readonly #dictionary = new Dictionary();
  readonly #memory: SharedMemory;
  #values: NewValue[] = [];
  #valueBytes = 0;

  constructor(entityCount: number, options: ColumnStoreOptions = {}) {
    this.#memory = new SharedMemory(options.acknowledged);
    this.entities = Array.from(
      { length: entityCount },
      () => new EntityStore(this.#dictionary, this.#memory, options),
    );
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

  /** Adds a value; codes come in ascending order. */
  addValue(value: NewValue): void {
    this.#dictionary.add(value.code, value.dimension);
    this.#values.push(value);
    this.#valueBytes += VALUE_BYTES + 2 * (value.value.length + value.folded.length);
  }

  /** One step of rewriting where too many are dead; whether there was one to do. */
  compact(): boolean {
    return this.entities.some((entity) => entity.compact());
  }

  /** What has changed since the last call. */
  changes(): StoreChanges {
    const values = this.#values;
    this.#values = [];
    const entities = this.entities.map((entity) => entity.changes());
    return { version: this.#memory.nextVersion(), values, entities };
  }
}

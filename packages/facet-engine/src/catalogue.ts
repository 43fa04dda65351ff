import { DIMENSIONS, ENTITY_IDS } from '@vcds/venture-model';
import type { StoreChanges } from './column-store.ts';
import { DIMENSION_SLOTS } from './segment.ts';
import { ValueList } from './value-list.ts';

/** What is known without counting: the values of each dimension, and the un-narrowed counts. */
export class Catalogue {
  readonly #values = Array.from({ length: DIMENSION_SLOTS }, () => new ValueList());
  readonly #totals = ENTITY_IDS.map(() =>
    Array.from({ length: DIMENSION_SLOTS }, () => new Uint32Array(0)),
  );

  /** Takes values in the order of their codes, then the counts that changed. */
  apply({ values, entities }: StoreChanges): void {
    for (const { dimension, value, folded } of values) {
      this.valuesOf(dimension).add({ value, folded });
    }
    entities.forEach(({ totals }, entity) => {
      for (let i = 0; i < totals.length; i += 3) {
        const [dimension = 0, ordinal = 0, total = 0] = totals.subarray(i, i + 3);
        this.#roomy(entity, dimension, ordinal)[ordinal] = total;
      }
    });
  }

  valuesOf(dimension: number): ValueList {
    const values = this.#values[dimension];
    if (values === undefined) throw new RangeError(`There is no dimension ${dimension}.`);
    return values;
  }

  /** Live records of an entity by ordinal; values beyond its end have none. */
  totalsOf(entity: number, dimension: number): Uint32Array {
    const totals = this.#totals[entity]?.[dimension];
    if (totals === undefined) throw new RangeError(`There is no dimension ${dimension}.`);
    return totals;
  }

  /** Bytes of the counts; those of the values are accounted for where they are stored. */
  get bytes(): number {
    return this.#totals.flat().reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  #roomy(entity: number, dimension: number, ordinal: number): Uint32Array {
    const totals = this.totalsOf(entity, dimension);
    if (ordinal < totals.length) return totals;
    const grown = new Uint32Array(Math.max(ordinal + 1, totals.length * 2));
    grown.set(totals);
    const ofEntity = this.#totals[entity];
    if (ofEntity !== undefined) ofEntity[dimension] = grown;
    return grown;
  }
}

if (DIMENSIONS.some(({ number }) => number >= DIMENSION_SLOTS)) {
  throw new RangeError(`Columns have room for dimensions below ${DIMENSION_SLOTS}.`);
}

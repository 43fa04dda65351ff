import { withRoom } from './arrays.ts';
import type { StoreChanges } from './column-store.ts';
import {
  type DimensionSchema,
  dimensionSlots,
  type FacetSchema,
  type RelationSchema,
} from './schema.ts';
import { ValueList } from './value-list.ts';

/** The numbers of a schema, the values of each dimension, and their counts without narrowing. */
export class Catalogue {
  readonly #entities: readonly string[];
  readonly #dimensions: ReadonlyMap<string, DimensionSchema>;
  readonly #values: readonly ValueList[];
  readonly #totals: readonly Uint32Array[][];
  /** Live records by entity. */
  readonly #live: number[];
  /** Numbers of targets of links by entity. */
  readonly #numbers: number[];
  readonly #relations: ReadonlyMap<string, RelationSchema>;
  readonly #figures: readonly (readonly string[])[];

  /** @throws RangeError for a dimension whose number is out of bounds. */
  constructor(schema: FacetSchema) {
    const { entities, dimensions } = schema;
    const slots = dimensionSlots(schema);
    this.#values = Array.from({ length: slots }, () => new ValueList());
    this.#entities = entities.map(({ id }) => id);
    this.#figures = entities.map(({ figures = [] }) => figures);
    this.#dimensions = new Map(dimensions.map((dimension) => [dimension.id, dimension]));
    this.#totals = entities.map(() => this.#values.map(() => new Uint32Array(0)));
    this.#live = entities.map(() => 0);
    this.#numbers = entities.map(() => 0);
    this.#relations = new Map(schema.relations?.map((relation) => [relation.id, relation]));
  }

  /** The index of an entity in the schema. */
  entityIndex(id: string): number {
    const index = this.#entities.indexOf(id);
    if (index < 0) throw unknown('entity', id);
    return index;
  }

  /** The index of a figure among those of an entity. */
  figureIndex(entity: number, id: string): number {
    const index = this.#figures[entity]?.indexOf(id) ?? -1;
    if (index < 0) throw unknown('figure', id);
    return index;
  }

  dimensionOf(id: string): DimensionSchema {
    const dimension = this.#dimensions.get(id);
    if (dimension === undefined) throw unknown('dimension', id);
    return dimension;
  }

  /** Adds values in the order of their codes, then the counts that changed. */
  apply({ values, entities }: StoreChanges): void {
    for (const { dimension, value, folded } of values) {
      this.valuesOf(dimension).add({ value, folded });
    }
    entities.forEach(({ totals, live, numbers }, entity) => {
      this.#live[entity] = live;
      this.#numbers[entity] = numbers;
      const ofEntity = this.#totals[entity] ?? [];
      for (let i = 0; i < totals.length; i += 3) {
        const [dimension = 0, ordinal = 0, total = 0] = totals.subarray(i, i + 3);
        const counts = withRoom(this.totalsOf(entity, dimension), ordinal + 1);
        counts[ordinal] = total;
        ofEntity[dimension] = counts;
      }
    });
  }

  valuesOf(dimension: number): ValueList {
    const values = this.#values[dimension];
    if (values === undefined) throw unknown('dimension', dimension);
    return values;
  }

  /** Live records of an entity by ordinal; ordinals beyond the end have none. */
  totalsOf(entity: number, dimension: number): Uint32Array {
    const totals = this.#totals[entity]?.[dimension];
    if (totals === undefined) throw unknown('dimension', dimension);
    return totals;
  }

  /** Live records of an entity. */
  liveOf(entity: number): number {
    return this.#live[entity] ?? 0;
  }

  /** How many numbers the targets of links of an entity have. */
  numbersOf(entity: number): number {
    return this.#numbers[entity] ?? 0;
  }

  relationOf(id: string): RelationSchema {
    const relation = this.#relations.get(id);
    if (relation === undefined) throw unknown('relation', id);
    return relation;
  }

  /** Bytes of the counts; the column store includes those of the values. */
  get bytes(): number {
    return this.#totals.flat().reduce((sum, { byteLength }) => sum + byteLength, 0);
  }
}

function unknown(
  kind: 'entity' | 'dimension' | 'figure' | 'relation',
  id: string | number,
): RangeError {
  return new RangeError(`Unknown ${kind} ${id}.`);
}

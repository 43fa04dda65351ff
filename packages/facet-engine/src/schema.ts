/** A collection of records whose values are counted. */
export interface EntitySchema<Entity extends string = string> {
  readonly id: Entity;
  /** Its table `(id uuid, codes integer[], deleted boolean, version bigint)`, as SQL names it. */
  readonly table: string;
  /**
   * The figures of its records: ids in the order of a column `figures double precision[]` of the table, which has
   * an element for each, null if the record has no such number.
   */
  readonly figures?: readonly string[];
  /** The links of its records to those of other entities, in further columns of the table. */
  readonly links?: readonly LinkSchema<Entity>[];
}

/** The links of the records of an entity to others. */
export interface LinkSchema<Entity extends string = string> {
  readonly to: Entity;
  /** A column `uuid[]`: the ids of the linked records, which need not exist. */
  readonly ids: string;
  /** A column `integer[]` of equal length: the code of a value that the link itself has, or 0. */
  readonly tags?: string;
}

/** A relation from the records of one entity to those of another, through links of either. */
export interface RelationSchema<Entity extends string = string, Dimension extends string = string> {
  readonly id: string;
  readonly from: Entity;
  readonly to: Entity;
  /** Whose links they are, and which. */
  readonly links: { readonly of: 'from' | 'to'; readonly index: number };
  /** The dimension of the tags: narrowed by it, a link needs the value, not the related record. */
  readonly tag?: Dimension;
}

/** A dimension of these records. */
export interface DimensionSchema<Dimension extends string = string> {
  readonly id: Dimension;
  /** From 1: its number in {@link FacetSchema.valueTable}. */
  readonly number: number;
  /** Its values are returned as numbers, those of the others as text. */
  readonly isNumeric: boolean;
}

/** The names and numbers that the engine needs of the data it counts. Plain data. */
export interface FacetSchema<Entity extends string = string, Dimension extends string = string> {
  readonly entities: readonly EntitySchema<Entity>[];
  readonly dimensions: readonly DimensionSchema<Dimension>[];
  readonly relations?: readonly RelationSchema<Entity, Dimension>[];
  /**
   * The table `(code, dimension, value, folded, version)` of the values of all dimensions. `version` is that of the
   * batch that last changed `folded`, 0 if none did.
   */
  readonly valueTable: string;
  /** The table of one row with the `version` of the last batch. */
  readonly stateTable: string;
  /** The table of the `version`s of the last batches, that one included: a thousand or more of them. */
  readonly batchTable: string;
}

/** As `smallint` in the table of values. */
const NUMBER_MAX = 32_767;

/**
 * How much room arrays by the number of a dimension need.
 *
 * @throws RangeError for a number that is out of bounds.
 */
export function dimensionSlots({ dimensions }: Pick<FacetSchema, 'dimensions'>): number {
  for (const { id, number } of dimensions) {
    if (!(Number.isInteger(number) && number > 0 && number <= NUMBER_MAX)) {
      throw new RangeError(`The dimension ${id} has the number ${number}.`);
    }
  }
  return Math.max(0, ...dimensions.map(({ number }) => number)) + 1;
}

/** A collection of records whose values are counted. */
export interface EntitySchema<Entity extends string = string> {
  readonly id: Entity;
  /** Its table `(id uuid, codes integer[], deleted boolean, version bigint)`, as SQL names it. */
  readonly table: string;
}

/** A dimension of these records. */
export interface DimensionSchema<Dimension extends string = string> {
  readonly id: Dimension;
  /** From 1 to 31: its number in {@link FacetSchema.valueTable}. */
  readonly number: number;
  /** Its values are returned as numbers, those of the others as text. */
  readonly isNumeric: boolean;
}

/** The names and numbers that the engine needs of the data it counts. Plain data. */
export interface FacetSchema<Entity extends string = string, Dimension extends string = string> {
  readonly entities: readonly EntitySchema<Entity>[];
  readonly dimensions: readonly DimensionSchema<Dimension>[];
  /** The table `(code, dimension, value, folded)` of the values of all dimensions. */
  readonly valueTable: string;
  /** The table of one row with the `version` of the last batch. */
  readonly stateTable: string;
  /** The table of the `version`s of the last batches, that one included: a thousand or more of them. */
  readonly batchTable: string;
}

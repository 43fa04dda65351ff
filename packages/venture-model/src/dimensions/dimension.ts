import type { ClosedValue } from '@vcds/odata-query';
import { ENTITY_IDS, type EntityId, type EntityRelation, RELATIONS } from './entity.ts';

export type DimensionId =
  | 'industry'
  | 'country'
  | 'region'
  | 'city'
  | 'stage'
  | 'next_stage'
  | 'investment_stage'
  | 'investor_type'
  | 'team_size'
  | 'operating_status'
  | 'exit_status'
  | 'founded_year'
  | 'fund_group'
  | 'round_series'
  | 'round_stage'
  | 'round_year'
  | 'confirmed'
  | 'investor'
  | 'lead_investor';

/** docs/spec/categories.md 8.2: values of the data, a fixed list, or a number. */
export type DimensionKind = 'open' | 'closed' | 'bucketed';

/** How the values of a dimension are read from a record of one entity. */
export interface Reading {
  /** The relation to the records that have them; absent for the record's own values. */
  readonly through?: EntityRelation;
  /** SQL of the value, or of the array of values, on the row under the alias. */
  readonly sql: (row: string) => string;
  /** Whether that is an array. */
  readonly many: boolean;
  /** The column, if it is a boolean one, and the values for true and false. */
  readonly flag?: {
    readonly sql: (row: string) => string;
    readonly yes: string;
    readonly no: string;
  };
  /** Of ids: a query of them, each once in a row with the column `value`, which the planner can join. */
  readonly each?: (row: string) => string;
  /** The condition that the record has one of the values of an SQL array, if an index needs one of its own. */
  readonly has?: (row: string, list: string) => string;
}

/** A property by which records are grouped and narrowed. */
export interface Dimension {
  readonly id: DimensionId;
  /** In `venture.dimension_value`. */
  readonly number: number;
  readonly title: string;
  readonly description: string;
  readonly kind: DimensionKind;
  /** The entities that have it as a property of their own. */
  readonly entities: readonly EntityId[];
  /** The field that filters by it. */
  readonly filterField: string;
  /** The complete list of a closed dimension. */
  readonly closed?: readonly ClosedValue[];
  /** The stored form of a value of a request. */
  readonly canonical?: (text: string) => string;
  /** The meaning of a text that is no value, if all possible values are known, as of countries. */
  readonly meant?: (
    text: string,
  ) => { readonly value: string; readonly isName: boolean } | undefined;
  /** The entity whose records its values are, by id; their names are the labels. */
  readonly names?: EntityId;
  readonly sqlType: 'text' | 'smallint' | 'uuid';
  /** Whether its values are numbers with an order: stages, headcount buckets, years. */
  readonly isOrdinal: boolean;
  /** For every entity, its own or not. */
  readonly readings: Readonly<Record<EntityId, Reading>>;
}

/** The declared part of a dimension; `dimension` derives the rest. */
export interface DimensionDeclaration
  extends Pick<
    Dimension,
    | 'id'
    | 'number'
    | 'title'
    | 'description'
    | 'kind'
    | 'filterField'
    | 'closed'
    | 'canonical'
    | 'meant'
    | 'names'
  > {
  /** Its columns, per entity that has it as a property of its own. */
  readonly own: Partial<Readonly<Record<EntityId, Reading>>>;
  /** For other entities that do not read it from the first relation that has it. */
  readonly reached?: Partial<Readonly<Record<EntityId, Reading>>>;
}

/** One value in a column. */
export function column(name: string): Reading {
  return { sql: (row) => `${row}.${name}`, many: false };
}

/** The value for true or for false of a column that is never null. */
export function flag(name: string, yes: string, no: string): Reading {
  const sql = (row: string) => `${row}.${name}`;
  return {
    sql: (row) => `CASE WHEN ${sql(row)} THEN '${yes}' ELSE '${no}' END`,
    many: false,
    flag: { sql, yes, no },
  };
}

/** Any number of values in an array column. */
export function array(name: string): Reading {
  return { sql: (row) => `${row}.${name}`, many: true };
}

/**
 * The ids of related records.
 *
 * @param from `FROM … WHERE …` from the row under an alias to them, not with the aliases of relations.
 * @param id their id there.
 */
export function ids(from: (row: string) => string, id: string): Reading {
  return {
    sql: (row) => `ARRAY(SELECT ${id} ${from(row)})`,
    many: true,
    each: (row) => `SELECT ${id} AS value ${from(row)}`,
    has: (row, list) => `EXISTS (SELECT ${from(row)} AND ${id} = ANY (${list}))`,
  };
}

/** The dimension of a declaration. */
export function dimension({ own, reached = {}, ...declared }: DimensionDeclaration): Dimension {
  const reading = (entity: EntityId) =>
    own[entity] ?? reached[entity] ?? reachedReading(entity, own, declared.id);
  return Object.freeze({
    ...declared,
    entities: Object.freeze(ENTITY_IDS.filter((entity) => own[entity] !== undefined)),
    sqlType: declared.names ? 'uuid' : isNumbered(declared) ? 'smallint' : 'text',
    isOrdinal: isNumbered(declared),
    readings: Object.freeze({
      __proto__: null,
      startups: reading('startups'),
      funds: reading('funds'),
      rounds: reading('rounds'),
    }),
  });
}

/** A value as the API returns it: a number in numbered lists and years, else text. */
export function valueOfText({ sqlType }: Dimension, text: string): string | number {
  return sqlType === 'smallint' ? Number(text) : text;
}

function reachedReading(
  entity: EntityId,
  own: DimensionDeclaration['own'],
  id: DimensionId,
): Reading {
  for (const relation of RELATIONS[entity]) {
    const reading = own[relation.to];
    if (reading !== undefined) return { ...reading, through: relation };
  }
  throw new TypeError(`The dimension ${id} cannot be reached from ${entity}.`);
}

function isNumbered({ kind, closed }: Pick<Dimension, 'kind' | 'closed'>): boolean {
  return kind === 'bucketed' || typeof closed?.[0]?.value === 'number';
}

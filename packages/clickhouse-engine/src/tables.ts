/** The tables of a copy of the facet index in ClickHouse, derived from its schema. */
import { createHash } from 'node:crypto';
import type { EntitySchema, FacetSchema } from '@vcds/facet-engine';

/** Raise it when the meaning of the columns changes: copies of another form are not read. */
const FORM = 1;

export interface Column {
  readonly name: string;
  readonly type: string;
}

/** Where the tables are. */
export interface Place {
  readonly database: string;
  /** A cluster of ClickHouse: tables are replicated, and those of records divided among its shards. */
  readonly cluster?: string | undefined;
}

/** One load of all tables: later ones have higher numbers, and replace it as a whole. */
export type Generation = string;

/** The tables of one schema. */
export class Tables {
  /** Identifies the columns: a copy with others is not read. */
  readonly layout: string;
  readonly database: string;
  /** `GLOBAL` before `IN`: its rows are those of all shards. */
  readonly global: string;
  readonly #schema: FacetSchema;
  readonly #cluster: string | undefined;

  constructor(schema: FacetSchema, { database, cluster }: Place) {
    this.#schema = schema;
    this.#cluster = cluster;
    this.database = quoted(database);
    this.global = cluster === undefined ? '' : 'GLOBAL ';
    this.list = `SELECT name, extract(name, '_([0-9]{13})') AS generation FROM system.tables
      WHERE database = ${text(database)} AND match(name, '^facet_[A-Za-z_]+_[0-9]{13}(_part)?$')`;
    const columns = schema.entities.map((entity) => [entity.id, columnsOf(entity, schema)]);
    const form = JSON.stringify([FORM, columns, schema.dimensions, cluster !== undefined]);
    this.layout = createHash('sha256').update(form).digest('hex').slice(0, 12);
  }

  /** The last batch of each generation. */
  get positions(): string {
    return `${this.database}.facet_position`;
  }

  /** The values of all dimensions, on every server. */
  values(generation: Generation): string {
    return `${this.database}.facet_value_${generation}`;
  }

  records(entity: string, generation: Generation): string {
    return `${this.database}.${quoted(`facet_${entity}_${generation}`)}`;
  }

  /** The statement that lists the tables of all generations. */
  readonly list: string;

  /** Statements that make what all generations share. */
  shared(): readonly string[] {
    const columns = 'layout String, generation UInt64, version UInt64, at Int64';
    return [
      `CREATE DATABASE IF NOT EXISTS ${this.database}${this.#onCluster}`,
      `CREATE TABLE IF NOT EXISTS ${this.positions}${this.#onCluster} (${columns})
        ENGINE = ${this.#engine('at', 'facet_position', true)} ORDER BY (layout, generation)`,
    ];
  }

  /** Statements that make the tables of a generation. */
  make(generation: Generation): readonly string[] {
    const values = 'code UInt32, dimension UInt16, value String, folded String';
    const valuePath = `facet_value_${generation}`;
    return [
      `CREATE TABLE ${this.values(generation)}${this.#onCluster} (${values})
        ENGINE = ${this.#engine('', valuePath, true)} ORDER BY (dimension, value)`,
      ...this.#schema.entities.flatMap((entity) => this.#makeRecords(entity, generation)),
    ];
  }

  /** Statements that merge the parts of a generation that was loaded. */
  merge(generation: Generation): readonly string[] {
    return this.#schema.entities.map(({ id }) => {
      const table = this.#cluster === undefined ? '' : '_part';
      const name = `${this.database}.${quoted(`facet_${id}_${generation}${table}`)}`;
      return `OPTIMIZE TABLE ${name}${this.#onCluster} FINAL`;
    });
  }

  /** The statement that drops a table, by its name without the database. */
  drop(name: string): string {
    return `DROP TABLE IF EXISTS ${this.database}.${quoted(name)}${this.#onCluster} SYNC`;
  }

  #makeRecords(entity: EntitySchema, generation: Generation): readonly string[] {
    const columns = columnsOf(entity, this.#schema).map(({ name, type }) => `${name} ${type}`);
    const make = (name: string, engine: string) =>
      `CREATE TABLE ${this.database}.${quoted(name)}${this.#onCluster} (${columns.join(', ')}) ENGINE = ${engine}`;
    const name = `facet_${entity.id}_${generation}`;
    const part = `${name}_part`;
    const engine = (path: string) => `${this.#engine('version, deleted', path, false)} ORDER BY id`;
    if (this.#cluster === undefined) return [make(name, engine(name))];
    const shards = `${text(this.#cluster)}, ${this.database}, ${quoted(part)}, cityHash64(id)`;
    return [make(part, engine(part)), make(name, `Distributed(${shards})`)];
  }

  /** @param isEverywhere whether every server has all rows, not only those of its shard */
  #engine(version: string, path: string, isEverywhere: boolean): string {
    if (this.#cluster === undefined) return `ReplacingMergeTree(${version})`;
    const folder = `/clickhouse/tables/${isEverywhere ? 'all' : '{shard}'}/{database}/${path}`;
    const replica = isEverywhere ? '{shard}-{replica}' : '{replica}';
    const rest = version === '' ? '' : `, ${version}`;
    return `ReplicatedReplacingMergeTree('${folder}', '${replica}'${rest})`;
  }

  get #onCluster(): string {
    return this.#cluster === undefined ? '' : ` ON CLUSTER ${text(this.#cluster)}`;
  }
}

/**
 * The columns of the records of an entity, in the order in which they are written: codes of values by dimension,
 * figures, and links with their tags.
 */
export function columnsOf(
  { links = [], figures = [] }: EntitySchema,
  { dimensions }: Pick<FacetSchema, 'dimensions'>,
): readonly Column[] {
  return [
    { name: 'id', type: 'UUID' },
    { name: 'version', type: 'UInt64' },
    { name: 'deleted', type: 'UInt8' },
    ...dimensions.map(({ id }) => ({ name: dimensionColumn(id), type: 'Array(UInt32)' })),
    ...figures.map((id) => ({ name: figureColumn(id), type: 'Nullable(Float64)' })),
    ...links.flatMap(({ tags }, index) => [
      { name: linkColumn(index), type: 'Array(UUID)' },
      ...(tags ? [{ name: tagColumn(index), type: 'Array(UInt32)' }] : []),
    ]),
  ];
}

export const dimensionColumn = (id: string): string => quoted(`d_${id}`);
export const figureColumn = (id: string): string => quoted(`f_${id}`);
export const linkColumn = (index: number): string => `l_${index}`;
export const tagColumn = (index: number): string => `t_${index}`;

function quoted(name: string): string {
  return `\`${name.replaceAll(/[\\`]/g, '\\$&')}\``;
}

/** A text as SQL writes it. */
export function text(value: string): string {
  return `'${value.replaceAll(/[\\']/g, '\\$&')}'`;
}

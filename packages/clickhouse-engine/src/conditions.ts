/** Conditions on records as SQL of ClickHouse. Each is 0 or 1 for every record. */
import type { FacetSchema, Narrowing, RecordCondition, RelatedNarrowing } from '@vcds/facet-engine';
import {
  dimensionColumn,
  figureColumn,
  type Generation,
  linkColumn,
  type Tables,
  tagColumn,
} from './tables.ts';

/** Compiles the parts of a statement, and keeps its parameters. */
export class Compiler {
  readonly params: Record<string, unknown> = {};
  readonly schema: FacetSchema;
  readonly #tables: Tables;
  readonly #generation: Generation;
  #count = 0;

  constructor(schema: FacetSchema, tables: Tables, generation: Generation) {
    this.schema = schema;
    this.#tables = tables;
    this.#generation = generation;
  }

  /** A value that is sent beside the statement. */
  param(value: unknown, type: string): string {
    const name = `p${this.#count++}`;
    this.params[name] = value;
    return `{${name}:${type}}`;
  }

  /** Of a value that was written again, the last row. */
  get values(): string {
    return `${this.#tables.values(this.#generation)} FINAL`;
  }

  /** The live records of an entity: of each the newest row, unless it is deleted. */
  records(entity: string): string {
    if (!this.schema.entities.some(({ id }) => id === entity)) throw unknown('entity', entity);
    return `${this.#tables.records(entity, this.#generation)} FINAL`;
  }

  dimension(id: string) {
    const found = this.schema.dimensions.find((each) => each.id === id);
    if (found === undefined) throw unknown('dimension', id);
    return { ...found, column: dimensionColumn(id) };
  }

  figure(entity: string, id: string): string {
    const figures = this.schema.entities.find((each) => each.id === entity)?.figures;
    if (!figures?.includes(id)) throw unknown('figure', id);
    return figureColumn(id);
  }

  relation(id: string) {
    const found = this.schema.relations?.find((each) => each.id === id);
    if (found === undefined) throw unknown('relation', id);
    return found;
  }

  condition(entity: string, where: RecordCondition): string {
    switch (where.kind) {
      case 'and':
      case 'or': {
        if (where.of.length === 0) return where.kind === 'and' ? '1' : '0';
        const of = where.of.map((each) => this.condition(entity, each));
        return `(${of.join(where.kind === 'and' ? ' AND ' : ' OR ')})`;
      }
      case 'not':
        return `NOT ${this.condition(entity, where.of)}`;
      case 'values':
        return this.narrowing(where);
      case 'related':
        return this.related(entity, where);
      case 'any':
        return `notEmpty(${this.dimension(where.dimension).column})`;
      case 'figure':
        return this.#range(this.figure(entity, where.figure), where);
    }
  }

  narrowing(narrowing: Narrowing): string {
    return `hasAny(${this.dimension(narrowing.dimension).column}, ${this.#codes(narrowing)})`;
  }

  related(entity: string, { relation: id, narrowing }: RelatedNarrowing): string {
    const { from, to, links, tag } = this.relation(id);
    if (from !== entity) throw new RangeError(`The relation ${id} is not one of ${entity}.`);
    const ofLinks = narrowing.filter(({ dimension }) => dimension === tag);
    const ofRecords = narrowing.filter(({ dimension }) => dimension !== tag);
    const conditions = ofRecords.map((each) => this.narrowing(each));
    const where = conditions.length === 0 ? '1' : conditions.join(' AND ');
    const { global } = this.#tables;
    const link = linkColumn(links.index);
    if (links.of === 'from') {
      if (ofLinks.length > 0) throw new RangeError(`The links of ${id} are ${from}'s.`);
      const targets = `SELECT id FROM ${this.records(to)} WHERE ${where}`;
      return `id ${global}IN (SELECT id FROM ${this.records(from)} ARRAY JOIN ${link} AS target
        WHERE target ${global}IN (${targets}))`;
    }
    const tags = ofLinks.map((each) => ` AND has(${this.#codes(each)}, tag)`).join('');
    const joined = ofLinks.length === 0 ? '' : `, ${tagColumn(links.index)} AS tag`;
    return `id ${global}IN (SELECT target FROM ${this.records(to)}
      ARRAY JOIN ${link} AS target${joined} WHERE ${where}${tags})`;
  }

  /** The codes of values; a value that does not occur has none. */
  #codes({ dimension, values }: Narrowing): string {
    const { number } = this.dimension(dimension);
    const list = this.param(values.map(String), 'Array(String)');
    return `(SELECT groupArray(code) FROM ${this.values}
      WHERE dimension = ${number} AND value IN ${list})`;
  }

  #range(column: string, { least, most }: { least: number | null; most: number | null }): string {
    const bounds = [
      ...(least === null ? [] : [`${column} >= ${number(least)}`]),
      ...(most === null ? [] : [`${column} <= ${number(most)}`]),
    ];
    return bounds.length === 0 ? `isNotNull(${column})` : `ifNull(${bounds.join(' AND ')}, 0)`;
  }
}

function number(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError('A bound is no number.');
  return `toFloat64(${value})`;
}

function unknown(kind: string, id: string): RangeError {
  return new RangeError(`Unknown ${kind} ${id}.`);
}

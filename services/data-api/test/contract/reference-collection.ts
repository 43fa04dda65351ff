import { bindFilter, bindOrderBy, parseFilter, parseOrderBy } from '@vcds/odata-query';
import { evaluate, type Row } from '../../../../packages/odata-query/test/reference-evaluator.ts';
import type { Resource } from '../../src/resources/index.ts';
import { compareCells } from './compare-cells.ts';

/** A page that is asked for; an order names its fields. */
export interface AskedPage {
  readonly orderby: string;
  readonly top: number;
  readonly skip: number;
}

/**
 * All records of a collection. Filters, orders and counts are evaluated record by record, by the definitions of the
 * query language: without an index, statement or statistics of the service.
 */
export class ReferenceCollection {
  readonly #resource: Resource;
  readonly #byId: ReadonlyMap<string, Row>;

  constructor(resource: Resource, rows: readonly Row[]) {
    this.#resource = resource;
    this.#byId = new Map(rows.map((row) => [String(row.Id), row]));
    if (this.#byId.size !== rows.length) throw new Error('Two records have the same id.');
  }

  get size(): number {
    return this.#byId.size;
  }

  /** The records that satisfy a filter, in no order; all without one. */
  matching(filter: string | undefined): readonly Row[] {
    const rows = [...this.#byId.values()];
    if (filter === undefined) return rows;
    const bound = bindFilter(parseFilter(filter), this.#resource.fields);
    return rows.filter((row) => evaluate(bound, row));
  }

  /**
   * The faults of a page of records, where `matching` are all records that satisfy its filter; empty for the right page.
   * A page is right if it has the right number of records, each of them satisfies the filter, they are in order, as many
   * other records as it skips are before the first one, and no more than these and those of the page before the last one.
   */
  faultsOf(page: readonly Row[], matching: readonly Row[], asked: AskedPage): readonly string[] {
    const wanted = Math.min(asked.top, Math.max(0, matching.length - asked.skip));
    if (page.length !== wanted) return [`${page.length} records instead of ${wanted}`];
    const matches = new Set(matching);
    const rows = page.map(({ Id }) => this.#byId.get(String(Id)));
    const known = rows.filter((row) => row !== undefined);
    const others = known.filter((row) => !matches.has(row));
    if (known.length < rows.length || others.length > 0) {
      return [`${rows.length - known.length} unknown records, ${others.length} of others`];
    }
    const compare = this.#orderOf(asked.orderby);
    const unordered = known.filter((row, n) => n > 0 && compare(known[n - 1] as Row, row) >= 0);
    const before = (row: Row | undefined) =>
      row === undefined ? 0 : matching.filter((other) => compare(other, row) < 0).length;
    const places = [
      ['first', known[0], asked.skip],
      ['last', known.at(-1), asked.skip + wanted - 1],
    ] as const;
    return [
      ...unordered.map(({ Id }) => `${Id} is out of order`),
      ...places
        .filter(([, row, place]) => row !== undefined && before(row) !== place)
        .map(([name, row, place]) => `${before(row)} records before the ${name}, not ${place}`),
    ];
  }

  // Ids end each order, in the direction of its last field.
  #orderOf(orderby: string): (one: Row, other: Row) => number {
    const keys = bindOrderBy(parseOrderBy(orderby), this.#resource.fields);
    const last = keys.at(-1)?.descending === true ? -1 : 1;
    return (one, other) => {
      for (const { field, descending } of keys) {
        const order = compareCells(field, one[field.name], other[field.name]);
        if (order !== 0) return descending ? -order : order;
      }
      return String(one.Id) < String(other.Id) ? -last : Number(one.Id !== other.Id) * last;
    };
  }
}

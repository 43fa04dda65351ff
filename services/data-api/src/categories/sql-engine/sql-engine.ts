import type { FacetValue } from '@vcds/facet-engine';
import { dimensionById, TOTAL, valueOfText } from '@vcds/venture-model';
import { ValueResolver } from '../../narrowing/resolve.ts';
import type { Database } from '../../postgres/database.ts';
import type { CategorySources } from '../execute.ts';
import type { FacetCounts, FacetEngine, FacetQuery } from '../facet-schema.ts';
import { CodeLookup } from './code-lookup.ts';
import { type CountedRow, compileCount } from './compile-count.ts';

/** The sources of category listings without an engine in memory. */
export function sqlCategories(database: Database): CategorySources {
  return { values: new ValueResolver(database), facets: new SqlFacetEngine(database) };
}

/**
 * Counts in the database: reads the stored counts if nothing narrows, else counts the matching
 * records by index. Used while the columnar engine loads, and as its reference in tests and benches.
 */
export class SqlFacetEngine implements FacetEngine {
  readonly name = 'sql';
  readonly #database: Database;
  readonly #codes: CodeLookup;

  constructor(database: Database) {
    this.#database = database;
    this.#codes = new CodeLookup(database);
  }

  async count(query: FacetQuery, signal?: AbortSignal): Promise<FacetCounts> {
    signal?.throwIfAborted();
    const codes = await this.#codes.codesOf(query.narrowing);
    signal?.throwIfAborted();
    const rows = await this.#database.rows<CountedRow>(compileCount(query, codes));
    const rowsOf = (number: number) => rows.filter((row) => row.number === number);
    return {
      total: Number(rowsOf(TOTAL)[0]?.count ?? 0),
      facets: new Map(
        query.facets.map(({ dimension: id }) => {
          const dimension = dimensionById(id);
          const values = rowsOf(dimension.number).map(
            ({ value, count }): FacetValue => ({
              value: valueOfText(dimension, value),
              count: Number(count),
            }),
          );
          return [id, values];
        }),
      ),
    };
  }
}

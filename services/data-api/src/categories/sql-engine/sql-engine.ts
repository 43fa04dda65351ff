import type { FacetCounts, FacetEngine, FacetQuery, FacetValue } from '@vcds/facet-engine';
import { dimensionById, valueOfText } from '@vcds/venture-model';
import { ValueResolver } from '../../narrowing/resolve.ts';
import type { Database } from '../../postgres/database.ts';
import type { CategorySources } from '../execute.ts';
import { CodeLookup } from './code-lookup.ts';
import { type CountedRow, compileCount } from './compile-count.ts';

/** Category listings that the database alone answers. */
export function sqlCategories(database: Database): CategorySources {
  return { values: new ValueResolver(database), facets: new SqlFacetEngine(database) };
}

/**
 * Counts in the database: maintained counts where nothing narrows, else the records that match,
 * found by index. Answers while the columnar engine loads, and is what that is measured against.
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
    if (query.facets.length === 0) return new Map();
    const codes = await this.#codes.codesOf(query.narrowing);
    signal?.throwIfAborted();
    const rows = await this.#database.rows<CountedRow>(compileCount(query, codes));
    return new Map(
      query.facets.map(({ dimension: id }) => {
        const dimension = dimensionById(id);
        const own = rows.filter(({ number }) => number === dimension.number);
        const values = own.map(
          ({ value, count }): FacetValue => ({
            value: valueOfText(dimension, value),
            count: Number(count),
          }),
        );
        return [id, values];
      }),
    );
  }
}

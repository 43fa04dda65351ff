import type { FacetValue } from '@vcds/facet-engine';
import { ApiError } from '@vcds/service-kit/api-errors';
import { dimensionById, ENTITIES, type EntityId, TOTAL, valueOfText } from '@vcds/venture-model';
import { ValueResolver } from '../../narrowing/resolve.ts';
import type { Database } from '../../postgres/database.ts';
import type { Statement } from '../../postgres/statement.ts';
import type { CategorySources } from '../execute.ts';
import type { FacetCounts, FacetEngine, FacetQuery } from '../facet-schema.ts';
import { CodeLookup } from './code-lookup.ts';
import { type CountedRow, compileCount } from './compile-count.ts';

/** The sources of category listings without an engine in memory. */
export function sqlCategories(database: Database): CategorySources {
  return { values: new ValueResolver(database), facets: new SqlFacetEngine(database) };
}

/** The database counts the records of an entity under narrowings if it has fewer than this number. */
export const SQL_RECORDS_MAX = 200_000;

/**
 * Counts in the database: reads the stored counts if nothing narrows, else counts the matching
 * records by index. Used while the columnar engine loads, and as its reference in tests and benches.
 */
export class SqlFacetEngine implements FacetEngine {
  readonly name = 'sql';
  readonly #database: Database;
  readonly #recordsMax: number | undefined;
  readonly #codes: CodeLookup;

  /** @param options without a bound it counts entities of any size, for tests and benches. */
  constructor(database: Database, { recordsMax }: { readonly recordsMax?: number } = {}) {
    this.#database = database;
    this.#recordsMax = recordsMax;
    this.#codes = new CodeLookup(database);
  }

  /** Counts without narrowing are stored. */
  async #assertFew({ entity, narrowing, related = [] }: FacetQuery): Promise<void> {
    if (this.#recordsMax === undefined || narrowing.length + related.length === 0) return;
    await assertFewRecords(this.#database, entity, this.#recordsMax);
  }

  /** @throws ApiError `unavailable` */
  async count(query: FacetQuery, signal?: AbortSignal): Promise<FacetCounts> {
    signal?.throwIfAborted();
    await this.#assertFew(query);
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

/** @throws ApiError `unavailable` if the entity has so many records that the database should not read all of them. */
export async function assertFewRecords(
  database: Pick<Database, 'rows'>,
  entity: EntityId,
  recordsMax = SQL_RECORDS_MAX,
): Promise<void> {
  const statement: Statement = {
    text: `SELECT coalesce(sum(count), 0)::float8 AS records FROM venture.facet_count
      WHERE code = ${TOTAL} AND entity = ${ENTITIES[entity].number}`,
    values: [],
    plan: 'generic',
  };
  const [row] = await database.rows<{ records: number }>(statement);
  if ((row?.records ?? 0) < recordsMax) return;
  throw new ApiError(
    'unavailable',
    'Counts are being loaded, or their engine does not respond. Try again soon.',
  );
}

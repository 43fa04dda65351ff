import type pg from 'pg';
import { rankedMatches } from '../../src/search/search.ts';
import type { CompanyType, SearchDatabase } from '../../src/search/search-request.ts';
import type { Finder } from './recall.ts';

const TOP = 10;

/** The search of the service, by name or by site. */
export function serviceFinder(
  database: SearchDatabase,
  types: readonly CompanyType[],
  by: 'q' | 'website',
): Finder {
  return async (text) => {
    const matches = await rankedMatches(database, { types, [by]: text, top: TOP });
    return matches.map(({ candidate }) => candidate.name);
  };
}

/** The baseline: PostgreSQL's trigram similarity alone, of the name or of the domain. */
export function trigramFinder(
  pool: pg.Pool,
  type: CompanyType,
  column: 'name_folded' | 'domain',
): Finder {
  return async (text) => {
    const { rows } = await pool.query<{ name: string }>({
      name: `trigram_${type}_${column}`,
      text: `SELECT name FROM venture.${type} WHERE ${column} IS NOT NULL
        ORDER BY similarity(${column}, venture.fold($1)) DESC, id LIMIT ${TOP}`,
      values: [text],
    });
    return rows.map(({ name }) => name);
  };
}

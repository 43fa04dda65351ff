import type pg from 'pg';
import { type CompanyType, rankedMatches, type SearchDatabase } from '../../src/search/index.ts';
import type { Finder } from './recall.ts';

const TOP = 10;

/** The search of the service. */
export function nameFinder(database: SearchDatabase, types: readonly CompanyType[]): Finder {
  return async (q) => {
    const matches = await rankedMatches(database, { types, q, top: TOP });
    return matches.map(({ candidate }) => candidate.name);
  };
}

/** The baseline: PostgreSQL's trigram similarity alone. */
export function trigramFinder(pool: pg.Pool, type: CompanyType): Finder {
  return async (q) => {
    const { rows } = await pool.query<{ name: string }>({
      name: `trigram_${type}`,
      text: `SELECT name FROM venture.${type}
        ORDER BY similarity(name_folded, venture.fold($1)) DESC, id LIMIT ${TOP}`,
      values: [q],
    });
    return rows.map(({ name }) => name);
  };
}

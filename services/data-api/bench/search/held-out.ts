import { Random } from '@vcds/demo-data/random';
import type pg from 'pg';
import { foldName } from '../../src/search/name-forms.ts';
import { rankedMatches } from '../../src/search/search.ts';
import type { SearchDatabase } from '../../src/search/search-request.ts';
import { nameChanges } from './name-changes.ts';
import { shuffled } from './shuffled.ts';

/** Top scores of names that are not there, and of changed names that are there and came first. */
export interface Confidence {
  readonly strangers: readonly number[];
  readonly hits: readonly number[];
  /** Matches answered for a name that is not there, on average. */
  readonly strangerMatches: number;
}

const SEED = 23;
const TOP = 10;

/**
 * Takes a random half of the funds out, searches for names of that half and for changed names of
 * the half that stays, and puts the half back. Names that both halves hold are left aside.
 */
export async function measureConfidence(
  pool: pg.Pool,
  database: SearchDatabase,
  names: readonly string[],
  queriesMax: number,
): Promise<Confidence> {
  const random = new Random(SEED);
  const mixed = shuffled(random, [...new Set(names.map(foldName))]);
  const middle = Math.floor(mixed.length / 2);
  const out = new Set(mixed.slice(0, middle));
  const written = names.filter((name) => out.has(foldName(name)));
  const kept = names.filter((name) => !out.has(foldName(name)));
  await setDeleted(pool, written, true);
  const top = async (q: string) => rankedMatches(database, { types: ['fund'], q, top: TOP });
  const strangers: number[] = [];
  let matches = 0;
  for (const name of shuffled(random, written).slice(0, queriesMax)) {
    const found = await top(name);
    strangers.push(found[0]?.score ?? 0);
    matches += found.length;
  }
  const hits: number[] = [];
  for (const [, change] of nameChanges) {
    for (const name of shuffled(random, kept).slice(0, queriesMax / nameChanges.length)) {
      const query = change(name, random, kept);
      if (query === null) continue;
      const [first] = await top(query);
      if (foldName(first?.candidate.name ?? '') === foldName(name)) hits.push(first?.score ?? 0);
    }
  }
  await setDeleted(pool, written, false);
  return { strangers, hits, strangerMatches: matches / strangers.length };
}

async function setDeleted(pool: pg.Pool, names: readonly string[], gone: boolean): Promise<void> {
  await pool.query(
    `UPDATE venture.fund SET deleted_at = ${gone ? 'now()' : 'NULL'} WHERE name = ANY ($1)`,
    [names],
  );
  await pool.query('VACUUM ANALYZE venture.fund');
}

import { Random } from '@vcds/demo-data/random';
import { foldName } from '@vcds/name-search';
import type pg from 'pg';
import { rankedMatches } from '../../src/search/search.ts';
import type { SearchDatabase } from '../../src/search/search-request.ts';
import { nameChanges } from './name-changes.ts';
import { shuffled } from './shuffled.ts';

/** Top scores of absent names, and of changed names that are present and came first. */
export type Confidence = Awaited<ReturnType<typeof measureConfidence>>;

const SEED = 23;
const TOP = 10;

/**
 * Deletes a random half of the funds, searches for names of that half and for changed names of the
 * other half, and restores it. Names that are in both halves are excluded.
 */
export async function measureConfidence(
  pool: pg.Pool,
  database: SearchDatabase,
  names: readonly string[],
  queriesMax: number,
) {
  const random = new Random(SEED);
  const mixed = shuffled(random, [...new Set(names.map(foldName))]);
  const middle = Math.floor(mixed.length / 2);
  const out = new Set(mixed.slice(0, middle));
  const written = names.filter((name) => out.has(foldName(name)));
  const kept = names.filter((name) => !out.has(foldName(name)));
  await setDeleted(pool, written, true);
  const top = async (q: string) => rankedMatches(database, { types: ['fund'], q, top: TOP });
  const absent: number[] = [];
  let matches = 0;
  for (const name of shuffled(random, written).slice(0, queriesMax)) {
    const found = await top(name);
    absent.push(found[0]?.score ?? 0);
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
  /** `absentMatches`: the mean number of matches for an absent name. */
  return { absent, hits, absentMatches: matches / absent.length };
}

async function setDeleted(pool: pg.Pool, names: readonly string[], gone: boolean): Promise<void> {
  await pool.query(
    `UPDATE venture.fund SET deleted_at = ${gone ? 'now()' : 'NULL'} WHERE name = ANY ($1)`,
    [names],
  );
  await pool.query('VACUUM ANALYZE venture.fund');
}

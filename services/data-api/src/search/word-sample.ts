import { type WordShare, WordWeights } from '@vcds/name-search';
import type { Statement } from '../postgres/statement.ts';
import type { SearchDatabase } from './search-request.ts';

/** The names of one type that are counted: those of the lowest ids that are not deleted. */
const NAMES_COUNTED = 5_000;
/** Words of fewer of these names are rare. */
const USES_MIN = 5;
const REFRESH_MS = 3_600_000;

const SAMPLE: Statement = {
  text: ['startup', 'fund']
    .map(
      (type) => `SELECT w.word, count(*)::float8 / ${NAMES_COUNTED} AS share
        FROM (SELECT name_folded FROM venture.${type} WHERE deleted_at IS NULL
          ORDER BY id LIMIT ${NAMES_COUNTED}) AS n,
          LATERAL (SELECT DISTINCT unnest(venture.name_words(n.name_folded))) AS w(word)
        GROUP BY w.word HAVING count(*) >= ${USES_MIN}`,
    )
    .join(' UNION ALL '),
  values: [],
  plan: 'generic',
};

interface Loaded {
  readonly weights: Promise<WordWeights>;
  readonly staleAtMs: number;
}

const loaded = new WeakMap<SearchDatabase, Loaded>();

/**
 * The weights of words by their frequency in the names of a database: a sample, read by the first
 * search of the process and again after an hour. Searches meanwhile have the weights before.
 *
 * @throws ApiError `unavailable` if the first sample cannot be read.
 */
export function wordWeights(database: SearchDatabase): Promise<WordWeights> {
  const last = loaded.get(database);
  const nowMs = performance.now();
  if (last !== undefined && nowMs < last.staleAtMs) return last.weights;
  const staleAtMs = nowMs + REFRESH_MS;
  const weights = database.rows<WordShare>(SAMPLE).then((rows) => new WordWeights(rows));
  const keep = () => loaded.set(database, { weights, staleAtMs });
  if (last !== undefined) {
    loaded.set(database, { ...last, staleAtMs });
    weights.then(keep, () => {});
    return last.weights;
  }
  keep();
  weights.catch(() => loaded.delete(database));
  return weights;
}

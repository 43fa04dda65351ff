import { type WordShare, WordWeights } from '@vcds/name-search';
import type { Statement } from '../postgres/statement.ts';
import { hourly } from './hourly.ts';

/** The names of one type that are counted: those of the lowest ids that are not deleted. */
const NAMES_COUNTED = 5_000;
/** Words of fewer of these names are rare. */
const USES_MIN = 5;

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

/**
 * The weights of words by their frequency in the names of a database.
 *
 * @throws ApiError `unavailable` if the first sample cannot be read.
 */
export const wordWeights = hourly(
  async (database) => new WordWeights(await database.rows<WordShare>(SAMPLE)),
);

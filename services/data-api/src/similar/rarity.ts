import { hourly } from '../search/hourly.ts';
import type { SearchDatabase } from '../search/search-request.ts';
import type { Kind, Rarity } from './score.ts';

/** The companies that are counted: those of the lowest ids that are not deleted. */
const COMPANIES_COUNTED = 5_000;
/** Values of fewer of these companies are taken as those of none. */
const USES_MIN = 2;
/** Less rare words, in about one profile of ten, say nothing: `founded`, `company`. */
const WORD_RARITY_MIN = 0.25;

interface Use {
  readonly isTag: boolean;
  readonly value: string;
  readonly uses: number;
  readonly companies: number;
}

const RARITIES = { startup: hourly(rarities('startup')), fund: hourly(rarities('fund')) };

/**
 * How rare tags and words are, in a sample.
 *
 * @throws ApiError `unavailable` if the first sample cannot be read.
 */
export function rarityOf(database: SearchDatabase, kind: Kind): Promise<Rarity> {
  return RARITIES[kind](database);
}

function rarities(kind: Kind) {
  return async (database: SearchDatabase) =>
    rarityFrom(await database.rows<Use>({ text: sample(kind), values: [], plan: 'generic' }));
}

function sample(kind: Kind): string {
  return `WITH c AS MATERIALIZED (
      SELECT tags, keywords FROM venture.${kind} WHERE deleted_at IS NULL
      ORDER BY id LIMIT ${COMPANIES_COUNTED})
    SELECT v.is_tag AS "isTag", v.value, count(*)::int AS uses,
      (SELECT count(*)::int FROM c) AS companies
    FROM c CROSS JOIN LATERAL (
      SELECT true AS is_tag, t.value FROM unnest(c.tags) AS t(value)
      UNION ALL SELECT false, w.value FROM unnest(tsvector_to_array(c.keywords)) AS w(value)) AS v
    GROUP BY 1, 2 HAVING count(*) >= ${USES_MIN}`;
}

/** Exported for tests. */
export function rarityFrom(uses: readonly Use[]): Rarity {
  const companies = Math.max(2, uses[0]?.companies ?? 0);
  const least = 1 / (2 * companies);
  const of = (isTag: boolean) => {
    const shares = new Map(
      uses.flatMap((use) => (use.isTag === isTag ? [[use.value, use.uses / companies]] : [])),
    );
    return (value: string) => Math.log(shares.get(value) ?? least) / Math.log(least);
  };
  const ofWord = of(false);
  const said = (rarity: number) => (rarity < WORD_RARITY_MIN ? 0 : rarity);
  return { ofTag: of(true), ofWord: (word) => said(ofWord(word)) };
}

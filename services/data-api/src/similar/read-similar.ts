import type { Answer } from '../postgres/database.ts';
import type { SearchDatabase } from '../search/search-request.ts';
import type { SimilarPlan } from './plan.ts';
import { rarityOf } from './rarity.ts';
import { reasonsOf } from './reasons.ts';
import {
  type Facts,
  likenessOfInvestors,
  likenessOfPortfolios,
  type Part,
  partsOf,
  type Rarity,
  scoreOf,
} from './score.ts';
import {
  type Candidate,
  compileCandidates,
  compileCommonNames,
  compileHits,
  compileSubject,
  type Lookups,
  type Subject,
} from './sql.ts';
import { withWords } from './words.ts';

/** Tags whose pairs are looked up: the rarest. */
const TAGS_PAIRED = 4;
const TAGS_ALONE = 2;
/** Words of which candidates have two: the rarest that are in at most about one profile in a hundred, and the next. */
const WORDS_PAIRED = 12;
const RARITY_MIN = 0.5;

/** The company of the call, with its words. */
type Compared = Subject & { readonly compared: Facts };

interface Hit extends Candidate {
  readonly compared: Facts;
  readonly score: number;
  readonly parts: readonly Part[];
}

/**
 * The companies that are most alike the one of the call, best first; equal scores by id. Four short statements
 * read at most about a thousand candidates; the scores are computed here.
 *
 * @throws ApiError `unavailable`. The body is null if the company does not exist.
 */
export async function readSimilar(
  plan: SimilarPlan,
  { database }: { readonly database: SearchDatabase },
): Promise<Answer> {
  const { kind, id, top } = plan;
  const [stored] = await database.rows<Subject>(compileSubject(plan));
  if (stored === undefined) return { body: null, records: 0, more: false };
  const subject = { ...stored, compared: withWords(stored.facts) };
  const rarity = await rarityOf(database, kind);
  const statement = compileCandidates(plan, lookupsOf(subject, rarity));
  const candidates = await database.rows<Candidate>(statement);
  const hits = rank(plan, subject, candidates, rarity).slice(0, top);
  const holders = hits.filter(({ portfolio: [both] }) => both > 0).map((hit) => hit.id);
  const common =
    holders.length === 0
      ? []
      : await database.rows<{ id: string; names: string[] }>(compileCommonNames(id, holders));
  const names = new Map(common.map((each) => [each.id, each.names]));
  const explained = hits.map((hit) => ({
    id: hit.id,
    score: hit.score,
    reasons: reasonsOf(kind, subject, hit, rarity, names.get(hit.id) ?? []),
  }));
  const [answer] = await database.rows<{ body: string; records: number }>(
    compileHits(kind, explained),
  );
  if (answer === undefined) throw new Error('The statement of the hits returned no row.');
  return { ...answer, more: false };
}

function rank(
  { kind }: SimilarPlan,
  { compared: facts, investors }: Compared,
  candidates: readonly Candidate[],
  rarity: Rarity,
): readonly Hit[] {
  const investments = new Map(investors.map((each) => [each.id, each.investments]));
  const likenessOf = ({ investors: shared, portfolio }: Candidate): number =>
    kind === 'startup'
      ? likenessOfInvestors(shared.map((fund) => investments.get(fund) ?? 0))
      : likenessOfPortfolios(...portfolio);
  return candidates
    .map((candidate): Hit => {
      const shared = { likeness: likenessOf(candidate) };
      const compared = withWords(candidate.facts);
      const parts = partsOf(kind, facts, compared, shared, rarity);
      return { ...candidate, compared, parts, score: scoreOf(parts) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

function lookupsOf({ compared: facts, investors }: Compared, rarity: Rarity): Lookups {
  const rarest = (values: readonly string[], of: (value: string) => number) =>
    values.toSorted((a, b) => of(b) - of(a) || (a < b ? -1 : 1));
  const tags = rarest(facts.tags, rarity.ofTag).slice(0, 12);
  const paired = tags.slice(0, TAGS_PAIRED);
  const sets = [
    ...(tags.length > 2 ? [tags] : []),
    ...paired.flatMap((one, index) => paired.slice(index + 1).map((other) => [one, other])),
    ...tags.slice(0, TAGS_ALONE).map((tag) => [tag]),
  ];
  const words = rarest(facts.words, rarity.ofWord).filter(
    (word) => rarity.ofWord(word) >= RARITY_MIN,
  );
  const pairs = [words.slice(0, WORDS_PAIRED), words.slice(WORDS_PAIRED, 2 * WORDS_PAIRED)];
  return {
    tags: sets,
    words: pairs.filter(({ length }) => length > 1),
    // Otherwise the place says too little.
    cities: sets.length === 0 && words.length < 2 ? facts.cities : [],
    investors: investors.map((each) => each.id),
  };
}

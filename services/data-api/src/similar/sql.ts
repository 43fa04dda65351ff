/** The statements of a call for similar companies (docs/spec/similar.md 24.3). */
import { compileNarrowing } from '../narrowing/sql.ts';
import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import type { SimilarPlan } from './plan.ts';
import type { Facts, Kind } from './score.ts';

/** Characters of a full-text document that are read: some 300 words, in the order of the alphabet. */
const DOCUMENT_MAX = 6_000;
/** Investors of a startup that are compared: those with the fewest investments. */
const INVESTORS_MAX = 50;
/** Companies of a portfolio that are compared: the newest. */
const PORTFOLIO_MAX = 1_000;
/** Candidates of each lookup. */
const BY_TAGS_MAX = 80;
const BY_WORDS_MAX = 150;
const BY_CITIES_MAX = 100;
const BY_INVESTOR_MAX = 40;
const BY_PORTFOLIO_MAX = 200;

/** As the database has them: the words are in the full-text document of name, tags and description. */
export interface StoredFacts extends Omit<Facts, 'words' | 'labels'> {
  readonly name: string;
  readonly document: string;
}

/** The company of the call. */
export interface Subject {
  readonly facts: StoredFacts;
  /** Of a startup: its investors. */
  readonly investors: readonly Investor[];
  /** A word of the description for each that is compared. */
  readonly spelled: Readonly<Record<string, string>>;
}

interface Investor {
  readonly id: string;
  readonly name: string;
  readonly investments: number;
}

/** A company that is scored. */
export interface Candidate {
  readonly id: string;
  readonly facts: StoredFacts;
  /** Of a startup: the ids of the investors that it shares with the subject. */
  readonly investors: readonly string[];
  /** Of a fund: the companies in its portfolio, in that of the subject, and in both. */
  readonly portfolio: readonly [number, number, number];
}

/** The values by which candidates are looked up. */
export interface Lookups {
  readonly tags: readonly (readonly string[])[];
  /** Profiles with two words of one of these lists, each of two at least. */
  readonly words: readonly (readonly string[])[];
  readonly cities: readonly string[];
  readonly investors: readonly string[];
}

const OWN: Readonly<Record<Kind, string>> = {
  startup: `'stages', CASE WHEN venture.names_stage(s.last_funding_stage)
    THEN ARRAY[s.last_funding_stage] ELSE '{}' END, 'types', '{}'::text[]`,
  fund: `'stages', s.investment_stages, 'types', s.investment_types`,
};

const factsOf = (kind: Kind): string => `json_build_object('tags', s.tags,
    'name', s.name, 'document', left(s.keywords::text, ${DOCUMENT_MAX}), 'countries', s.countries,
    'regions', s.regions, 'cities', s.cities, 'size', s.members_bucket, ${OWN[kind]})`;

/** The subject; no row if it does not exist. */
export function compileSubject({ kind, id }: SimilarPlan): Statement {
  const investors = `(SELECT coalesce(json_agg(i), '[]') FROM (
      SELECT f.id, f.name, f.investments_count AS investments
      FROM venture.holding h JOIN venture.fund f ON f.id = h.fund_id AND f.deleted_at IS NULL
      WHERE h.startup_id = s.id AND h.deleted_at IS NULL
      ORDER BY f.investments_count, f.id LIMIT ${INVESTORS_MAX}) AS i)`;
  return {
    text: `SELECT ${factsOf(kind)} AS facts, ${kind === 'startup' ? investors : `'[]'::json`} AS investors,
        (SELECT coalesce(json_object_agg(x.stem, x.word), '{}') FROM (
          SELECT DISTINCT ON (l.stem) l.stem, w.word
          FROM regexp_split_to_table(
              venture.keyword_text(left(coalesce(s.description, ''), 20000)), '\\s+')
            WITH ORDINALITY AS w(word, n)
          CROSS JOIN LATERAL unnest(ts_lexize('english_stem', left(w.word, 100))) AS l(stem)
          ORDER BY l.stem, w.n) AS x) AS spelled
      FROM venture.${kind} AS s WHERE s.id = $1::uuid AND s.deleted_at IS NULL`,
    values: [id],
    plan: 'generic',
  };
}

/** The dimensions that narrow the lookups of candidates too, in the order of the functions' parameters. */
const LISTS = ['industry', 'country', 'region', 'city'];

/** The candidates with their facts. */
export function compileCandidates(plan: SimilarPlan, lookups: Lookups): Statement {
  const { kind, id, narrowing } = plan;
  const values = new SqlValues();
  const self = values.add(id, 'uuid');
  // A statement uses each of its values.
  const looksUp = [lookups.tags, lookups.words, lookups.cities].some(({ length }) => length > 0);
  const listOf = (name: string) => narrowing.find(({ dimension }) => dimension.id === name)?.values;
  const lists = looksUp
    ? LISTS.map((name) =>
        values.add(listOf(name)?.map(({ value }) => value) ?? null, 'text[]'),
      ).join(', ')
    : '';
  const sources: string[] = [];
  if (lookups.tags.length > 0) {
    sources.push(`SELECT a.id FROM jsonb_array_elements(${values.add(JSON.stringify(lookups.tags), 'jsonb')}) AS e(tags)
      CROSS JOIN LATERAL venture.${kind}s_alike_by_tags(
        ARRAY(SELECT jsonb_array_elements_text(e.tags)), ${lists}, ${BY_TAGS_MAX}) AS a(id)`);
  }
  for (const words of lookups.words) {
    const query = values.add(pairsOf(words), 'text');
    sources.push(
      `SELECT venture.${kind}s_alike_by_words(${query}::tsquery, ${lists}, ${BY_WORDS_MAX})`,
    );
  }
  if (lookups.cities.length > 0) {
    const cities = values.add(lookups.cities, 'text[]');
    sources.push(`SELECT venture.${kind}s_alike_by_cities(${cities}, ${lists}, ${BY_CITIES_MAX})`);
  }
  const funds = kind === 'startup' ? values.add(lookups.investors, 'uuid[]') : '';
  sources.push(
    kind === 'startup'
      ? `SELECT n.startup_id FROM unnest((${funds})[1:20]) AS f(id) CROSS JOIN LATERAL (
          SELECT h.startup_id FROM venture.holding AS h
          WHERE h.fund_id = f.id AND h.deleted_at IS NULL
          ORDER BY h.last_investment_date DESC NULLS LAST, h.startup_id DESC
          LIMIT ${BY_INVESTOR_MAX}) AS n`
      : `SELECT fund_id FROM (SELECT fund_id FROM common ORDER BY n DESC, fund_id LIMIT ${BY_PORTFOLIO_MAX}) AS n`,
  );
  const common = `common AS MATERIALIZED (
      SELECT h.fund_id, count(*)::int AS n FROM (
        SELECT o.startup_id FROM venture.holding AS o
        WHERE o.fund_id = ${self} AND o.deleted_at IS NULL AND NOT EXISTS (
          SELECT FROM venture.startup AS t WHERE t.id = o.startup_id AND t.deleted_at IS NOT NULL)
        ORDER BY o.last_investment_date DESC NULLS LAST, o.startup_id DESC LIMIT ${PORTFOLIO_MAX}) AS p
      CROSS JOIN LATERAL (
        SELECT a.fund_id FROM venture.holding AS a
        WHERE a.startup_id = p.startup_id AND a.deleted_at IS NULL AND a.fund_id <> ${self} OFFSET 0) AS h
      GROUP BY h.fund_id), `;
  const size = (of: string) =>
    `coalesce((SELECT k.startups_count FROM venture.fund_computed AS k WHERE k.id = ${of}), 0)`;
  const shared =
    kind === 'startup'
      ? `ARRAY(SELECT h.fund_id::text FROM venture.holding AS h WHERE h.startup_id = s.id
          AND h.fund_id = ANY (${funds}) AND h.deleted_at IS NULL) AS investors, '{0,0,0}'::int[] AS portfolio`
      : `'{}'::text[] AS investors, ARRAY[coalesce(
          (SELECT x.n FROM common AS x WHERE x.fund_id = s.id), 0), ${size(self)}, ${size('s.id')}] AS portfolio`;
  const narrowed = compileNarrowing(
    narrowing,
    kind === 'startup' ? 'startups' : 'funds',
    's',
    values,
  );
  return {
    text: `WITH ${kind === 'fund' ? common : ''}candidate AS MATERIALIZED (
        SELECT DISTINCT u.id FROM (${sources.join(' UNION ALL ')}) AS u(id))
      SELECT s.id::text AS id, ${factsOf(kind)} AS facts, ${shared}
      FROM candidate AS c JOIN venture.${kind} AS s ON s.id = c.id
      WHERE s.id <> ${self} AND s.deleted_at IS NULL AND ${narrowed}`,
    values: values.values,
    plan: 'custom',
  };
}

/** Any two of the words. */
function pairsOf(words: readonly string[]): string {
  const quoted = words.map((word) => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`);
  return quoted
    .flatMap((one, index) => quoted.slice(index + 1).map((other) => `${one} & ${other}`))
    .join(' | ');
}

/** The names of some companies that are in the portfolios of both: by fund at most three. */
export function compileCommonNames(id: string, funds: readonly string[]): Statement {
  return {
    text: `SELECT f.id::text AS id, ARRAY(
        SELECT t.name FROM venture.holding AS a
        JOIN venture.holding AS b ON b.startup_id = a.startup_id AND b.fund_id = $1::uuid
          AND b.deleted_at IS NULL
        JOIN venture.startup AS t ON t.id = a.startup_id AND t.deleted_at IS NULL
        WHERE a.fund_id = f.id AND a.deleted_at IS NULL
        ORDER BY t.rounds_count DESC, t.id LIMIT 3) AS names
      FROM unnest($2::uuid[]) AS f(id)`,
    values: [id, funds],
    plan: 'generic',
  };
}

/** The hits as a JSON array in their order, without those deleted since. */
export function compileHits(
  kind: Kind,
  hits: readonly { readonly id: string; readonly score: number; readonly reasons: unknown }[],
): Statement {
  return {
    text: `SELECT count(*)::int AS records,
        '[' || coalesce(string_agg(row_to_json(o)::text, ',' ORDER BY o."Score" DESC, o."Id"), '') || ']' AS body
      FROM unnest($1::uuid[], $2::float8[], $3::json[]) AS m(id, score, reasons)
      JOIN venture.${kind} AS s ON s.id = m.id AND s.deleted_at IS NULL
      CROSS JOIN LATERAL (
        SELECT s.id AS "Id", '${kind}' AS "Type", s.name AS "Name", s.website AS "Website",
          s.domain AS "Domain", s.location AS "Location", s.countries AS "Country",
          s.description AS "Description", s.tags AS "Tags", s.logo_url AS "LogoUrl",
          m.score AS "Score", m.reasons AS "Reasons") AS o`,
    values: [
      hits.map(({ id }) => id),
      hits.map(({ score }) => score),
      hits.map(({ reasons }) => JSON.stringify(reasons)),
    ],
    plan: 'generic',
  };
}

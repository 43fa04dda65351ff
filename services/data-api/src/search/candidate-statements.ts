/** The statements that find candidates by index: one for each lookup of a search. */

import {
  type Asked,
  compactProbes,
  hostProbes,
  type LookupWords,
  type NameForms,
  type Rankable,
  typosOf,
} from '@vcds/name-search';
import type { WebsiteForms } from '@vcds/venture-model';
import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import type { CompanyType } from './search-request.ts';

/** A company that may match: rounds raised or investments made, US dollars raised (funds: 0). */
export interface Candidate extends Rankable {
  readonly type: CompanyType;
}

/** SQL that returns the ids of one type of company. */
type Part = (type: CompanyType) => string;

const TABLES: Readonly<Record<CompanyType, { readonly deals: string; readonly raised: string }>> = {
  startup: { deals: 'c.rounds_count', raised: 'coalesce(c.total_raised, 0)::float8' },
  fund: { deals: 'c.investments_count', raised: '0::float8' },
};

/** The most candidates of one part; if there are more, the most likely ones. */
const CANDIDATES_MAX = 100;
/** Appended to a prefix, it sorts after every text with that prefix. */
const LAST_CHARACTER = '\u{10ffff}';
/** The most words of names that are compared with a word of the query. */
const SIMILAR_WORDS_MAX = 50;
/** The most trigrams that two typos change. */
const TYPO_TRIGRAMS = 8;
const TRIGRAM_SHARE = { min: 0.4, max: 0.6 } as const;

/** The words of the first lookup. */
export interface NameWords extends LookupWords {
  /** Names with all of these are candidates too. */
  readonly phrase: readonly string[];
}

/** The first lookup: same letters, prefix, words, the host, and the identifier. */
export function compileLookup(
  types: readonly CompanyType[],
  { name, website, identifier }: Pick<Asked, 'name' | 'website' | 'identifier'>,
  words: NameWords,
): Statement {
  const values = new SqlValues();
  const has = identifier === null ? undefined : hasIdentifier(values, identifier.text);
  const parts = [
    ...(name === null
      ? []
      : [sameName(values, name), begun(values, name), ...withWords(values, name, words)]),
    ...(website === null ? [] : [atHost(values, website), besideHost(values, website)]),
    ...(has === undefined ? [] : [identified(has)]),
  ];
  return statement(types, values, parts, has);
}

/** The second lookup: the same letters with one typo. */
export function compileTypoLookup(types: readonly CompanyType[], name: NameForms): Statement {
  const values = new SqlValues();
  return statement(types, values, [spelt(list(values, typosOf(name.compact)))]);
}

/** The third and last lookups otherwise: words with typos, and the other words of the query. */
export function compileWordTypoLookup(
  types: readonly CompanyType[],
  { folded }: NameForms,
  { rare, general, hasFrequent }: LookupWords,
  others: readonly string[],
): Statement {
  const values = new SqlValues();
  return statement(types, values, [
    ...(rare.length === 0 ? [] : [withTypo(values, folded, rare, others)]),
    ...(general.length === 0 ? [] : [ranked(values, general, { isShort: !hasFrequent })]),
  ]);
}

/** The third lookup for two words: both, each with or without a typo. */
export function compileBothWordsLookup(
  types: readonly CompanyType[],
  { folded }: NameForms,
  [some, others]: readonly [readonly string[], readonly string[]],
): Statement {
  const values = new SqlValues();
  const [first, second] = [list(values, some), list(values, others)];
  const query = values.add(folded, 'text');
  return statement(types, values, [
    (type) => `SELECT venture.${type}s_with_both(${first}, ${second}, ${query}, ${CANDIDATES_MAX})`,
  ]);
}

/** Words of names that are similar to each of these: rows with one `word`, at most 50 for each. */
export function compileSimilarWords(words: readonly string[]): Statement {
  const shares = words.map(({ length }) => {
    const share = 1 - TYPO_TRIGRAMS / (length + 1);
    return Math.min(Math.max(share, TRIGRAM_SHARE.min), TRIGRAM_SHARE.max);
  });
  return {
    text: `SELECT DISTINCT s.word FROM unnest($1::text[], $2::real[]) AS g(word, share),
      venture.similar_name_words(g.word, g.share, $3) AS s(word)`,
    values: [words, shares, SIMILAR_WORDS_MAX],
    plan: 'generic',
  };
}

function statement(
  types: readonly CompanyType[],
  values: SqlValues,
  parts: readonly Part[],
  identified = 'false',
): Statement {
  const selects = types.map((type) => {
    const { deals, raised } = TABLES[type];
    const ids = parts.map((part) => `(${part(type)})`).join(' UNION ');
    return `SELECT '${type}' AS type, c.id::text, c.name, c.website, c.domain, ${deals} AS deals,
      ${raised} AS raised, ${identified} AS identified FROM (${ids}) AS i(id) JOIN venture.${type} c USING (id)`;
  });
  return { text: selects.join('\nUNION ALL\n'), values: values.values, plan: 'generic' };
}

// One text in place of an array: pg would escape each of hundreds of spellings. No text of a look-up is
// empty or has a line break.
function list(values: SqlValues, texts: readonly string[]): string {
  return `string_to_array(${values.add(texts.join('\n'), 'text')}, E'\\n')`;
}

// Includes the form that the database computes: it distinguishes some signs that are folded here.
function sameName(values: SqlValues, name: NameForms): Part {
  const forms = list(values, compactProbes(name));
  const written = values.add(name.written, 'text');
  return spelt(`array_append(${forms}, venture.name_compact(venture.fold(${written})))`);
}

function spelt(forms: string): Part {
  return (type) => `SELECT venture.${type}s_spelt(${forms}, ${CANDIDATES_MAX})`;
}

function begun(values: SqlValues, { compact }: NameForms): Part {
  const letters = values.add(compact, 'text');
  return (type) => `SELECT venture.${type}s_begun(${letters}, ${CANDIDATES_MAX})`;
}

function withWords(
  values: SqlValues,
  { folded }: NameForms,
  { rare, general, hasFrequent, phrase }: NameWords,
): Part[] {
  return [
    ...(rare.length === 0 ? [] : [withWord(values, folded, rare)]),
    ...(phrase.length === 0 ? [] : [ranked(values, phrase, { every: true, isShort: true })]),
    ...(general.length === 0 ? [] : [ranked(values, general, { isShort: !hasFrequent })]),
  ];
}

function withWord(values: SqlValues, folded: string, words: readonly string[]): Part {
  const any = list(values, words);
  const query = values.add(folded, 'text');
  return (type) => `SELECT venture.${type}s_with_word(${any}, ${query}, ${CANDIDATES_MAX})`;
}

function withTypo(
  values: SqlValues,
  folded: string,
  words: readonly string[],
  others: readonly string[],
): Part {
  const spellings = list(values, words);
  const beside = list(values, others);
  const query = values.add(folded, 'text');
  return (type) =>
    `SELECT venture.${type}s_with_typo(${spellings}, ${beside}, ${query}, ${CANDIDATES_MAX})`;
}

/** With one word, or with `every` one; `isShort` if the list of these names is expected to be short. */
function ranked(
  values: SqlValues,
  words: readonly string[],
  { every = false, isShort }: { readonly every?: boolean; readonly isShort: boolean },
): Part {
  const given = list(values, words);
  return (type) =>
    `SELECT venture.${type}s_ranked(${given}, ${every}, ${isShort}, ${CANDIDATES_MAX})`;
}

function hasIdentifier(values: SqlValues, identifier: string): string {
  return `c.identifiers @> ARRAY[${values.add(identifier, 'text')}]`;
}

// OFFSET 0 keeps the order out of the choice of the index: that of identifiers is read.
function identified(condition: string): Part {
  return (type) => `SELECT i.id FROM (SELECT c.id, ${TABLES[type].deals} AS deals
      FROM venture.${type} c WHERE ${condition} AND c.deleted_at IS NULL OFFSET 0) i
    ORDER BY i.deals DESC, i.id LIMIT ${CANDIDATES_MAX}`;
}

// If many companies share a host, those with the same page come first.
function atHost(values: SqlValues, website: WebsiteForms): Part {
  const hosts = list(values, hostProbes(website));
  const path = values.add(website.path.toLowerCase(), 'text');
  return (type) => `SELECT c.id FROM venture.${type} c
    WHERE c.domain = ANY (${hosts}) AND c.deleted_at IS NULL
    ORDER BY strpos(lower(c.website), ${path}) > 0 DESC NULLS LAST, ${TABLES[type].deals} DESC, c.id
    LIMIT ${CANDIDATES_MAX}`;
}

function besideHost(values: SqlValues, { host, registrable }: WebsiteForms): Part {
  const below = `${[...(registrable ?? host)].toReversed().join('')}.`;
  const from = values.add(below, 'text');
  const before = values.add(below + LAST_CHARACTER, 'text');
  const reversed = `(reverse(c.domain)) COLLATE "C"`;
  return (type) => `SELECT c.id FROM venture.${type} c
    WHERE c.domain LIKE '%.%.%' AND ${reversed} > ${from} AND ${reversed} < ${before}
      AND c.deleted_at IS NULL
    ORDER BY ${TABLES[type].deals} DESC, c.id LIMIT ${CANDIDATES_MAX}`;
}

/** The statements that find candidates by index: one for each lookup of a search. */

import {
  compactProbes,
  hostProbes,
  type NameForms,
  type Rankable,
  typosOf,
  typosOfWords,
  weightDespiteTypo,
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
/** The most trigrams that one typo changes. */
const TYPO_TRIGRAMS = 4;
/** With fewer letters, the trigrams of discriminative words match too many names. */
const DISCRIMINATIVE_LETTERS_MIN = 8;
const TRIGRAM_SHARE = { min: 0.5, max: 0.7 } as const;

/** The first lookup: same letters, prefix, the most discriminative words, and the host. */
export function compileLookup(
  types: readonly CompanyType[],
  name: NameForms | null,
  words: readonly string[],
  website: WebsiteForms | null,
): Statement {
  const values = new SqlValues();
  return statement(types, values, [
    ...(name === null
      ? []
      : [sameName(values, name), begun(values, name), withWord(values, name, words)]),
    ...(website === null ? [] : [atHost(values, website), besideHost(values, website)]),
  ]);
}

/** The second lookup: the same letters with one typo. */
export function compileTypoLookup(types: readonly CompanyType[], name: NameForms): Statement {
  const values = new SqlValues();
  return statement(types, values, [
    spelt(values.add([...new Set(typosOf(name.compact))], 'text[]')),
  ]);
}

/** The last lookup: discriminative words with a typo in each, and common trigrams. */
export function compileFuzzyLookup(
  types: readonly CompanyType[],
  name: NameForms,
  words: readonly string[],
): Statement {
  const values = new SqlValues();
  // Two parts, because the index of words compares every name that it finds with all words.
  const { rare, general } = typosOfWords(words);
  return statement(types, values, [
    withWord(values, name, rare),
    withWord(values, name, general),
    namedLike(values, name),
  ]);
}

function statement(
  types: readonly CompanyType[],
  values: SqlValues,
  parts: readonly Part[],
): Statement {
  const selects = types.map((type) => {
    const { deals, raised } = TABLES[type];
    const ids = parts.map((part) => `(${part(type)})`).join(' UNION ');
    return `SELECT '${type}' AS type, c.id::text, c.name, c.website, c.domain, ${deals} AS deals,
      ${raised} AS raised FROM (${ids}) AS i(id) JOIN venture.${type} c USING (id)`;
  });
  return { text: selects.join('\nUNION ALL\n'), values: values.values, plan: 'generic' };
}

// Includes the form that the database computes: it distinguishes some signs that are folded here.
function sameName(values: SqlValues, name: NameForms): Part {
  const forms = values.add(compactProbes(name), 'text[]');
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

function withWord(values: SqlValues, { folded }: NameForms, words: readonly string[]): Part {
  const any = values.add(words, 'text[]');
  const query = values.add(folded, 'text');
  return (type) => `SELECT venture.${type}s_with_word(${any}, ${query}, ${CANDIDATES_MAX})`;
}

// General words share trigrams with too many names; they are omitted if others remain.
function namedLike(values: SqlValues, { words, folded }: NameForms): Part {
  const discriminative = words.filter((word) => weightDespiteTypo(word) === 1);
  const enough = discriminative.join('').length >= DISCRIMINATIVE_LETTERS_MIN;
  const needle = enough ? discriminative : words;
  const trigrams = needle.reduce((sum, word) => sum + word.length + 1, 0);
  const share = Math.max(1 - TYPO_TRIGRAMS / trigrams, TRIGRAM_SHARE.min);
  const text = values.add(needle.join(' ') || folded, 'text');
  const shareMin = values.add(Math.min(share, TRIGRAM_SHARE.max), 'real');
  return (type) => `SELECT venture.${type}s_named_like(${text}, ${shareMin}, ${CANDIDATES_MAX})`;
}

// If many companies share a host, those with the same page come first.
function atHost(values: SqlValues, website: WebsiteForms): Part {
  const hosts = values.add(hostProbes(website), 'text[]');
  const path = values.add(website.path, 'text');
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

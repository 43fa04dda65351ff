/** Statements that find candidates by index: one for each round of a search. */

import type { WebsiteForms } from '@vcds/venture-model';
import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import type { NameForms } from './name-forms.ts';
import { compactProbes, hostProbes, slipsOf, slipsOfWords } from './probes.ts';
import type { CompanyType } from './search-request.ts';
import { weightDespiteSlip } from './word-weights.ts';

/** A record that may be the one meant. */
export interface Candidate {
  readonly type: CompanyType;
  readonly id: string;
  readonly name: string;
  readonly website: string | null;
  readonly domain: string | null;
  /** Rounds raised, or investments made. */
  readonly deals: number;
  /** US dollars raised; 0 for funds. */
  readonly raised: number;
}

/** SQL that answers Ids of one type of company. */
type Part = (type: CompanyType) => string;

const TABLES: Readonly<Record<CompanyType, { readonly deals: string; readonly raised: string }>> = {
  startup: { deals: 'c.rounds_count', raised: 'coalesce(c.total_raised, 0)::float8' },
  fund: { deals: 'c.investments_count', raised: '0::float8' },
};

/** Candidates of one kind; where more are found, the likeliest. */
const CANDIDATES_MAX = 100;
/** Sorts after every text that begins like the one it is appended to. */
const LAST_SIGN = '\u{10ffff}';
/** Trigrams that one slip takes away at most. */
const SLIP_TRIGRAMS = 4;
/** Fewer letters of telling words find too much by their trigrams. */
const TELLING_LETTERS_MIN = 8;
const TRIGRAM_SHARE = { min: 0.5, max: 0.7 } as const;

/** The first round: the same letters, their beginning, the most telling words; the host. */
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

/** The second round: the same letters but for one slip. */
export function compileSlipLookup(types: readonly CompanyType[], name: NameForms): Statement {
  const values = new SqlValues();
  return statement(types, values, [
    spelt(values.add([...new Set(slipsOf(name.compact))], 'text[]')),
  ]);
}

/** The last round: the most telling words but for a slip in each, and most trigrams in common. */
export function compileLikeLookup(
  types: readonly CompanyType[],
  name: NameForms,
  words: readonly string[],
): Statement {
  const values = new SqlValues();
  // Apart, because an index of words checks all that are asked for at every name it finds.
  const { rare, general } = slipsOfWords(words);
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
  return { text: selects.join('\nUNION ALL\n'), values: values.values, recurs: true };
}

// The database's own reading comes along: it keeps some signs apart that are folded here.
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

// General words have so many names' trigrams that they are left out where others remain.
function namedLike(values: SqlValues, { words, folded }: NameForms): Part {
  const telling = words.filter((word) => weightDespiteSlip(word) === 1);
  const enough = telling.join('').length >= TELLING_LETTERS_MIN;
  const needle = enough ? telling : words;
  const trigrams = needle.reduce((sum, word) => sum + word.length + 1, 0);
  const share = Math.max(1 - SLIP_TRIGRAMS / trigrams, TRIGRAM_SHARE.min);
  const text = values.add(needle.join(' ') || folded, 'text');
  const shareMin = values.add(Math.min(share, TRIGRAM_SHARE.max), 'real');
  return (type) => `SELECT venture.${type}s_named_like(${text}, ${shareMin}, ${CANDIDATES_MAX})`;
}

// Where many companies share a host, those whose page was asked for come first.
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
  const before = values.add(below + LAST_SIGN, 'text');
  const reversed = `(reverse(c.domain)) COLLATE "C"`;
  return (type) => `SELECT c.id FROM venture.${type} c
    WHERE c.domain LIKE '%.%.%' AND ${reversed} > ${from} AND ${reversed} < ${before}
      AND c.deleted_at IS NULL
    ORDER BY ${TABLES[type].deals} DESC, c.id LIMIT ${CANDIDATES_MAX}`;
}

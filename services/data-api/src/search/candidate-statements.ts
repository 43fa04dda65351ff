/** Statements that find candidates by index: one for each round of a search. */
import { SqlValues } from '../execute/sql-values.ts';
import type { Statement } from '../execute/statement.ts';
import type { NameForms } from './name-forms.ts';
import { compactProbes, hostProbes, typosOf, typosOfWords } from './probes.ts';
import type { CompanyType } from './search-request.ts';
import type { WebsiteForms } from './website-forms.ts';

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

/** SQL that answers candidates of one table, `c`. */
type Part = (type: CompanyType) => string;

const tables: Readonly<Record<CompanyType, { readonly deals: string; readonly raised: string }>> = {
  startup: { deals: 'c.rounds_count', raised: 'coalesce(c.total_raised, 0)::float8' },
  fund: { deals: 'c.investments_count', raised: '0::float8' },
};

const COMPACT = `(venture.name_compact(c.name_folded)) COLLATE "C"`;
const REVERSED_DOMAIN = `(reverse(c.domain)) COLLATE "C"`;
/** Candidates of one kind; where more are found, the likeliest. */
const CANDIDATES_MAX = 200;
/** Rows read to choose them from. */
const ROWS_MAX = 2_000;
const BEGINNING_ROWS_MAX = 300;
/** Sorts after every text that begins like the one it is appended to. */
const LAST_SIGN = '\u{10ffff}';
/** Trigrams that one slip takes away at most. */
const SLIP_TRIGRAMS = 4;
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
      : [sameName(values, name), begun(values, name), oneWord(values, name, words)]),
    ...(website === null ? [] : [atHost(values, website), besideHost(values, website)]),
  ]);
}

/** The second round: the same letters but for one slip. */
export function compileSlipLookup(types: readonly CompanyType[], name: NameForms): Statement {
  const values = new SqlValues();
  return statement(types, values, [
    sameLetters(values.add([...new Set(typosOf(name.compact))], 'text[]')),
  ]);
}

/** The last round: the most telling words but for a slip in each, and most trigrams in common. */
export function compileLikeLookup(
  types: readonly CompanyType[],
  name: NameForms,
  words: readonly string[],
): Statement {
  const values = new SqlValues();
  return statement(types, values, [
    oneWord(values, name, typosOfWords(words)),
    mostTrigrams(values, name),
  ]);
}

function statement(
  types: readonly CompanyType[],
  values: SqlValues,
  parts: readonly Part[],
): Statement {
  const selects = types.flatMap((type) => parts.map((part) => `(${part(type)})`));
  return { text: selects.join('\nUNION ALL\n'), values: values.values, recurs: true };
}

// The database's own reading comes along: it keeps some signs apart that are folded here.
function sameName(values: SqlValues, name: NameForms): Part {
  const forms = values.add(compactProbes(name), 'text[]');
  const written = values.add(name.written, 'text');
  return sameLetters(`array_append(${forms}, venture.name_compact(venture.fold(${written})))`);
}

function sameLetters(forms: string): Part {
  return (type) => `${select(type)} AND ${COMPACT} = ANY (${forms})
    ORDER BY deals DESC, raised DESC, c.id LIMIT ${CANDIDATES_MAX}`;
}

function begun(values: SqlValues, { compact }: NameForms): Part {
  const from = values.add(compact, 'text');
  const below = values.add(compact + LAST_SIGN, 'text');
  return (type) => `${columns(type)} FROM (
      SELECT * FROM venture.${type} c WHERE c.deleted_at IS NULL
        AND ${COMPACT} > ${from} AND ${COMPACT} < ${below}
      ORDER BY ${COMPACT} LIMIT ${BEGINNING_ROWS_MAX}) c
    ORDER BY length(c.name), deals DESC, c.id LIMIT ${CANDIDATES_MAX}`;
}

function oneWord(values: SqlValues, { folded }: NameForms, words: readonly string[]): Part {
  const any = values.add(words, 'text[]');
  const query = values.add(folded, 'text');
  return (type) => `${columns(type)} FROM (
      SELECT * FROM venture.${type} c WHERE c.deleted_at IS NULL
        AND venture.name_words(c.name_folded) && ${any} LIMIT ${ROWS_MAX}) c
    ORDER BY venture.similarity(c.name_folded, ${query}) DESC, c.id LIMIT ${CANDIDATES_MAX}`;
}

function mostTrigrams(values: SqlValues, { folded, words }: NameForms): Part {
  const trigrams = words.reduce((sum, word) => sum + word.length + 1, 0);
  const share = Math.max(1 - SLIP_TRIGRAMS / trigrams, TRIGRAM_SHARE.min);
  const query = values.add(folded, 'text');
  const shareMin = values.add(Math.min(share, TRIGRAM_SHARE.max), 'real');
  return (type) => `${select(type)} AND c.id IN (
    SELECT * FROM venture.${type}s_named_like(${query}, ${shareMin}, ${CANDIDATES_MAX}))`;
}

// Where many companies share a host, those whose page was asked for come first.
function atHost(values: SqlValues, website: WebsiteForms): Part {
  const hosts = values.add(hostProbes(website), 'text[]');
  const path = values.add(website.path, 'text');
  return (type) => `${select(type)} AND c.domain = ANY (${hosts})
    ORDER BY strpos(lower(c.website), ${path}) > 0 DESC NULLS LAST, deals DESC, raised DESC, c.id
    LIMIT ${CANDIDATES_MAX}`;
}

function besideHost(values: SqlValues, { host, registrable }: WebsiteForms): Part {
  const below = `${[...(registrable ?? host)].toReversed().join('')}.`;
  const from = values.add(below, 'text');
  const before = values.add(below + LAST_SIGN, 'text');
  return (type) => `${select(type)} AND c.domain LIKE '%.%.%'
    AND ${REVERSED_DOMAIN} > ${from} AND ${REVERSED_DOMAIN} < ${before}
    ORDER BY deals DESC, raised DESC, c.id LIMIT ${CANDIDATES_MAX}`;
}

function select(type: CompanyType): string {
  return `${columns(type)} FROM venture.${type} c WHERE c.deleted_at IS NULL`;
}

function columns(type: CompanyType): string {
  const { deals, raised } = tables[type];
  return `SELECT '${type}' AS type, c.id::text, c.name, c.website, c.domain, ${deals} AS deals,
    ${raised} AS raised`;
}

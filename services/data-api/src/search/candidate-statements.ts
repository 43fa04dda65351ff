import type { Statement } from '../execute/statement.ts';
import type { NameForms } from './name-forms.ts';
import { compactProbes, hostProbes } from './probes.ts';
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

const tables: Readonly<Record<CompanyType, { deals: string; raised: string }>> = {
  startup: { deals: 'c.rounds_count', raised: 'coalesce(c.total_raised, 0)::float8' },
  fund: { deals: 'c.investments_count', raised: '0::float8' },
};

const EQUAL_MAX = 200;
const BEGIN_MAX = 100;
const HOST_MAX = 100;
/** Trigrams that one slip takes away at most. */
const SLIP_TRIGRAMS = 4;
const WORD_ROWS_MAX = 2_000;
const AFTER_ANY_LETTER = '\u{10ffff}';

/** Records whose letters are the query's, but for a slip, or begin with it. */
export function compileNameLookup(types: readonly CompanyType[], query: NameForms): Statement {
  const compact = `(venture.name_compact(c.name_folded)) COLLATE "C"`;
  return {
    text: unionOf(types, (type) => [
      `${candidates(type)} AND ${compact} = ANY ($1::text[]) LIMIT ${EQUAL_MAX}`,
      `${candidates(type)} AND ${compact} > $2::text AND ${compact} < $3::text
       ORDER BY ${compact} LIMIT ${BEGIN_MAX}`,
    ]),
    values: [compactProbes(query), query.compact, query.compact + AFTER_ANY_LETTER],
    recurs: true,
  };
}

/** Records with one of the words, most similar to the query first. */
export function compileWordLookup(
  types: readonly CompanyType[],
  query: NameForms,
  words: readonly string[],
): Statement {
  return {
    text: unionOf(types, (type) => [
      `SELECT ${columnsOf(type)} FROM (
         SELECT * FROM venture.${type} c WHERE c.deleted_at IS NULL
           AND venture.name_words(c.name_folded) && $1::text[] LIMIT ${WORD_ROWS_MAX}) c
       ORDER BY venture.similarity(c.name_folded, $2::text) DESC, c.id LIMIT ${EQUAL_MAX}`,
    ]),
    values: [words, query.folded],
    recurs: true,
  };
}

/** Records whose name shares most trigrams with the query. */
export function compileNameLike(types: readonly CompanyType[], query: NameForms): Statement {
  return {
    text: unionOf(types, (type) => [
      `${candidates(type)}
       AND c.id IN (SELECT * FROM venture.${type}s_named_like($1::text, $2::real, ${EQUAL_MAX}))`,
    ]),
    values: [query.folded, trigramShare(query)],
    recurs: true,
  };
}

/** The share of the query's trigrams that a name must hold in one stretch. */
function trigramShare({ words }: NameForms): number {
  const trigrams = words.reduce((sum, word) => sum + word.length + 1, 0);
  return Math.min(Math.max(1 - SLIP_TRIGRAMS / trigrams, 0.5), 0.7);
}

/** Records at the host, above it or below its registered domain. */
export function compileWebsiteLookup(
  types: readonly CompanyType[],
  query: WebsiteForms,
): Statement {
  const below = `${[...`.${query.registrable ?? query.host}`].toReversed().join('')}`;
  const reversed = `(reverse(c.domain)) COLLATE "C"`;
  return {
    text: unionOf(types, (type) => [
      `${candidates(type)} AND c.domain = ANY ($1::text[])
       ORDER BY c.id LIMIT ${HOST_MAX}`,
      `${candidates(type)} AND c.domain LIKE '%.%.%'
       AND ${reversed} > $2::text AND ${reversed} < $3::text
       ORDER BY ${reversed}, c.id LIMIT ${HOST_MAX}`,
    ]),
    values: [hostProbes(query), below, below + AFTER_ANY_LETTER],
    recurs: true,
  };
}

function candidates(type: CompanyType): string {
  return `SELECT ${columnsOf(type)} FROM venture.${type} c WHERE c.deleted_at IS NULL`;
}

function columnsOf(type: CompanyType): string {
  const { deals, raised } = tables[type];
  return `'${type}' AS type, c.id::text, c.name, c.website, c.domain, ${deals} AS deals,
    ${raised} AS raised`;
}

function unionOf(types: readonly CompanyType[], parts: (type: CompanyType) => string[]): string {
  return types.flatMap((type) => parts(type).map((sql) => `(${sql})`)).join('\nUNION ALL\n');
}

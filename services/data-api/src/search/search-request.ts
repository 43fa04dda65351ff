import type { Statement } from '../postgres/statement.ts';

/** The kinds of company a search looks among. */
export type CompanyType = 'startup' | 'fund';

/** What a company match answers, in this order (docs/spec/search.md 7.3). */
export const MATCH_FIELDS = [
  'Id',
  'Type',
  'Name',
  'Website',
  'Domain',
  'Location',
  'Country',
  'Description',
  'Tags',
  'LogoUrl',
  'Score',
  'MatchedOn',
] as const;

export type MatchField = (typeof MATCH_FIELDS)[number];

/** Which of the record's columns the query was found in. */
export type MatchedOn = 'name' | 'website' | 'both';

/** Most characters of `q`; longer ones are refused before the search. */
export const Q_LENGTH_MAX = 200;
/** Most characters of `website`; longer ones are refused before the search. */
export const WEBSITE_LENGTH_MAX = 2_000;
/** Most matches one search answers. */
export const SEARCH_TOP_MAX = 100;

/** A search whose bounds have been checked: `q`, `website` or both are there. */
export interface SearchRequest {
  readonly types: readonly CompanyType[];
  readonly q?: string;
  readonly website?: string;
  /** Matches wanted, 1 to `SEARCH_TOP_MAX`. */
  readonly top: number;
  /** Fields answered; all when absent. Id and Type always come along. */
  readonly fields?: readonly MatchField[];
}

/** The matches as the text of a JSON array, best first. */
export interface SearchAnswer {
  readonly records: number;
  readonly body: string;
}

/** What a search needs of the database. */
export interface SearchDatabase {
  rows<Row extends object>(statement: Statement): Promise<Row[]>;
}

import type { Statement } from '../postgres/statement.ts';
import { members, type Table } from '../tables/csv.ts';

/** The types of company that can be searched. */
export type CompanyType = 'startup' | 'fund';

/** The fields of a company match, in this order (docs/spec/search.md 7.3). */
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

/** The fields of matches for a request: those it names, and always Id and Type. */
export function returnedFields(
  fields: readonly MatchField[] = MATCH_FIELDS,
): readonly MatchField[] {
  return MATCH_FIELDS.filter(
    (field) => field === 'Id' || field === 'Type' || fields.includes(field),
  );
}

/** Matches as a table. */
export function matchesTable({ fields }: SearchRequest): Table {
  return { columns: members(...returnedFields(fields)) };
}

/** The most characters of `q`. */
export const Q_LENGTH_MAX = 200;
/** The most characters of `website`. */
export const WEBSITE_LENGTH_MAX = 2_000;
/** The most matches of one search. */
export const SEARCH_TOP_MAX = 100;

/** A validated search: it has `q`, `website` or both. */
export interface SearchRequest {
  readonly types: readonly CompanyType[];
  readonly q?: string;
  readonly website?: string;
  /** The most matches to return, 1 to `SEARCH_TOP_MAX`. */
  readonly top: number;
  /** Fields to return; all if absent. Id and Type are always included. */
  readonly fields?: readonly MatchField[];
}

/** The matches as the text of a JSON array, best first. */
export interface SearchAnswer {
  readonly records: number;
  readonly body: string;
}

/** The part of the database that a search uses. */
export interface SearchDatabase {
  rows<Row extends object>(statement: Statement): Promise<Row[]>;
}

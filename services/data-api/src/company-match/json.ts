/** The results of `POST /companies/match` (docs/spec/match.md 26.2). */
import type { Features } from '@vcds/resolution';
import type { MatchField } from '../search/search-request.ts';
import { members, nested, type Table, texts } from '../tables/csv.ts';
import { type Candidate, EXPLANATIONS, type Explanation, type Verdict } from './decide.ts';
import type { AskedItem } from './query.ts';

/** The most candidates of an item. */
export const CANDIDATES_MAX = 5;

/** The fields of a record in a result that the database has. */
export const RECORD_FIELDS = [
  ...(['Id', 'Type', 'Name', 'Website', 'Domain', 'Location', 'Country', 'Description'] as const),
  ...(['Tags', 'LogoUrl'] as const),
] satisfies readonly MatchField[];

export const FACTORS = ['identifier', 'website', 'name', 'country'] as const;
export type Factor = (typeof FACTORS)[number];
export const MATCHED_ON = ['identifier', 'both', 'website', 'name'] as const;

const RECORD_COLUMNS = members(...RECORD_FIELDS, 'Score', 'MatchedOn');

/** The results as a table. */
export const MATCH_TABLE: Table = {
  columns: [
    ...members('ref', 'verdict', 'reason'),
    ...nested('record', [...RECORD_COLUMNS, texts('Reasons', 'Text')]),
    { name: 'candidates.Id', cell: (row) => texts('candidates', 'Id').cell(row) },
    { name: 'candidates.Name', cell: (row) => texts('candidates', 'Name').cell(row) },
    texts('problems', 'message'),
  ],
};

/** The result of an item; `records` are its candidates, those that still exist. */
export function resultOf(
  { ref, problems }: AskedItem,
  { verdict, explanation }: { readonly verdict: Verdict; readonly explanation: Explanation },
  records: readonly object[],
): object {
  return {
    ...{ ref, verdict, reason: explanation, explanation: EXPLANATIONS[explanation] },
    record: verdict === 'match' ? (records[0] ?? null) : null,
    candidates: verdict === 'match' ? [] : records,
    problems,
  };
}

/** A record with the evidence for and against it. */
export function recordOf(stored: object, item: AskedItem, { features, weight }: Candidate): object {
  return {
    ...stored,
    Score: Math.round(1_000 / (1 + Math.exp(-weight))) / 1_000,
    MatchedOn: matchedOn(features),
    Reasons: reasonsOf(item, features),
  };
}

function matchedOn({ identifierSame, siteSame, nameOther }: Features) {
  if (identifierSame !== undefined) return 'identifier';
  if (siteSame === undefined) return 'name';
  return nameOther === undefined ? 'both' : 'website';
}

/** The texts of the evidence: for the record, and against it. */
const TEXTS: readonly (readonly [keyof Features, Factor, boolean, string])[] = [
  ['identifierSame', 'identifier', true, 'An identifier is the same.'],
  ['siteSame', 'website', true, 'The website is the same.'],
  ['siteShared', 'website', false, 'Other records have this website too.'],
  ['siteOther', 'website', false, 'The website is another one.'],
  ['siteOtherEnding', 'website', false, 'The website has another ending.'],
  ['nameSame', 'name', true, 'The name is the same.'],
  ['nameWords', 'name', true, 'The names have their distinctive words in common.'],
  ['nameTypo', 'name', true, 'The names differ by a few letters.'],
  ['namePart', 'name', false, 'One is named as a part of the other.'],
  ['nameOther', 'name', false, 'The name is another one.'],
  ['nameShared', 'name', false, 'Other records have this name too.'],
  ['countrySame', 'country', true, 'The country is the same.'],
  ['countryOther', 'country', false, 'The country is another one.'],
];

function reasonsOf(item: AskedItem, features: Features): readonly object[] {
  const isNamed = item.statement.names.length > 0;
  return TEXTS.filter(
    ([name, factor]) => features[name] !== undefined && (isNamed || factor !== 'name'),
  ).map(([, Factor, Agrees, Text]) => ({ Factor, Agrees, Text }));
}

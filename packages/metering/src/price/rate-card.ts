import type { Scope } from '@vcds/credentials';
import { PRICE_CLASSES, type PriceClassId } from './price-classes.ts';

/** The parameter that sets how many records a call may return, and so its bill. */
export type PageParameter = '$top' | 'limit';

/** The price of one endpoint of the data API, and its scope. */
export interface RateCardEntry {
  readonly method: 'GET' | 'POST';
  /** Template relative to {base_url}; parameters in braces. */
  readonly path: string;
  readonly class: PriceClassId;
  /** Credits a call costs before any record. */
  readonly base: number;
  /** Quarters of a credit for each record: 4, 2, 1, or 0 for a flat price. */
  readonly perRecordQuarters: number;
  /** Whether the price does not depend on the number of records. */
  readonly flat: boolean;
  /** The values that count as an expand: names, `*` for every relation of the records, or nothing. */
  readonly expands: readonly string[];
  readonly minimum: 0 | 1;
  /** Which scope a key needs; null: any valid key will do. */
  readonly scope: Scope | null;
  /** The parameter to lower for a cheaper call; null where no parameter does that. */
  readonly pageParameter: PageParameter | null;
  readonly note: string;
}

type Row = readonly [
  path: string,
  priceClass: PriceClassId,
  scope: Scope | null,
  more: {
    readonly page?: PageParameter;
    readonly expands?: readonly string[];
    /** Default: GET. */
    readonly method?: 'POST';
    readonly note: string;
  },
];

const EVERY_RELATION = ['*'];
const LIST = { page: '$top', expands: EVERY_RELATION } as const;
const ONE = { expands: EVERY_RELATION, note: 'One record.' } as const;
const SEARCH = { note: 'One price, for any number of results.' } as const;
const FLAT_CATEGORIES = { note: 'Flat, with or without counts.' } as const;
const BY_CATEGORY = { ...LIST, note: 'The price of the collection that it lists.' } as const;

const ROWS: readonly Row[] = [
  ['/funds', 'funds', 'companies', { ...LIST, note: 'Per fund.' }],
  ['/funds/{id}', 'funds', 'companies', ONE],
  ['/funds/search', 'search', 'companies', SEARCH],
  ['/funds/{id}/portfolio', 'portfolios', 'companies', { page: '$top', note: 'Per holding.' }],
  ['/funds/{id}/similar', 'search', 'companies', SEARCH],
  ['/funds/{id}/persons', 'company_people', 'people', { ...LIST, note: 'Per person.' }],
  ['/startups', 'startups', 'companies', { ...LIST, note: 'Per startup.' }],
  ['/startups/{id}', 'startups', 'companies', ONE],
  ['/startups/search', 'search', 'companies', SEARCH],
  ['/startups/fundingrounds', 'rounds', 'rounds', { ...LIST, note: 'Per round.' }],
  ['/startups/postvaluations', 'valuations', 'rounds', { ...LIST, note: 'Per valuation.' }],
  ['/startups/tags/search', 'tags', 'companies', SEARCH],
  ['/startups/{id}/fundingrounds', 'rounds', 'rounds', { ...LIST, note: 'Per round.' }],
  ['/startups/{id}/postvaluations', 'valuations', 'rounds', { ...LIST, note: 'Per valuation.' }],
  ['/startups/{id}/persons', 'company_people', 'people', { ...LIST, note: 'Per person.' }],
  ['/startups/{id}/similar', 'search', 'companies', SEARCH],
  [
    '/startups/{id}/references',
    'mentions',
    'companies',
    { page: '$top', note: 'Per reference or mention.' },
  ],
  ['/persons', 'people', 'people', { ...LIST, note: 'Per person.' }],
  ['/persons/{id}', 'people', 'people', ONE],
  ['/news', 'news', 'news', { ...LIST, note: 'Per news item.' }],
  ['/companies/search', 'search', 'companies', SEARCH],
  [
    '/companies/match',
    'company_matches',
    'companies',
    { method: 'POST', note: 'Per item that matches.' },
  ],
  ['/categories', 'categories', 'categories', { note: 'Flat.' }],
  [
    '/categories/facets',
    'categories',
    'categories',
    { note: 'One price, for any number of dimensions.' },
  ],
  ['/aggregates', 'totals', 'categories', { note: 'One price, for any number of groups.' }],
  ['/categories/{dimension}', 'categories', 'categories', FLAT_CATEGORIES],
  ['/categories/{dimension}/{value}/startups', 'startups', 'companies', BY_CATEGORY],
  ['/categories/{dimension}/{value}/funds', 'funds', 'companies', BY_CATEGORY],
  ['/categories/{dimension}/{value}/rounds', 'rounds', 'rounds', BY_CATEGORY],
  [
    '/signals',
    'signals',
    'signals',
    { page: 'limit', expands: ['subject', 'object'], note: 'Per signal.' },
  ],
  [
    '/changes',
    'changes',
    'signals',
    {
      page: 'limit',
      note: 'Per entry. With include=record, each record also has the price of its collection.',
    },
  ],
  ['/snapshots', 'dictionaries', null, { note: 'Free.' }],
  ['/snapshots/{snapshot}/{file}', 'snapshots', 'snapshots', { note: 'Each request for a file.' }],
  ['/signals/types', 'dictionaries', 'signals', { note: 'Free.' }],
  ['/activityfeed', 'signals', 'signals', { page: '$top', note: 'Per entry.' }],
  ['/find', 'find', 'find', { note: 'Per call.' }],
  ['/venturematching', 'venturematching', 'venturematching', { note: 'Per call.' }],
  ['/pricing', 'pricing', null, { note: 'Free, also without remaining credits.' }],
];

/** Every endpoint of the data API, in the order of the documentation. */
export const RATE_CARD: readonly RateCardEntry[] = Object.freeze(ROWS.map(entry));

const BY_PATH: ReadonlyMap<string, RateCardEntry> = new Map(
  RATE_CARD.map((row) => [row.path, row]),
);

/**
 * The entry of an endpoint. The entity path of the categories has one for each entity:
 * `/categories/{dimension}/{value}/startups`, `…/funds`, `…/rounds`.
 *
 * @param path a template exactly as the rate card writes it.
 * @throws RangeError for a path without an entry: an endpoint without a price.
 */
export function rateFor(path: string): RateCardEntry {
  const found = BY_PATH.get(path);
  if (found === undefined) throw new RangeError(`The rate card has no entry for ${path}.`);
  return found;
}

function entry([path, priceClass, scope, more]: Row): RateCardEntry {
  const { base, perRecordQuarters, minimum } = PRICE_CLASSES[priceClass];
  return Object.freeze({
    method: more.method ?? 'GET',
    path,
    class: priceClass,
    base,
    perRecordQuarters,
    flat: perRecordQuarters === 0,
    expands: Object.freeze([...(more.expands ?? [])]),
    minimum,
    scope,
    pageParameter: more.page ?? null,
    note: more.note,
  });
}

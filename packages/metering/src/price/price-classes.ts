/** The price of one class of call. Weights are whole quarters of a credit, so nothing is rounded. */
export interface PriceClass {
  /** Its name in the documentation. */
  readonly title: string;
  /** Credits a call costs before any record. */
  readonly base: number;
  /** Quarters of a credit for each record returned. */
  readonly perRecordQuarters: number;
  /** The least that a call costs: 1, or 0 if it is free. */
  readonly minimum: 0 | 1;
}

const perRecord = (title: string, perRecordQuarters: number): PriceClass =>
  Object.freeze({ title, base: 0, perRecordQuarters, minimum: 1 });
const perCall = (title: string, base: number): PriceClass =>
  Object.freeze({ title, base, perRecordQuarters: 0, minimum: 1 });
const free = (title: string): PriceClass =>
  Object.freeze({ title, base: 0, perRecordQuarters: 0, minimum: 0 });

/** Every line of the price list (docs/spec/credits.md 10.2), the only place with prices. */
export const PRICE_CLASSES = Object.freeze({
  __proto__: null,
  search: perCall('Search and autocomplete', 1),
  categories: perCall('Categories, their values and facets', 1),
  tags: perCall('Tag look-ups', 1),
  locations: perCall('Location look-ups', 1),
  totals: perCall('Totals ($count), for any number of records', 1),
  startups: perRecord('Startups', 4),
  funds: perRecord('Funds', 4),
  people: perRecord('People', 4),
  rounds: perRecord('Funding rounds', 2),
  valuations: perRecord('Valuations', 2),
  portfolios: perRecord('Portfolios', 2),
  company_people: perRecord('The people at a company', 2),
  news: perRecord('News', 1),
  signals: perRecord('Signals', 1),
  changes: perRecord('Changes of records', 1),
  mentions: perRecord('Mentions and other references', 1),
  company_matches: perRecord('Matches of own lists', 4),
  tweets: perRecord('Tweets', 1),
  snapshots: perCall('Files of snapshots', 1),
  find: perCall('Live look-up of a site', 25),
  venturematching: perCall('Matching', 10),
  dictionaries: free('Dictionaries'),
  pricing: free('The rate card'),
  errors: free('Every error response (4xx and 5xx)'),
} as const);

export type PriceClassId = Exclude<keyof typeof PRICE_CLASSES, '__proto__'>;

/** The classes in the order of the price list. */
export const PRICE_CLASS_IDS = Object.freeze(Object.keys(PRICE_CLASSES) as PriceClassId[]);

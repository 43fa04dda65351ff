import type { Scope } from '@vcds/credentials';

/** What each scope opens, in the order of the account page (decisions §6). */
export const SCOPE_TITLES: Readonly<Record<Scope, string>> = Object.freeze({
  __proto__: null,
  companies: 'Startups and funds: lists, records, searches, portfolios, references',
  rounds: 'Funding rounds and valuations',
  people: 'Founders and investors',
  news: 'News',
  signals: 'The change feed and the activity feed',
  categories: 'Dimensions, their values and facets',
  find: 'Live look-ups of a site',
  venturematching: 'Matching startups and funds',
});

export const SCOPES: readonly Scope[] = Object.freeze(Object.keys(SCOPE_TITLES) as Scope[]);

import type { Scope } from '@vcds/credentials';

/** The description of a scope, for people. */
export interface ScopeText {
  readonly title: string;
  /** One sentence: what a key with it may read. */
  readonly description: string;
}

/** The endpoints of each scope, in the order of the account page. */
export const SCOPE_TEXTS: Readonly<Record<Scope, ScopeText>> = Object.freeze({
  __proto__: null,
  companies: {
    title: 'Companies',
    description: 'Startups and funds: lists, records, searches, portfolios and references.',
  },
  rounds: { title: 'Funding rounds', description: 'Funding rounds and post-money valuations.' },
  people: { title: 'People', description: 'Founders, investors and the people at a company.' },
  news: { title: 'News', description: 'News items about startups and funds.' },
  signals: { title: 'Signals', description: 'The change feed and the activity feed.' },
  snapshots: {
    title: 'Snapshots',
    description: 'Files with all records, made every night, to begin a copy of the data.',
  },
  categories: {
    title: 'Categories',
    description: 'Dimensions, their values, facet counts and the records behind a value.',
  },
  find: {
    title: 'Live look-up',
    description: 'Live look-ups of a company’s own website, at 25 credits a call.',
  },
  venturematching: {
    title: 'Matching',
    description: 'Investors for a startup and startups for an investor, at 10 credits a call.',
  },
});

// Tests docs/spec/addresses.md 1.7.
// Tests docs/spec/credits.md 10.2, 10.9.
// Tests docs/spec/plans.md 13.1.
import { describe, expect, test } from '@jest/globals';
import { SCOPES } from '@vcds/credentials';
import {
  PLANS,
  PRICE_CLASS_IDS,
  PRICE_CLASSES,
  RATE_CARD,
  RATES_DOCUMENT,
  SCOPE_TEXTS,
} from '@vcds/metering';

/**
 * Path, class, scope, price, expands, page parameter and note of each endpoint
 * (docs/spec/credits.md 10.2, docs/spec/plans.md 13.2).
 */
const ENDPOINTS = `
/funds | funds | companies | 1 a record | * | $top | Per fund.
/funds/{id} | funds | companies | 1 a record | * | - | One record.
/funds/search | search | companies | 1 a call | - | - | One price, for any number of results.
/funds/{id}/portfolio | portfolios | companies | 0.5 a record | - | $top | Per holding.
/funds/{id}/similar | search | companies | 1 a call | - | - | One price, for any number of results.
/funds/{id}/persons | company_people | people | 0.5 a record | * | $top | Per person.
/startups | startups | companies | 1 a record | * | $top | Per startup.
/startups/{id} | startups | companies | 1 a record | * | - | One record.
/startups/search | search | companies | 1 a call | - | - | One price, for any number of results.
/startups/fundingrounds | rounds | rounds | 0.5 a record | * | $top | Per round.
/startups/postvaluations | valuations | rounds | 0.5 a record | * | $top | Per valuation.
/startups/tags/search | tags | companies | 1 a call | - | - | One price, for any number of results.
/startups/{id}/fundingrounds | rounds | rounds | 0.5 a record | * | $top | Per round.
/startups/{id}/postvaluations | valuations | rounds | 0.5 a record | * | $top | Per valuation.
/startups/{id}/persons | company_people | people | 0.5 a record | * | $top | Per person.
/startups/{id}/similar | search | companies | 1 a call | - | - | One price, for any number of results.
/startups/{id}/references | mentions | companies | 0.25 a record | - | $top | Per reference or mention.
/persons | people | people | 1 a record | * | $top | Per person.
/persons/{id} | people | people | 1 a record | * | - | One record.
/news | news | news | 0.25 a record | * | $top | Per news item.
/companies/search | search | companies | 1 a call | - | - | One price, for any number of results.
/companies/match | company_matches | companies | 1 a record | - | - | Per item that matches.
/categories | categories | categories | 1 a call | - | - | Flat.
/categories/facets | categories | categories | 1 a call | - | - | One price, for any number of dimensions.
/aggregates | totals | categories | 1 a call | - | - | One price, for any number of groups.
/categories/{dimension} | categories | categories | 1 a call | - | - | Flat, with or without counts.
/categories/{dimension}/{value}/startups | startups | companies | 1 a record | * | $top | The price of the collection that it lists.
/categories/{dimension}/{value}/funds | funds | companies | 1 a record | * | $top | The price of the collection that it lists.
/categories/{dimension}/{value}/rounds | rounds | rounds | 0.5 a record | * | $top | The price of the collection that it lists.
/signals | signals | signals | 0.25 a record | subject object | limit | Per signal.
/changes | changes | signals | 0.25 a record | - | limit | Per entry. With include=record, each record also has the price of its collection.
/snapshots | dictionaries | any key | free | - | - | Free.
/snapshots/{snapshot}/{file} | snapshots | snapshots | 1 a call | - | - | Each request for a file.
/signals/types | dictionaries | signals | free | - | - | Free.
/activityfeed | signals | signals | 0.25 a record | - | $top | Per entry.
/find | find | find | 25 a call | - | - | Per call.
/venturematching | venturematching | venturematching | 10 a call | - | - | Per call.
/pricing | pricing | any key | free | - | - | Free, also without remaining credits.`;

/** Title and price of each class: records, then calls, then what is free. */
const CLASSES = `
startups | Startups | 1 a record
funds | Funds | 1 a record
people | People | 1 a record
rounds | Funding rounds | 0.5 a record
valuations | Valuations | 0.5 a record
portfolios | Portfolios | 0.5 a record
company_people | The people at a company | 0.5 a record
news | News | 0.25 a record
signals | Signals | 0.25 a record
changes | Changes of records | 0.25 a record
mentions | Mentions and other references | 0.25 a record
tweets | Tweets | 0.25 a record
company_matches | Matches of own lists | 1 a record
search | Search and autocomplete | 1 a call
categories | Categories, their values and facets | 1 a call
tags | Tag look-ups | 1 a call
locations | Location look-ups | 1 a call
totals | Totals ($count), for any number of records | 1 a call
snapshots | Files of snapshots | 1 a call
venturematching | Matching | 10 a call
find | Live look-up of a site | 25 a call
dictionaries | Dictionaries | free
pricing | The rate card | free
errors | Every error response (4xx and 5xx) | free`;

const rowsOf = (table: string): readonly string[] => table.trim().split('\n');

interface Price {
  readonly base: number;
  readonly perRecord: number;
  readonly minimum: number;
}

/** The price in words; different numbers have different words. */
function priceText({ base, perRecord, minimum }: Price): string {
  if (base === 0 && perRecord === 0 && minimum === 0) return 'free';
  if (base > 0 && perRecord === 0 && minimum === 1) return `${base} a call`;
  if (base === 0 && perRecord > 0 && minimum === 1) return `${perRecord} a record`;
  return `${base} + ${perRecord}, at least ${minimum}`;
}

describe('the tables of the price list', () => {
  test('have the documented price, scope and note of every endpoint', () => {
    const rows = RATE_CARD.map((entry) => {
      const { base, perRecordQuarters, minimum, flat } = entry;
      expect(entry.method).toBe(entry.path === '/companies/match' ? 'POST' : 'GET');
      expect(flat).toBe(perRecordQuarters === 0);
      return [
        ...[entry.path, entry.class, entry.scope ?? 'any key'],
        priceText({ base, perRecord: perRecordQuarters / 4, minimum }),
        ...[entry.expands.join(' ') || '-', entry.pageParameter ?? '-', entry.note],
      ].join(' | ');
    });
    expect(rows).toEqual(rowsOf(ENDPOINTS));
    expect(Object.isFrozen(RATE_CARD) && RATE_CARD.every(Object.isFrozen)).toBe(true);
  });

  test('have the documented title and price of every class', () => {
    const rows = RATES_DOCUMENT.classes.map((line) =>
      [line.class, line.title, priceText(line)].join(' | '),
    );
    expect(rows.toSorted()).toEqual([...rowsOf(CLASSES)].sort());
    expect(Object.isFrozen(PRICE_CLASSES)).toBe(true);
  });

  test('describe every scope of the documentation in one sentence', () => {
    expect(Object.entries(SCOPE_TEXTS).map(([id, { title }]) => `${id}: ${title}`)).toEqual([
      ...['companies: Companies', 'rounds: Funding rounds', 'people: People', 'news: News'],
      ...['signals: Signals', 'snapshots: Snapshots', 'categories: Categories'],
      ...['find: Live look-up', 'venturematching: Matching'],
    ]);
    expect(Object.keys(SCOPE_TEXTS)).toEqual([...SCOPES]);
    for (const { description } of Object.values(SCOPE_TEXTS)) {
      expect(description).toMatch(/^[A-Z][^.]{20,}\.$/);
    }
    expect(SCOPE_TEXTS.find.description).toContain('25 credits a call');
    expect(SCOPE_TEXTS.venturematching.description).toContain('10 credits a call');
  });

  test('have no prototype, so that `constructor` is not a name', () => {
    for (const byName of [PRICE_CLASSES, PLANS, SCOPE_TEXTS]) {
      expect(Object.getPrototypeOf(byName)).toBeNull();
      expect(Object.isFrozen(byName)).toBe(true);
    }
  });
});

describe('GET /pricing', () => {
  const document = RATES_DOCUMENT;

  test('has a line for every endpoint, for totals and for location look-ups', () => {
    const paths = document.endpoints.map((line) => line.path);
    expect(paths).toEqual([
      ...RATE_CARD.map((entry) => entry.path),
      '/{collection}?$count=true',
      '/categories/{country|region|city}',
    ]);
    expect(document.endpoints.slice(-2)).toEqual([
      {
        ...{ method: 'GET', path: '/{collection}?$count=true', class: 'totals', base: 1 },
        ...{ perRecord: 0, expands: [], minimum: 1, note: 'Flat, for every collection.' },
      },
      {
        ...{
          method: 'GET',
          path: '/categories/{country|region|city}',
          class: 'locations',
          base: 1,
        },
        ...{ perRecord: 0, expands: [], minimum: 1, note: 'Flat, as every list of values.' },
      },
    ]);
    for (const [index, entry] of RATE_CARD.entries()) {
      const { method, path, base, perRecordQuarters, expands, minimum, note } = entry;
      const perRecord = perRecordQuarters / 4;
      const line = { method, path, base, perRecord, expands, minimum, note };
      expect(document.endpoints[index]).toEqual({ ...line, class: entry.class });
    }
    expect(document.endpoints.find((line) => line.path === '/signals')).toEqual({
      method: 'GET',
      path: '/signals',
      class: 'signals',
      base: 0,
      perRecord: 0.25,
      expands: ['subject', 'object'],
      minimum: 1,
      note: 'Per signal.',
    });
  });

  test('says in what prices are, and that money is in US dollars', () => {
    expect(document.unit).toBe('credit');
    expect(document.money).toBe(
      'Prices are in credits. Amounts of money in records and signals are whole US dollars.',
    );
    expect(document.formula).toBe(
      'max(minimum, ceil(base + records * perRecord * (1 + 0.25 * expands)))',
    );
    expect(document.version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test('has a line for every class of the price list', () => {
    expect(document.classes.map((line) => line.class)).toEqual(PRICE_CLASS_IDS);
    const weights = Object.fromEntries(
      document.classes.map((line) => [line.class, [line.base, line.perRecord, line.minimum]]),
    );
    expect(weights).toMatchObject({
      search: [1, 0, 1],
      tags: [1, 0, 1],
      locations: [1, 0, 1],
      totals: [1, 0, 1],
      startups: [0, 1, 1],
      valuations: [0, 0.5, 1],
      mentions: [0, 0.25, 1],
      tweets: [0, 0.25, 1],
      find: [25, 0, 1],
      venturematching: [10, 0, 1],
      dictionaries: [0, 0, 0],
      errors: [0, 0, 0],
    });
    expect(document.errors).toBe(0);
  });

  test('carries the check values of the specification', () => {
    const checks = document.checks.map(({ path, records, expands, count, credits }) =>
      [path, records, expands, count ? 'total' : 'list', credits].join(' '),
    );
    expect(checks).toEqual([
      ...['/signals 50 2 list 19', '/signals 50 0 list 13'],
      ...['/startups 25 0 list 25', '/startups 25 1 list 32'],
      ...['/startups 0 0 list 1', '/startups 0 0 total 1'],
      ...['/startups/fundingrounds 25 0 list 13', '/startups/search 10 0 list 1'],
      ...['/find 1 0 list 25', '/pricing 0 0 list 0'],
    ]);
  });

  test('lists the plans, smallest first', () => {
    expect(
      document.plans.map(({ name, id, ...plan }) => [id, name, plan.creditsPerMonth, plan.topMax]),
    ).toEqual([
      ['free', 'Free', 500, 100],
      ['starter', 'Starter', 10_000, 500],
      ['growth', 'Growth', 100_000, 1_000],
      ['scale', 'Scale', 1_000_000, 5_000],
    ]);
    for (const { entitlements } of document.plans.slice(2)) expect(entitlements).toEqual(SCOPES);
    const starter = SCOPES.filter((scope) => scope !== 'snapshots');
    expect(document.plans[1]?.entitlements).toEqual(starter);
    expect(document.plans[0]?.entitlements).toEqual([
      'companies',
      'rounds',
      'people',
      'news',
      'signals',
      'categories',
    ]);
  });

  test('is plain JSON and cannot be changed', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
    expect(Object.isFrozen(document)).toBe(true);
    const { plans, classes, endpoints, checks } = document;
    for (const list of [plans, classes, endpoints, checks]) {
      expect(Object.isFrozen(list)).toBe(true);
      for (const line of list) expect(Object.isFrozen(line)).toBe(true);
    }
    for (const { expands } of endpoints) expect(Object.isFrozen(expands)).toBe(true);
  });
});

import { describe, expect, test } from '@jest/globals';
import { PRICE_CLASS_IDS, RATE_CARD, RATES_DOCUMENT } from '@vcds/metering';

describe('GET /pricing', () => {
  const document = RATES_DOCUMENT;

  test('has a line for every endpoint, for totals and for location look-ups', () => {
    const paths = document.endpoints.map((line) => line.path);
    expect(paths).toEqual([
      ...RATE_CARD.map((entry) => entry.path),
      '/{collection}?$count=true',
      '/categories/{country|region|city}',
    ]);
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
    expect(document.money).toMatch(/credits.*US dollars/);
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
    const signals = document.checks.filter((check) => check.path === '/signals');
    expect(signals.map(({ records, expands, credits }) => [records, expands, credits])).toEqual([
      [50, 2, 19],
      [50, 0, 13],
    ]);
  });

  test('lists the plans, smallest first', () => {
    expect(
      document.plans.map(({ id, creditsPerMonth, topMax }) => [id, creditsPerMonth, topMax]),
    ).toEqual([
      ['free', 500, 100],
      ['starter', 10_000, 500],
      ['growth', 100_000, 1_000],
      ['scale', 1_000_000, 5_000],
    ]);
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
    expect(Object.isFrozen(document.endpoints[0])).toBe(true);
    expect(Object.isFrozen(document.plans[0])).toBe(true);
  });
});

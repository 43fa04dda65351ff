// Tests docs/spec/credits.md 10.1, 10.2, 10.3, 10.12.
// Tests docs/spec/matching.md 19.5.
import { describe, expect, test } from '@jest/globals';
import { affordableRecords, PRICE_CLASSES, quote, RATE_CARD, rateFor } from '@vcds/metering';
import fc from 'fast-check';

const entries = fc.constantFrom(...RATE_CARD);
const calls = fc.record({
  entry: entries,
  records: fc.integer({ min: 0, max: 5_000 }),
  expands: fc.integer({ min: 0, max: 12 }),
});
const listed = (path: string, records: number, expands = 0) =>
  quote(rateFor(path), { ceilingRecords: records, expands, countOnly: false });

// The formula as the specification writes it, on a common denominator, with unbounded integers.
function formula(base: number, quarters: number, records: number, expands: number): bigint {
  const sixteenths = BigInt(records) * BigInt(quarters) * BigInt(4 + expands);
  const credits = BigInt(base) + sixteenths / 16n + (sixteenths % 16n === 0n ? 0n : 1n);
  return credits < 1n ? 1n : credits;
}

describe('the price of a call', () => {
  test('50 signals cost 19 credits with both expands and 13 with none', () => {
    expect(listed('/signals', 50, 2).ceiling).toBe(19);
    expect(listed('/signals', 50, 0).ceiling).toBe(13);
  });

  test.each([
    ['/startups', 25, 0, 25],
    ['/startups', 25, 1, 32],
    ['/startups', 1, 2, 2],
    ['/startups', 0, 3, 1],
    ['/startups/fundingrounds', 25, 0, 13],
    ['/startups/postvaluations', 3, 0, 2],
    ['/funds/{id}/portfolio', 5, 0, 3],
    ['/startups/{id}/persons', 2, 1, 2],
    ['/news', 4, 0, 1],
    ['/news', 5, 0, 2],
    ['/startups/{id}/references', 9, 0, 3],
    ['/activityfeed', 25, 0, 7],
    ['/categories/{dimension}/{value}/rounds', 25, 0, 13],
    ['/startups/search', 10, 0, 1],
    ['/startups/tags/search', 0, 0, 1],
    ['/categories/facets', 250, 0, 1],
    ['/find', 1, 0, 25],
    ['/venturematching', 100, 0, 10],
    ['/signals/types', 12, 0, 0],
    ['/pricing', 0, 0, 0],
  ])('%s with %i records and %i expands costs %i', (path, records, expands, credits) => {
    const priced = listed(path, records, expands);
    expect([priced.ceiling, priced.settle(records)]).toEqual([credits, credits]);
  });

  test('equals the formula of the specification exactly', () => {
    fc.assert(
      fc.property(calls, ({ entry, records, expands }) => {
        const counted = entry.expands.length === 0 ? 0 : expands;
        const input = { ceilingRecords: records, expands: counted, countOnly: false };
        const credits = quote(entry, input).settle(records);
        const expected = formula(entry.base, entry.perRecordQuarters, records, counted);
        expect(BigInt(credits)).toBe(entry.minimum === 0 ? 0n : expected);
      }),
    );
  });

  test('rises with the records and the expands, and never above the ceiling', () => {
    fc.assert(
      fc.property(calls, fc.nat(), ({ entry, records, expands }, seed) => {
        const counted = entry.expands.length === 0 ? 0 : expands;
        const priced = quote(entry, {
          ceilingRecords: records,
          expands: counted,
          countOnly: false,
        });
        const fewer = seed % (records + 1);
        expect(priced.settle(fewer)).toBeLessThanOrEqual(priced.settle(records));
        expect(priced.settle(records)).toBe(priced.ceiling);
        const plain = quote(entry, { ceilingRecords: records, expands: 0, countOnly: false });
        expect(plain.settle(fewer)).toBeLessThanOrEqual(priced.settle(fewer));
      }),
    );
  });

  test('lies between the floor and the ceiling, and the terms are those of the formula', () => {
    fc.assert(
      fc.property(calls, fc.nat(), fc.boolean(), ({ entry, records, expands }, seed, countOnly) => {
        const counted = entry.expands.length === 0 || countOnly ? 0 : expands;
        const input = { ceilingRecords: records, expands: counted, countOnly };
        const { ceiling, floor, terms, settle } = quote(entry, input);
        expect(terms).toMatchObject({ expands: counted, recordsMax: records });
        const charged = settle(seed % (records + 1));
        expect(floor).toBe(settle(0));
        expect(charged).toBeGreaterThanOrEqual(floor);
        expect(charged).toBeLessThanOrEqual(ceiling);
        const expected = formula(terms.base, terms.perRecord * 4, records, counted);
        expect(BigInt(ceiling)).toBe(entry.minimum === 0 ? 0n : expected);
      }),
    );
  });

  test('of a total is one credit whatever is counted, and nothing where calls are free', () => {
    fc.assert(
      fc.property(calls, ({ entry, records }) => {
        const total = quote(entry, { ceilingRecords: records, expands: 0, countOnly: true });
        expect(total.ceiling).toBe(entry.minimum);
        expect(total.settle(records)).toBe(entry.minimum);
      }),
    );
  });

  test.each([
    ['negative records', { ceilingRecords: -1, expands: 0, countOnly: false }],
    ['a fraction of a record', { ceilingRecords: 2.5, expands: 0, countOnly: false }],
    ['more records than bounded', { ceilingRecords: 1_000_001, expands: 0, countOnly: false }],
    ['no number', { ceilingRecords: Number.NaN, expands: 0, countOnly: false }],
    ['more expands than bounded', { ceilingRecords: 1, expands: 101, countOnly: false }],
  ])('is rejected for %s', (_, input) => {
    expect(() => quote(rateFor('/startups'), input)).toThrow(RangeError);
  });

  test('is rejected for more records than quoted, and for expands where there are none', () => {
    expect(() => listed('/startups', 10).settle(11)).toThrow(RangeError);
    expect(() => listed('/startups/search', 10, 1)).toThrow(RangeError);
  });

  test('of a flat call is the same for more records than quoted', () => {
    expect(listed('/startups/search', 10).settle(250)).toBe(1);
  });

  test.each([
    ['ceilingRecords', { ceilingRecords: -1, expands: 0 }, '0 to 1000000, not -1'],
    ['ceilingRecords', { ceilingRecords: 1.5, expands: 0 }, '0 to 1000000, not 1.5'],
    ['ceilingRecords', { ceilingRecords: 1_000_001, expands: 0 }, '0 to 1000000, not 1000001'],
    ['expands', { ceilingRecords: 1, expands: 101 }, '0 to 100, not 101'],
  ])('is rejected with the name and the bounds of %s: %j', (name, input, bounds) => {
    expect(() => quote(rateFor('/startups'), { ...input, countOnly: false })).toThrow(
      new RangeError(`${name} must be a whole number from ${bounds}.`),
    );
  });

  test('is settled within the records of its quote', () => {
    const { settle } = quote(rateFor('/startups'), {
      ...{ ceilingRecords: 2, expands: 0, countOnly: false },
    });
    expect(() => settle(3)).toThrow('records must be a whole number from 0 to 2, not 3.');
  });

  test('is inverted exactly: the affordable page fits and one record more does not', () => {
    const priced = entries.filter((entry) => !entry.flat && entry.expands.length > 0);
    fc.assert(
      fc.property(
        priced,
        fc.integer({ min: 0, max: 10_000 }),
        fc.nat(12),
        (entry, credits, expands) => {
          const records = affordableRecords(entry, { credits, expands });
          const ceiling = (ceilingRecords: number) =>
            quote(entry, { ceilingRecords, expands, countOnly: false }).ceiling;
          if (records !== undefined) expect(ceiling(records)).toBeLessThanOrEqual(credits);
          expect(ceiling((records ?? 0) + 1)).toBeGreaterThan(credits);
        },
      ),
    );
    expect(affordableRecords(rateFor('/find'), { credits: 500, expands: 0 })).toBeUndefined();
  });
});

describe('the rate card', () => {
  test('takes every price from the table of classes', () => {
    for (const entry of RATE_CARD) {
      const { base, perRecordQuarters, minimum } = PRICE_CLASSES[entry.class];
      expect(entry).toMatchObject({ base, perRecordQuarters, minimum });
      expect(entry.flat).toBe(perRecordQuarters === 0);
      if (entry.flat) expect([entry.pageParameter, entry.expands]).toEqual([null, []]);
    }
  });

  test('names each endpoint once and rejects a path it does not price', () => {
    expect(new Set(RATE_CARD.map((entry) => entry.path)).size).toBe(RATE_CARD.length);
    expect(() => rateFor('/startups/')).toThrow(RangeError);
    expect(() => rateFor('constructor')).toThrow(RangeError);
    expect(Object.getPrototypeOf(PRICE_CLASSES)).toBeNull();
  });

  test('prices and guards the entity path as the collection it lists', () => {
    const pairs = [
      ['startups', '/startups'],
      ['funds', '/funds'],
      ['rounds', '/startups/fundingrounds'],
    ] as const;
    for (const [entity, collection] of pairs) {
      const listed = rateFor(`/categories/{dimension}/{value}/${entity}`);
      const { path: _, note: __, ...rest } = rateFor(collection);
      expect(listed).toMatchObject(rest);
    }
  });
});

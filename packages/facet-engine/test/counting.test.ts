// Tests docs/spec/categories.md 8.14.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { countSegments } from '../src/count-segments.ts';
import type { FacetQuery } from '../src/port.ts';
import { conditions, dictionaries, idOf, queries, writes } from './support/arbitraries.ts';
import { InlineEngine, type InlineOptions } from './support/inline-engine.ts';
import { countNaively, countRecordsNaively, type Records } from './support/oracle.ts';
import { ENTITY_IDS, SCHEMA } from './support/schema.ts';

const dataSets = dictionaries.chain((dictionary) =>
  fc.record({
    dictionary: fc.constant(dictionary),
    batches: fc.array(fc.array(writes(dictionary, 25), { maxLength: 30 }), { maxLength: 5 }),
    asked: fc.array(queries, { minLength: 1, maxLength: 6 }),
    wheres: fc.array(conditions, { minLength: 1, maxLength: 6 }),
  }),
);

const SMALL: InlineOptions = { segmentRecordsMax: 7, deadShareMax: 0.05, bitsRecordsMin: 3 };

describe.each<[string, InlineOptions]>([
  ['one mutable segment', {}],
  ['many segments, values as lists and bits, selections filtered', SMALL],
  ['many segments, selections intersected as bits', { ...SMALL, listMax: 0 }],
  ['many segments without compaction', { ...SMALL, deadShareMax: 1 }],
  ['many segments in reused memory', { ...SMALL, recycles: true }],
  [
    'many segments, counts under values of one dimension cached',
    { ...SMALL, cacheBytesMax: 100_000 },
  ],
  [
    'many segments, few counts cached, in reused memory',
    { ...SMALL, cacheBytesMax: 100, recycles: true },
  ],
  ['values as lists only', { ...SMALL, bitsRecordsMin: 100, listMax: 2 }],
])('counts of %s', (_, options) => {
  test('equal those of the reference after any inserts, updates and deletions', async () => {
    await fc.assert(
      fc.asyncProperty(dataSets, async ({ dictionary, batches, asked, wheres }) => {
        const engine = new InlineEngine(options);
        const records = SCHEMA.entities.map(() => new Map<string, readonly number[]>());
        engine.addValues(dictionary);
        for (const batch of [[], ...batches]) {
          for (const { entity, id, codes } of batch) {
            engine.write(entity, id, codes);
            if (codes === undefined) records[entity]?.delete(id);
            else records[entity]?.set(id, codes);
          }
          while (engine.store.compact()) engine.publish();
          engine.publish();
          for (const query of asked) {
            const live: Records = records[ENTITY_IDS.indexOf(query.entity)] ?? new Map();
            expect(await engine.count(query)).toEqual(countNaively(query, live, dictionary));
          }
          for (const [i, where] of wheres.entries()) {
            const entity = i % 3;
            const live: Records = records[entity] ?? new Map();
            const counted = await engine.countRecords({ entity: ENTITY_IDS[entity] ?? '', where });
            expect(counted).toBe(countRecordsNaively(where, live, dictionary));
          }
        }
        const sizes = engine.store.sizes.map(({ live }) => live);
        expect(sizes).toEqual(records.map(({ size }) => size));
      }),
      runs(20, 1_200),
    );
  });
});

describe('a segment of records that hardly share sets of values', () => {
  const RECORDS = 400;
  const values = Array.from({ length: 60 }, (_, i) => ({
    ...{ code: i + 1, dimension: i < 40 ? 1 : 2 },
    ...{ value: `${i}`, folded: `${i}` },
  }));
  // Three different numbers below 40, so that no two of the first 200 records have the same.
  const spread = (i: number, length: number) =>
    Array.from({ length }, (_, k) => 1 + ((i * 7 + k * (1 + (i % 11))) % 40));
  const codesOf = (i: number, length: number) =>
    [...new Set(spread(i, length))].sort((a, b) => a - b);

  test.each([
    ['one slot and some of more values', 1, (i: number) => (i % 10 === 0 ? 2 + (i % 3) : i % 2)],
    ['two slots', 2, (i: number) => 1 + (i % 2)],
    ['two slots and some of more values', 2, (i: number) => (i % 5 === 0 ? 3 + (i % 9) : i % 3)],
    ['four slots', 4, (i: number) => i % 5],
    ['four slots and some of more values', 4, (i: number) => (i % 5 === 0 ? 9 : 1 + (i % 4))],
  ])('has %s, which count as the reference does', async (_, width, lengthOf) => {
    const engine = new InlineEngine({ segmentRecordsMax: RECORDS, deadShareMax: 0.05 });
    engine.addValues(values);
    const records = new Map<string, readonly number[]>();
    const write = (i: number, codes: readonly number[] | undefined) => {
      engine.write(0, idOf(i), codes);
      if (codes === undefined) records.delete(idOf(i));
      else records.set(idOf(i), codes);
    };
    for (let i = 0; i <= RECORDS; i++) write(i, [...codesOf(i, lengthOf(i)), 41 + (i % 20)]);
    engine.publish();
    expect(engine.snapshot(0)[0]?.columns[1]).toMatchObject({ kind: 'slots', width });
    const query = (genres: readonly string[], countries = ['40', '41', '45']): FacetQuery => ({
      entity: 'films',
      narrowing: [
        { dimension: 'country', values: countries },
        ...(genres.length === 0 ? [] : [{ dimension: 'genre', values: genres }]),
      ],
      facets: ['genre', 'country'].map((dimension) => ({
        ...{ dimension, top: 100, skip: 0, order: 'count' },
      })),
    });
    const compare = async () => {
      for (const genres of [[], ['3'], ['3', '17', '30']]) {
        const expected = countNaively(query(genres), records, values);
        expect(await engine.count(query(genres))).toEqual(expected);
        // Few records, which are counted one by one.
        const few = query([...genres, '3'], ['52']);
        expect(await engine.count(few)).toEqual(countNaively(few, records, values));
      }
    };
    await compare();
    for (let i = 0; i < RECORDS; i += 3) write(i, i % 2 === 0 ? undefined : [1, 2, 41]);
    engine.publish();
    await compare();
    while (engine.store.compact()) engine.publish();
    engine.publish();
    await compare();
  });

  test.each([
    ['slots, and sets for the values without a 16-bit code', 60_000, 'slots'],
    ['sets if too many records have values without a code', 66_000, 'sets'],
  ])('has %s', async (_, valueCount, kind) => {
    const engine = new InlineEngine({ segmentRecordsMax: valueCount / 2 });
    for (let code = 1; code <= valueCount; code++)
      engine.addValues([{ code, dimension: 1, value: `${code}`, folded: `${code}` }]);
    const country = valueCount + 1;
    engine.addValues([{ code: country, dimension: 2, value: 'here', folded: 'here' }]);
    const codesOf = (i: number) => [2 * i + 1, 2 * i + 2, ...(i % 9_000 === 5 ? [country] : [])];
    for (let i = 0; i < valueCount / 2; i++) engine.write(0, idOf(i), codesOf(i));
    engine.write(0, idOf(valueCount), [1]);
    engine.publish();
    expect(engine.snapshot(0)[0]?.columns[1]).toMatchObject({ kind });
    const last = `${valueCount - 1}`;
    const { total } = await engine.count({
      entity: 'films',
      narrowing: [{ dimension: 'genre', values: [last] }],
      facets: [],
    });
    expect(total).toBe(1);
    const { facets } = await engine.count({
      entity: 'films',
      narrowing: [{ dimension: 'country', values: ['here'] }],
      facets: [{ dimension: 'genre', top: 100, skip: 0, order: 'count' }],
    });
    const values = [5, 9_005, 18_005, 27_005].flatMap((i) => [`${2 * i + 1}`, `${2 * i + 2}`]);
    expect(facets.get('genre')).toEqual(values.toSorted().map((value) => ({ value, count: 1 })));
  });
});

describe('columns of a full segment', () => {
  // Dimensions 1 and 2 have 40 values each, dimension 3 has two.
  const values = Array.from({ length: 82 }, (_, i) => ({
    ...{ code: i + 1, dimension: Math.floor(i / 40) + 1 },
    ...{ value: `${i}`, folded: `${i}` },
  }));

  const RECORDS = 1_600;
  const engine = new InlineEngine({ segmentRecordsMax: RECORDS });
  const records = new Map<string, readonly number[]>();

  beforeAll(() => {
    engine.addValues(values);
    for (let i = 0; i <= RECORDS; i++) {
      const genre = i % 9 === 8 ? [] : [1 + (i % 40)];
      const codes = [...genre, 41 + (Math.floor(i / 40) % 40), 81 + (i % 2)];
      engine.write(0, idOf(i), codes);
      records.set(idOf(i), codes);
    }
    engine.publish();
  });

  test('share the numbers of their sets while their combinations are few', async () => {
    const [, genre, country, third] = engine.snapshot(0)[0]?.columns ?? [];
    if (genre?.kind !== 'sets' || country?.kind !== 'sets' || third?.kind !== 'sets') {
      throw new Error('A column has no sets.');
    }
    expect(third.sets).toBe(genre.sets);
    expect(country.sets).not.toBe(genre.sets);
    const facets = SCHEMA.dimensions
      .filter(({ number }) => number <= 3)
      .map(({ id }) => ({ dimension: id, top: 100, skip: 0, order: 'count' as const }));
    // Many records of a segment, and few.
    for (const countries of [['41', '42', '50', '60', '70'], ['43']]) {
      const narrowing = [{ dimension: 'country', values: countries }];
      const query: FacetQuery = { entity: 'films', narrowing, facets };
      expect(await engine.count(query)).toEqual(countNaively(query, records, values));
    }
  });

  test.each([
    ['that shares its numbers', 'genre', 0],
    ['that does not', 'country', 40],
  ])('have the records of any number of values, in a column %s', async (_, dimension, first) => {
    const subsets = fc.subarray(
      values.slice(first, first + 40).map(({ value }) => value),
      { minLength: 1 },
    );
    await fc.assert(
      fc.asyncProperty(subsets, async (listed) => {
        const where = { kind: 'values', dimension, values: listed } as const;
        const counted = await engine.countRecords({ entity: 'films', where });
        expect(counted).toBe(countRecordsNaively(where, records, values));
      }),
    );
  });
});

describe('published segments', () => {
  test('do not change, whatever is written later', async () => {
    await fc.assert(
      fc.asyncProperty(dataSets, async ({ dictionary, batches }) => {
        const engine = new InlineEngine(SMALL);
        engine.addValues(dictionary);
        const views: { counts: readonly number[]; again: () => readonly number[] }[] = [];
        for (const batch of batches) {
          for (const { id, codes } of batch) engine.write(0, id, codes);
          engine.store.compact();
          engine.publish();
          const again = countsOfAll(engine, dictionary.length);
          views.push({ counts: again(), again });
        }
        for (const { counts, again } of views) expect(again()).toEqual(counts);
      }),
      runs(20, 1_200),
    );
  });
});

describe('dead records', () => {
  test('are at most 5 % of all records after compaction, which drops their segments', () => {
    const engine = new InlineEngine({ segmentRecordsMax: 50 });
    engine.addValues([{ code: 1, dimension: 1, value: 'a', folded: 'a' }]);
    for (let i = 0; i < 1_000; i++) engine.write(0, idOf(i), [1]);
    for (let i = 0; i < 1_000; i += 2) engine.write(0, idOf(i), []);
    expect(engine.store.sizes[0]).toMatchObject({ live: 1_000, dead: 500 });
    while (engine.store.compact());
    const { live, dead, segments } = engine.store.sizes[0] ?? { live: 0, dead: 0, segments: 0 };
    expect(live).toBe(1_000);
    expect(dead).toBeLessThanOrEqual(0.05 * (live + dead));
    expect(segments).toBeLessThanOrEqual(23);
    for (let i = 0; i < 1_000; i++) engine.write(0, idOf(i), undefined);
    while (engine.store.compact());
    expect(engine.store.sizes[0]).toMatchObject({ live: 0, dead: 0, segments: 1 });
  });

  test('do not result from writes without a change', () => {
    const engine = new InlineEngine();
    engine.addValues([
      { code: 1, dimension: 1, value: 'a', folded: 'a' },
      { code: 2, dimension: 1, value: 'b', folded: 'b' },
    ]);
    engine.write(0, idOf(1), [1, 2]);
    engine.write(0, idOf(1), [1, 2]);
    engine.write(0, idOf(2), undefined);
    expect(engine.store.sizes[0]).toMatchObject({ live: 1, dead: 0 });
  });
});

/** Counts of five dimensions, each narrowed to the records that have a value of another one. */
function countsOfAll(engine: InlineEngine, size: number): () => readonly number[] {
  const segments = engine.snapshot(0);
  const all = Uint32Array.from({ length: size }, (_, i) => i);
  const groups = [1, 2].map((dimension) => ({ dimension, ordinals: all, size }));
  const facets = [1, 2, 3, 4, 9].map((dimension) => ({ dimension, size }));
  const targets = [
    { groups: [0], facets: [1, 2, 3, 4] },
    { groups: [1], facets: [0] },
  ];
  const plan = { entity: 0, groups, facets, targets };
  return () => {
    let next = 0;
    return [...(countSegments(segments, plan, () => next++).counts ?? [])];
  };
}

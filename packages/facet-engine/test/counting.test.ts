import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { countSegments } from '../src/count-segments.ts';
import { dictionaries, idOf, queries, writes } from './support/arbitraries.ts';
import { InlineEngine, type InlineOptions } from './support/inline-engine.ts';
import { countNaively, type Records } from './support/oracle.ts';
import { ENTITY_IDS, SCHEMA } from './support/schema.ts';

const dataSets = dictionaries.chain((dictionary) =>
  fc.record({
    dictionary: fc.constant(dictionary),
    batches: fc.array(fc.array(writes(dictionary, 25), { maxLength: 30 }), { maxLength: 5 }),
    asked: fc.array(queries, { minLength: 1, maxLength: 6 }),
  }),
);

const SMALL: InlineOptions = { segmentRecordsMax: 7, deadShareMax: 0.05, bitsRecordsMin: 3 };

describe.each<[string, InlineOptions]>([
  ['one mutable segment', {}],
  ['many segments, values as lists and bits, selections filtered', SMALL],
  ['many segments, selections intersected as bits', { ...SMALL, listMax: 0 }],
  ['many segments without compaction', { ...SMALL, deadShareMax: 1 }],
  ['many segments in reused memory', { ...SMALL, recycles: true }],
  ['values as lists only', { ...SMALL, bitsRecordsMin: 100, listMax: 2 }],
])('counts of %s', (_, options) => {
  test('equal those of the reference after any inserts, updates and deletions', async () => {
    await fc.assert(
      fc.asyncProperty(dataSets, async ({ dictionary, batches, asked }) => {
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
        }
        const sizes = engine.store.sizes.map(({ live }) => live);
        expect(sizes).toEqual(records.map(({ size }) => size));
      }),
      { numRuns: 60 },
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
      { numRuns: 60 },
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

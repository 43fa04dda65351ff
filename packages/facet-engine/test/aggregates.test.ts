import { describe, expect, test } from '@jest/globals';
import { runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { type AggregateQuery, type RecordCondition, TooManyGroupsError } from '../src/port.ts';
import { idOf } from './support/arbitraries.ts';
import { InlineEngine } from './support/inline-engine.ts';
import { aggregateNaively, type Film } from './support/naive-aggregates.ts';
import type { Value } from './support/oracle.ts';
import { dimensionOf } from './support/schema.ts';

const VALUES: readonly Value[] = [
  ...['a', 'B', 'b!', 'c', '\u{e000}', '\u{1f600}'].map((value) => ({ of: 'genre', value })),
  ...['x', 'y', 'z'].map((value) => ({ of: 'country', value })),
  ...['10', '9', '1'].map((value) => ({ of: 'rating', value })),
].map(({ of, value }, index) => ({
  code: index + 1,
  ...{ dimension: dimensionOf(of).number, value },
  folded: value.replace('!', '').toLowerCase(),
}));

const IDS = 25;
const figure = fc.option(
  fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constantFrom(1e15, 2 ** 40 + 1, -3, 0.5)),
  { freq: 4 },
);
/** From year 1 to year 9999; most in two years. */
const day = fc.option(
  fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 19_358, max: 20_088 }) },
    { weight: 1, arbitrary: fc.constantFrom(-719_162, -25_568, -1, 0, 47_482, 2_932_896) },
  ),
  { freq: 5 },
);
const films = fc.record({
  codes: fc.subarray(VALUES.map(({ code }) => code)),
  gross: figure,
  released: day,
  links: fc.subarray([0, 1, 2, 3].map(idOf)),
});
const batches = fc.array(
  fc.array(
    fc.record({ id: fc.nat({ max: IDS - 1 }).map(idOf), film: fc.option(films, { freq: 5 }) }),
    {
      maxLength: 60,
    },
  ),
  { minLength: 1, maxLength: 4 },
);

const OF = ['sum', 'average', 'min', 'max', 'median', 'p25', 'p75', 'p90'] as const;
const keys = fc.oneof(
  fc.record({
    kind: fc.constant('dimension' as const),
    dimension: fc.constantFrom('genre', 'country', 'rating', 'year'),
  }),
  fc.record({
    kind: fc.constant('time' as const),
    figure: fc.constant('released'),
    unit: fc.constantFrom('year' as const, 'quarter' as const, 'month' as const),
  }),
);
const measures = fc.oneof(
  fc.constant({ kind: 'count' as const }),
  fc.record({
    kind: fc.constant('figure' as const),
    of: fc.constantFrom(...OF),
    figure: fc.constantFrom('gross', 'released'),
  }),
  fc.record({
    kind: fc.constant('distinct' as const),
    dimension: fc.constantFrom('genre', 'rating', 'studio'),
  }),
  fc.constant({ kind: 'distinctFigure' as const, figure: 'gross' }),
  fc.constant({ kind: 'related' as const, relation: 'films.books' }),
);
const wheres: fc.Arbitrary<RecordCondition> = fc.oneof(
  fc.constant({ kind: 'and' as const, of: [] }),
  fc.constant({ kind: 'or' as const, of: [] }),
  fc
    .record({
      of: fc.subarray(['a', 'B', 'unknown'], { minLength: 1 }),
      least: fc.option(fc.integer({ min: 0, max: 4 })),
      most: fc.option(fc.integer({ min: 2, max: 6 })),
      negated: fc.boolean(),
    })
    .map(({ of, least, most, negated }): RecordCondition => {
      const range: RecordCondition = { kind: 'figure', figure: 'gross', least, most };
      const values: RecordCondition = { kind: 'values', dimension: 'genre', values: of };
      return { kind: 'or', of: [values, negated ? { kind: 'not', of: range } : range] };
    }),
);
const queries: fc.Arbitrary<AggregateQuery> = fc
  .record({
    where: wheres,
    by: fc.array(keys, { maxLength: 3 }),
    measures: fc.array(measures, { minLength: 1, maxLength: 5 }),
    top: fc.integer({ min: 1, max: 30 }),
    skip: fc.constantFrom(0, 0, 1, 7),
    picks: fc.array(fc.tuple(fc.nat(), fc.boolean(), fc.boolean()), { maxLength: 2 }),
  })
  .map(({ picks, ...query }) => ({
    ...{ entity: 'films', groupsMax: 1_000, ...query },
    order: picks.map(([pick, ofKey, descending]) =>
      ofKey && query.by.length > 0
        ? { key: pick % query.by.length, descending }
        : { measure: pick % query.measures.length, descending },
    ),
  }));

describe('groups of records', () => {
  test.each([
    ['in one mutable segment', {}],
    ['in many segments that are compacted', { segmentRecordsMax: 6, deadShareMax: 0.05 }],
    ['in reused memory', { segmentRecordsMax: 9, recycles: true, listMax: 0 }],
  ])('have the numbers of plain lists %s, after any writes', async (_, options) => {
    await fc.assert(
      fc.asyncProperty(batches, fc.array(queries, { minLength: 1 }), async (written, asked) => {
        const engine = new InlineEngine({ ...options, bitsRecordsMin: 3 });
        engine.addValues(VALUES);
        const live = new Map<string, Film>();
        for (const batch of written) {
          for (const { id, film } of batch) {
            const { codes, links = [], gross = null, released = null } = film ?? {};
            const linked = [links.map((target) => ({ id: target, tag: 0 }))];
            engine.write(0, id, codes, linked, [gross, released]);
            if (codes === undefined) live.delete(id);
            else {
              const values = VALUES.filter(({ code }) => codes.includes(code));
              live.set(id, { values, figures: { gross, released }, links });
            }
          }
          while (engine.store.compact()) engine.publish();
          engine.publish();
          for (const query of asked) {
            expect(close(await engine.aggregate(query))).toEqual(
              close(aggregateNaively(query, [...live.values()])),
            );
          }
        }
      }),
      runs(20, 1_200),
    );
  });

  test('above their bound are an error', async () => {
    const engine = new InlineEngine();
    engine.addValues(VALUES);
    for (const { code } of VALUES) engine.write(0, idOf(code), [code]);
    engine.publish();
    const by = [{ kind: 'dimension' as const, dimension: 'genre' }];
    const query = { entity: 'films', where: { kind: 'and' as const, of: [] }, by, order: [] };
    const of = (groupsMax: number) =>
      engine.aggregate({ ...query, measures: [{ kind: 'count' }], top: 9, skip: 0, groupsMax });
    await expect(of(6)).rejects.toThrow(TooManyGroupsError);
    expect(await of(7)).toMatchObject({ groups: 7 });
  });
});

/** Sums of fractions depend on the order of the records in their last digits. */
function close(answer: object): unknown {
  return JSON.parse(
    JSON.stringify(answer, (_, value) =>
      typeof value === 'number' ? Number(value.toPrecision(13)) : value,
    ),
  );
}

import { describe, expect, test } from '@jest/globals';
import { runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { inOneVersion } from '../src/one-version.ts';
import {
  EngineUnavailableError,
  type RecordOrder,
  type RecordPosition,
  type RecordStart,
} from '../src/port.ts';
import { conditions, dictionaries, idOf, writes } from './support/arbitraries.ts';
import { InlineEngine, type InlineOptions } from './support/inline-engine.ts';
import { matchesNaively, type Records, type Value } from './support/oracle.ts';
import { ENTITY_IDS, SCHEMA } from './support/schema.ts';

/** An id whose first bits are not those of the others. */
const spread = (id: string) =>
  (Math.imul(Number.parseInt(id.slice(-12), 16), 0x9e37_79b1) >>> 0).toString(16).padStart(8, '0') +
  id.slice(8);

const NUMERIC = SCHEMA.dimensions.filter(({ isNumeric }) => isNumeric);
const KEYS = NUMERIC.map(({ id }) => id);

/** Orders by one key or more; a later key may repeat an earlier one. */
const orders: fc.Arbitrary<readonly RecordOrder[]> = fc
  .array(fc.record({ dimension: fc.constantFrom(...KEYS), descending: fc.boolean() }), {
    maxLength: 3,
  })
  .chain((keys) =>
    fc
      .tuple(...keys.map(() => fc.option(fc.integer({ min: 0, max: 9 }))))
      .map((bounds) => keys.map((key, i) => ({ ...key, exactBelow: bounds[i] ?? null }))),
  );

/** Positions with values that do and do not occur, of all keys or of fewer. */
const positions = fc.record({
  values: fc.array(fc.option(fc.integer({ min: 0, max: 10 })), { maxLength: 3 }),
  id: fc.option(
    fc.nat({ max: 60 }).map((n) => spread(idOf(n))),
    { nil: undefined },
  ),
});

const searches = fc.record({
  entity: fc.constantFrom(...ENTITY_IDS),
  where: fc.oneof(conditions, fc.constant({ kind: 'and' as const, of: [] })),
  order: orders,
  ids: fc.constantFrom(undefined, 'ascending' as const, 'descending' as const),
  from: fc.option(positions, { nil: undefined }),
  skip: fc.constantFrom(0, 0, 1, 4, 15),
  rest: fc.constantFrom(0, 2, 100),
  count: fc.integer({ min: 1, max: 12 }),
  added: fc.integer({ min: 0, max: 12 }),
});

/** Records before a position are not counted. */
const withoutBoth = <Search extends { readonly from: unknown; readonly skip: number }>(
  search: Search,
): Search => (search.from === undefined ? search : { ...search, skip: 0 });

const dataSets = dictionaries.chain((dictionary) =>
  fc.record({
    dictionary: fc.constant(dictionary),
    batches: fc.array(fc.array(writes(dictionary, 60), { maxLength: 60 }), {
      minLength: 1,
      maxLength: 4,
    }),
    asked: fc.array(searches, { minLength: 1, maxLength: 8 }),
  }),
);

const SMALL: InlineOptions = { segmentRecordsMax: 7, deadShareMax: 0.05, bitsRecordsMin: 3 };

describe.each<[string, InlineOptions]>([
  ['one mutable segment', {}],
  ['many segments', SMALL],
  ['many segments without compaction', { ...SMALL, deadShareMax: 1 }],
  ['many segments in reused memory', { ...SMALL, recycles: true }],
])('the first records of %s', (_, options) => {
  test('are those of the reference, with all that the order does not separate', async () => {
    await fc.assert(
      fc.asyncProperty(dataSets, async ({ dictionary, batches, asked }) => {
        const engine = new InlineEngine(options);
        const records = SCHEMA.entities.map(() => new Map<string, readonly number[]>());
        engine.addValues(dictionary);
        for (const batch of batches) {
          for (const { entity, id: plain, codes } of batch) {
            const id = spread(plain);
            const single = codes && withOneNumber(codes, dictionary);
            engine.write(entity, id, single);
            if (single === undefined) records[entity]?.delete(id);
            else records[entity]?.set(id, single);
          }
          while (engine.store.compact()) engine.publish();
          engine.publish();
          for (const { added, rest, ...search } of asked.map(withoutBoth)) {
            const live: Records = records[ENTITY_IDS.indexOf(search.entity)] ?? new Map();
            const countMax = search.count + added;
            const query = { ...search, countMax, matchesMax: undefined };
            for (const threads of [1, 3]) {
              const found = await engine.firstRecords(query, threads, rest);
              const { ids, isAll, start } = found;
              const expected = firstNaively(query, start, live, dictionary);
              expect(ids?.toSorted()).toEqual(expected.ids);
              expect(isAll).toBe(expected.isAll);
              expect(start?.before ?? 0).toBe(expected.before);
              expect(start?.equal ?? 0).toBe(expected.equal);
              expect(expected.before).toBeLessThanOrEqual(search.skip);
              const isCounted = search.skip > rest && search.order.length > 0;
              if (ids === undefined && isCounted && expected.isWanted) expect(start).toBeDefined();
            }
          }
        }
      }),
      runs(60),
    );
  });
});

test('keys whose combinations are no exact numbers are left out, the first ones last', async () => {
  const SIZE = 130_000;
  const engine = new InlineEngine();
  const [year, size, ...rest] = NUMERIC;
  if (year === undefined || size === undefined)
    throw new Error('Two numeric dimensions are needed.');
  expect(rest).toBeDefined();
  for (let n = 0; n < SIZE; n++) {
    const value = { value: String(SIZE - n), folded: String(SIZE - n) };
    engine.addValues([{ code: 2 * n + 1, dimension: year.number, ...value }]);
    engine.addValues([{ code: 2 * n + 2, dimension: size.number, ...value }]);
  }
  for (let n = 0; n < 10; n++)
    engine.write(0, idOf(n), [2 * n + 1, 2 * (n % 2) + 2].sort(ascending));
  engine.publish();
  const order = [size, size, size, year].map(({ id }) => ({
    ...{ dimension: id, descending: true, exactBelow: null },
  }));
  const unseparated = {
    ids: 'ascending',
    from: undefined,
    skip: 0,
    matchesMax: undefined,
  } as const;
  const query = { entity: 'films', where: { kind: 'and', of: [] } as const, order, ...unseparated };
  // Five records have the greater size; the key that separates them is left out.
  const { ids, isAll } = await engine.firstRecords({ ...query, count: 2, countMax: 5 });
  expect(ids?.toSorted()).toEqual([0, 2, 4, 6, 8].map(idOf));
  expect(isAll).toBe(false);
  const { ids: none } = await engine.firstRecords({ ...query, count: 2, countMax: 4 });
  expect(none).toBeUndefined();
});

test('too many equal records of one thread do not hide records of another that precede them', async () => {
  const engine = new InlineEngine({ segmentRecordsMax: 7 });
  const [year] = NUMERIC;
  if (year === undefined) throw new Error('A numeric dimension is needed.');
  engine.addValues([{ code: 1, dimension: year.number, value: '9', folded: '9' }]);
  for (let n = 0; n < 20; n++) engine.write(0, idOf(n), n < 19 ? [] : [1]);
  engine.publish();
  const found = await engine.firstRecords(
    {
      ...{ entity: 'films', where: { kind: 'and', of: [] }, count: 1, countMax: 1 },
      ...{ ids: undefined, from: undefined, skip: 0, matchesMax: undefined },
      order: [{ dimension: year.id, descending: true, exactBelow: null }],
    },
    3,
  );
  expect(found).toEqual({ ids: [idOf(19)], isAll: false, start: undefined });
});

test('ranks follow values that are added after a search', async () => {
  const engine = new InlineEngine();
  const [year] = NUMERIC;
  if (year === undefined) throw new Error('A numeric dimension is needed.');
  const add = (code: number, value: string) => {
    engine.addValues([{ code, dimension: year.number, value, folded: value }]);
    engine.write(0, idOf(code), [code]);
    engine.publish();
  };
  const first = async () => {
    const { ids } = await engine.firstRecords({
      ...{ entity: 'films', where: { kind: 'and', of: [] }, count: 1, countMax: 1 },
      ...{ ids: undefined, from: undefined, skip: 0, matchesMax: undefined },
      order: [{ dimension: year.id, descending: true, exactBelow: null }],
    });
    return ids;
  };
  add(1, '9');
  expect(await first()).toEqual([idOf(1)]);
  add(2, '100');
  expect(await first()).toEqual([idOf(2)]);
  add(3, '20');
  expect(await first()).toEqual([idOf(2)]);
});

const ascending = (a: number, b: number) => a - b;

/** Codes without all but the first number of each numeric dimension. */
function withOneNumber(codes: readonly number[], dictionary: readonly Value[]): readonly number[] {
  const seen = new Set<number>();
  return codes.filter((code) => {
    const dimension = dictionary.find((value) => value.code === code)?.dimension ?? 0;
    if (!NUMERIC.some(({ number }) => number === dimension)) return true;
    if (seen.has(dimension)) return false;
    seen.add(dimension);
    return true;
  });
}

function firstNaively(
  search: Parameters<InlineEngine['firstRecords']>[0],
  start: RecordStart | undefined,
  records: Records,
  dictionary: readonly Value[],
) {
  const numberOf = (codes: readonly number[], dimension: string): number | undefined => {
    const { number } = NUMERIC.find(({ id }) => id === dimension) ?? { number: 0 };
    const found = dictionary.find(
      (value) => value.dimension === number && codes.includes(value.code),
    );
    return found && Number(found.value);
  };
  const isRounded = (number: number | undefined, exactBelow: number | null) =>
    exactBelow !== null && (number ?? -1) >= exactBelow;
  const compare = (one: readonly number[], other: readonly number[]): number => {
    for (const { dimension, descending, exactBelow } of search.order) {
      const [a, b] = [numberOf(one, dimension) ?? -1, numberOf(other, dimension) ?? -1];
      if (a !== b) return descending ? b - a : a - b;
      if (isRounded(a, exactBelow)) return 0;
    }
    return 0;
  };
  const hasIds = (codes: readonly number[]) =>
    search.ids !== undefined &&
    search.order.every(
      ({ dimension, exactBelow }) => !isRounded(numberOf(codes, dimension), exactBelow),
    );
  const compareIds = (one: string, other: string): number => {
    if (one === other) return 0;
    return one < other === (search.ids === 'ascending') ? -1 : 1;
  };
  type Live = readonly [string, readonly number[]];
  const isFrom = ([id, codes]: Live, { values, id: after }: RecordPosition): boolean => {
    for (const [index, value] of values.slice(0, search.order.length).entries()) {
      const { dimension, descending, exactBelow } = search.order[index] as RecordOrder;
      const [a, b] = [numberOf(codes, dimension) ?? -1, value ?? -1];
      if (a !== b) return descending ? a < b : a > b;
      if (isRounded(a, exactBelow)) return true;
    }
    if (after === undefined || !hasIds(codes)) return true;
    return values.length < search.order.length || compareIds(after, id) < 0;
  };
  const matching = matchesNaively(search.where, records, dictionary)
    .filter((each) => search.from === undefined || isFrom(each, search.from))
    .toSorted(([one, a], [other, b]) => compare(a, b) || (hasIds(a) ? compareIds(one, other) : 0));
  const wanted = matching.filter((each) => start === undefined || isFrom(each, start));
  const before = matching.length - wanted.length;
  // A start saves nothing if no record is before the group of the first wanted one, unless that group
  // or the page is too large to be found.
  const wantedFirst = matching[search.skip];
  const group = matching.filter(([, codes]) => wantedFirst && compare(codes, wantedFirst[1]) === 0);
  const isWanted =
    wantedFirst !== undefined &&
    (compare(matching[0]?.[1] ?? [], wantedFirst[1]) !== 0 ||
      Math.max(group.length, search.skip + search.count) > search.countMax);
  const hasValues = ([, codes]: Live) =>
    start?.values.every(
      (value, i) => (numberOf(codes, search.order[i]?.dimension ?? '') ?? null) === value,
    );
  const equal = start?.values.length ? matching.filter(hasValues).length : 0;
  const count = search.count + search.skip - before;
  const nth = wanted[count - 1];
  const first = wanted.filter(([id, codes]) => {
    if (nth === undefined) return true;
    return (compare(codes, nth[1]) || (hasIds(codes) ? compareIds(id, nth[0]) : 0)) <= 0;
  });
  if (count > search.countMax || first.length > search.countMax) {
    return { ids: undefined, isAll: false, before, equal, isWanted };
  }
  const ids = first.map(([id]) => id).toSorted();
  return { ids, isAll: first.length === wanted.length, before, equal, isWanted };
}

/** A search during whose first attempts a batch is applied. */
async function searchDuring(batches: number) {
  let version = 1;
  const searched: number[] = [];
  const result = inOneVersion(
    () => version,
    async (current) => {
      searched.push(current);
      if (searched.length <= batches) version += 1;
      return current;
    },
  );
  return { result: await result.catch((error: unknown) => error), searched };
}

test.each([0, 1, 2])(
  'a search is repeated after %s batches and has one version',
  async (batches) => {
    const { result, searched } = await searchDuring(batches);
    expect(result).toBe(1 + batches);
    expect(searched).toEqual(Array.from({ length: 1 + batches }, (_, i) => 1 + i));
  },
);

test('the engine is not available for a search during which each attempt has a batch', async () => {
  const { result, searched } = await searchDuring(3);
  expect(result).toEqual(new EngineUnavailableError('the data changed during each search'));
  expect(searched).toEqual([1, 2, 3]);
});

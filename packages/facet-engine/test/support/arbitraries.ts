import fc from 'fast-check';
import type { FacetQuery, FacetRequest, Narrowing, RecordCondition } from '../../src/port.ts';
import type { Value } from './oracle.ts';
import { ENTITY_IDS, SCHEMA } from './schema.ts';

const TEXTS = [
  ...['a', 'ab', 'abc', 'b', 'ba', 'c', 'ca', 'Z', 'ä', '\u{e000}', '\u{1f600}', 'a\u{1f600}'],
];
const VALUES_MAX = 8;
const DIMENSIONS = SCHEMA.dimensions;

/** Values of all dimensions with shuffled codes; some texts have the same folded form. */
export const dictionaries: fc.Arbitrary<readonly Value[]> = fc
  .shuffledSubarray(
    DIMENSIONS.flatMap((dimension) =>
      Array.from({ length: VALUES_MAX }, (_, i) => ({
        dimension: dimension.number,
        ...textOf(dimension, i),
      })),
    ),
    { minLength: 40 },
  )
  .map((values) => values.map((value, i) => ({ ...value, code: i * 2 + 1 })));

function textOf(
  { number, isNumeric }: (typeof DIMENSIONS)[number],
  i: number,
): Pick<Value, 'value' | 'folded'> {
  if (isNumeric) return { value: String(i + 1), folded: String(i + 1) };
  const text = TEXTS[(i * 5 + number) % TEXTS.length] ?? '';
  return { value: i % 2 === 0 ? text : `${text}!`, folded: text.toLowerCase() };
}

/** A write of a record: its new codes, or undefined if it is deleted. */
export interface Write {
  readonly entity: number;
  readonly id: string;
  readonly codes: readonly number[] | undefined;
}

/** Writes of few records, so that most of them are updates, deletions and re-insertions. */
export function writes(dictionary: readonly Value[], ids: number): fc.Arbitrary<Write> {
  const codes = fc
    .subarray(
      dictionary.map(({ code }) => code),
      { maxLength: 20 },
    )
    .map((chosen) => chosen.toSorted((a, b) => a - b));
  return fc.record({
    entity: fc.nat({ max: 2 }),
    id: fc.nat({ max: ids - 1 }).map(idOf),
    codes: fc.oneof(
      { weight: 4, arbitrary: codes },
      { weight: 1, arbitrary: fc.constant(undefined) },
    ),
  });
}

/** A UUID with a number at its end. */
export function idOf(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}

/** Queries with repeated dimensions, unknown values, searches and pages. */
export const queries: fc.Arbitrary<FacetQuery> = fc.record({
  entity: fc.constantFrom(...ENTITY_IDS),
  narrowing: fc.array(narrowings(), { maxLength: 4 }),
  facets: fc
    .subarray([...DIMENSIONS], { minLength: 1 })
    .chain((chosen) => fc.tuple(...chosen.map(({ id }) => facets(id)))),
});

/** Nested conditions, with unknown values. */
export const conditions: fc.Arbitrary<RecordCondition> = fc.letrec<{ where: RecordCondition }>(
  (tie) => ({
    where: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      narrowings().map((narrowing): RecordCondition => ({ kind: 'values', ...narrowing })),
      fc.record({
        kind: fc.constant('any' as const),
        dimension: fc.constantFrom(...DIMENSIONS.map(({ id }) => id)),
      }),
      fc.record({ kind: fc.constant('not' as const), of: tie('where') }),
      fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        of: fc.array(tie('where'), { maxLength: 4 }),
      }),
    ),
  }),
).where;

function narrowings(): fc.Arbitrary<Narrowing> {
  return fc.constantFrom(...DIMENSIONS).chain((dimension) => {
    const known = Array.from({ length: VALUES_MAX }, (_, i) => {
      const { value } = textOf(dimension, i);
      return dimension.isNumeric ? Number(value) : value;
    });
    const unknown = dimension.isNumeric ? 99 : 'nowhere';
    return fc.record({
      dimension: fc.constant(dimension.id),
      values: fc.array(fc.constantFrom(...known, unknown), { minLength: 1, maxLength: 4 }),
    });
  });
}

function facets(dimension: string): fc.Arbitrary<FacetRequest> {
  const search = fc.record({
    text: fc.constantFrom('', 'a', 'ab', 'b', '\u{1f600}', 'z', '1'),
    anywhere: fc.boolean(),
  });
  return fc
    .record({
      dimension: fc.constant(dimension),
      top: fc.integer({ min: 1, max: 10 }),
      skip: fc.constantFrom(0, 0, 1, 3, 100),
      order: fc.constantFrom('count' as const, 'value' as const),
      search: fc.option(search, { nil: undefined }),
    })
    .map(({ search: text, ...facet }) => (text === undefined ? facet : { ...facet, search: text }));
}

import { DIMENSIONS, type Dimension, dimensionsOf, ENTITY_IDS } from '@vcds/venture-model';
import fc from 'fast-check';
import type { FacetQuery, FacetRequest, Narrowing } from '../../src/port.ts';
import type { Value } from './oracle.ts';

const TEXTS = [
  'a',
  'ab',
  'abc',
  'b',
  'ba',
  'c',
  'ca',
  'Z',
  'ä',
  '\u{e000}',
  '\u{1f600}',
  'a\u{1f600}',
];
const VALUES_MAX = 8;

/** A few values of every dimension, their codes mixed. Texts with one folded form are among them. */
export const dictionaries: fc.Arbitrary<readonly Value[]> = fc
  .shuffledSubarray(
    DIMENSIONS.flatMap((dimension) =>
      Array.from({ length: VALUES_MAX }, (_, i) => ({ dimension, ...textOf(dimension, i) })),
    ),
    { minLength: 40 },
  )
  .map((values) =>
    values.map(({ dimension, value, folded }, i) => ({
      code: i * 2 + 1,
      dimension: dimension.number,
      value,
      folded,
    })),
  );

function textOf(dimension: Dimension, i: number): Pick<Value, 'value' | 'folded'> {
  if (dimension.sqlType === 'smallint') return { value: String(i + 1), folded: String(i + 1) };
  const text = TEXTS[(i * 5 + dimension.number) % TEXTS.length] ?? '';
  return { value: i % 2 === 0 ? text : `${text}!`, folded: text.toLowerCase() };
}

/** What happens to a record: its new codes, or its end. */
export interface Write {
  readonly entity: number;
  readonly id: string;
  readonly codes: readonly number[] | undefined;
}

/** Writes to few records, so that most of them are updates, deletes and returns. */
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

/** A counted id. */
export function idOf(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}

/** Queries of all sorts: dimensions narrowed twice, values that do not occur, searches, pages. */
export const queries: fc.Arbitrary<FacetQuery> = fc.constantFrom(...ENTITY_IDS).chain((entity) =>
  fc.record({
    entity: fc.constant(entity),
    narrowing: fc.array(narrowings(), { maxLength: 4 }),
    facets: fc
      .subarray(
        dimensionsOf(entity).map(({ id }) => id),
        { minLength: 1 },
      )
      .chain((ids) => fc.tuple(...ids.map((dimension) => facets(dimension)))),
  }),
);

function narrowings(): fc.Arbitrary<Narrowing> {
  return fc.constantFrom(...DIMENSIONS).chain((dimension) => {
    const known = Array.from({ length: VALUES_MAX }, (_, i) => {
      const { value } = textOf(dimension, i);
      return dimension.sqlType === 'smallint' ? Number(value) : value;
    });
    const unknown = dimension.sqlType === 'smallint' ? 99 : 'nowhere';
    return fc.record({
      dimension: fc.constant(dimension.id),
      values: fc.array(fc.constantFrom(...known, unknown), { minLength: 1, maxLength: 4 }),
    });
  });
}

function facets(dimension: FacetRequest['dimension']): fc.Arbitrary<FacetRequest> {
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

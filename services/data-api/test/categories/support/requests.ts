import {
  DIMENSION_IDS,
  type DimensionId,
  dimensionById,
  dimensionsOf,
  ENTITY_IDS,
  type EntityId,
  valueOfText,
} from '@vcds/venture-model';
import fc from 'fast-check';
import type { FacetQuery, FacetRequest, Narrowing } from '../../../src/categories/facet-schema.ts';

type Sample = readonly { readonly dimension: string; readonly value: string }[];

/** Random requests with values that occur and values that do not. */
export function facetQueries(sample: Sample): fc.Arbitrary<FacetQuery> {
  const valuesOf = new Map<DimensionId, readonly (string | number)[]>(
    DIMENSION_IDS.map((id) => {
      const dimension = dimensionById(id);
      const own = sample.filter((each) => each.dimension === id);
      const absent = dimension.sqlType === 'text' ? 'Nowhere at all' : 9999;
      return [id, [...own.map(({ value }) => valueOfText(dimension, value)), absent]];
    }),
  );
  const narrowing = fc.constantFrom(...DIMENSION_IDS).chain((dimension) =>
    fc.record<Narrowing>({
      dimension: fc.constant(dimension),
      values: fc.uniqueArray(fc.constantFrom(...(valuesOf.get(dimension) ?? [])), {
        minLength: 1,
        maxLength: 4,
      }),
    }),
  );
  return fc.constantFrom(...ENTITY_IDS).chain((entity) =>
    fc.record<FacetQuery>({
      entity: fc.constant(entity),
      narrowing: fc.array(narrowing, { maxLength: 3 }),
      facets: facetsOf(entity),
    }),
  );
}

function facetsOf(entity: EntityId): fc.Arbitrary<readonly FacetRequest[]> {
  const own = dimensionsOf(entity).map(({ id }) => id);
  const request: fc.Arbitrary<FacetRequest> = fc
    .record({
      dimension: fc.constantFrom(...own),
      top: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constant(500)),
      skip: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 60 })),
      order: fc.constantFrom('count', 'count', 'value'),
      search: fc.option(
        fc.record({
          text: fc.constantFrom(
            's',
            'san',
            'an',
            'e',
            'series',
            '20',
            '9',
            'new y',
            '-',
            'o',
            '%',
            'é',
          ),
          anywhere: fc.boolean(),
        }),
        { nil: undefined, freq: 3 },
      ),
    })
    .map(({ search, ...rest }) => (search === undefined ? rest : { ...rest, search })) as never;
  return fc.uniqueArray(request, {
    minLength: 1,
    maxLength: 4,
    selector: ({ dimension }) => dimension,
  });
}

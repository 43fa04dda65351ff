/** The bodies of the category listings (docs/spec/categories.md 8.4, 8.1, 8.2). */
import type { ClosedValue } from '@vcds/odata-query';
import {
  DIMENSIONS,
  type Dimension,
  dimensionsOf,
  ENTITY_IDS,
  type Entity,
} from '@vcds/venture-model';
import type { PlannedNarrowing } from '../narrowing/plan.ts';
import { isObject, type JsonObject, members, type Table } from '../tables/csv.ts';
import type { ValuesPlan } from './plan.ts';

/** A value of a dimension in a response; without `count` if it was not counted. */
export interface CategoryValue {
  readonly value: string | number;
  readonly label: string;
  readonly slug?: string;
  readonly name?: string;
  readonly count?: number;
}

/** The dimensions of an entity, closed ones with their complete lists. */
export function categoriesBody({ id }: Entity): string {
  const dimensions = dimensionsOf(id).map(
    ({ id, title, description, kind, entities, filterField, closed }) => ({
      id,
      title,
      description,
      kind,
      entities,
      filterField,
      ...(closed === undefined ? {} : { values: closed.map((each) => closedValue(each)) }),
    }),
  );
  return JSON.stringify({ entities: ENTITY_IDS, dimensions });
}

/** A value of an open, closed or bucketed dimension. */
export function categoryValue(
  dimension: Dimension,
  value: string | number,
  count?: number,
  label = String(value),
): CategoryValue {
  const listed = dimension.closed?.find((each) => each.value === value);
  if (listed !== undefined) return closedValue(listed, count);
  return { value, label, ...(count === undefined ? {} : { count }) };
}

const listOf = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value : []);

/** The category listings as tables: a row for each dimension, or for each value. */
export const DIMENSIONS_TABLE: Table = {
  columns: members('id', 'title', 'description', 'kind', 'entities', 'filterField'),
  rows: ({ dimensions }) => listOf(dimensions),
};
/** Values have `slug` and `name` in closed lists only, and `count` if they are counted. */
export function valuesTable({ dimension, counts }: ValuesPlan): Table {
  return {
    columns: members(
      ...['value', 'label'],
      ...(dimension.closed === undefined ? [] : ['slug', 'name']),
      ...(counts ? ['count'] : []),
    ),
    rows: ({ values }) => listOf(values),
  };
}
export const FACETS_TABLE: Table = {
  columns: members('dimension', 'value', 'label', 'slug', 'name', 'count'),
  rows: ({ facets }) =>
    Object.entries(isObject(facets) ? facets : {}).flatMap(([dimension, values]) =>
      listOf(values).map((value) => ({ dimension, ...value })),
    ),
};

/** The labels of the narrowing values, by dimension, in the order of the dimensions. */
export function narrowedBy(by: readonly PlannedNarrowing[]): Record<string, readonly string[]> {
  return Object.fromEntries(
    DIMENSIONS.flatMap(({ id }) => {
      const labels = by
        .filter(({ dimension }) => dimension.id === id)
        .flatMap(({ values }) => values.map(({ label }) => label));
      return labels.length === 0 ? [] : [[id, labels]];
    }),
  );
}

function closedValue({ value, label, slug, name }: ClosedValue, count?: number): CategoryValue {
  return { value, label, slug, name, ...(count === undefined ? {} : { count }) };
}

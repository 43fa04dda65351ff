/** Other spellings of tags, groups and places than the stored ones (docs/spec/query-language.md 5.5). */
import type { BoundFilter, BoundValue } from '@vcds/odata-query';
import { dimensionById } from '@vcds/venture-model';
import type { ResourceField } from '../resources/index.ts';

type Filter = BoundFilter<ResourceField>;

/** The kind in `venture.term` of the values of each dimension that has other spellings. */
export const TERM_KINDS: ReadonlyMap<number, string> = new Map(
  (
    [
      ['industry', 'tag'],
      ['country', 'country'],
      ['region', 'region'],
      ['city', 'city'],
      ['fund_group', 'group'],
    ] as const
  ).map(([id, kind]) => [dimensionById(id).number, kind]),
);

/** A value that a filter compares with a field whose values are those of a dimension. */
export interface Spelled {
  readonly field: string;
  readonly dimension: number;
  readonly value: string;
}

/** The values that `eq`, `ne`, `in` and `notin` compare with open dimensions. */
export function spelledValues(filter: Filter): readonly Spelled[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.operands.flatMap(spelledValues);
    case 'not':
      return spelledValues(filter.operand);
    case 'compare':
      return spelledBy(filter.field, [filter.value]);
    case 'in':
      return spelledBy(filter.field, filter.values);
    default:
      return [];
  }
}

/** The filter with the stored spellings of these values; unchanged if none has another. */
export function withStoredSpellings(
  filter: Filter,
  stored: (value: Spelled) => readonly string[] | undefined,
): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return {
        ...filter,
        operands: filter.operands.map((each) => withStoredSpellings(each, stored)),
      };
    case 'not':
      return { ...filter, operand: withStoredSpellings(filter.operand, stored) };
    case 'compare': {
      const [spelled] = spelledBy(filter.field, [filter.value]);
      const values = spelled && stored(spelled);
      if (values === undefined) return filter;
      const negated = filter.operator === 'ne';
      return { kind: 'in', field: filter.field, values, negated };
    }
    case 'in': {
      const values = filter.values.flatMap((value): readonly BoundValue[] => {
        const [spelled] = spelledBy(filter.field, [value]);
        return (spelled && stored(spelled)) ?? [value];
      });
      return { ...filter, values: [...new Set(values)] };
    }
    default:
      return filter;
  }
}

function spelledBy(
  { name: field, match }: ResourceField,
  values: readonly (BoundValue | null)[],
): readonly Spelled[] {
  const listed = match?.kind === 'column' || match?.kind === 'array' ? match.listed : undefined;
  if (listed === undefined) return [];
  const { dimension } = listed;
  return values.flatMap((value) => (typeof value === 'string' ? { field, dimension, value } : []));
}

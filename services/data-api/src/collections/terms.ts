import type { BoundFilter } from '@vcds/odata-query';
import type { ResourceField } from '../resources/index.ts';

export type Filter = BoundFilter<ResourceField>;

/** A term that compares a field with a value in the order of its index. */
export type Comparison = Extract<Filter, { kind: 'compare' }>;

/** The terms of a filter that all have to be met. */
export function termsOf(filter: Filter | undefined): readonly Filter[] {
  if (filter === undefined) return [];
  return filter.kind === 'and' ? filter.operands.flatMap(termsOf) : [filter];
}

/** Whether an index of the field has the rows that meet a term. Text is sorted by another order than it is compared by. */
export function isComparison(term: Filter): term is Comparison {
  return (
    term.kind === 'compare' &&
    term.operator !== 'ne' &&
    term.value !== null &&
    term.field.sortable &&
    term.field.type !== 'text' &&
    term.field.match?.kind === 'column'
  );
}

import type { BoundFilter } from '@vcds/odata-query';
import type { ResourceField, RowSql } from '../resources/index.ts';
import type { PagePlan } from './plan.ts';

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

/** The beginning that the first key of an order must have. */
export interface Prefix {
  readonly text: string;
  /** The key in its order. */
  readonly ordered: RowSql;
  readonly folded: RowSql;
  /** The rows that may match although their keys are elsewhere in the order. */
  readonly isVariant: RowSql;
}

/** Some scripts write a vowel before the consonant that precedes it in the order. */
const IS_ASCII = /^[ -~]+$/u;

/** The beginning of the first key, if a term of the filter is a pattern with one. */
export function prefixOf({
  filter,
  orderBy,
}: Pick<PagePlan, 'filter' | 'orderBy'>): Prefix | undefined {
  const [first] = orderBy;
  for (const term of termsOf(filter)) {
    if (term.kind !== 'like' || term.field !== first?.field) continue;
    const { match } = term.field;
    const [part] = term.pattern.parts;
    if (match?.kind !== 'column' || part?.kind !== 'literal' || !IS_ASCII.test(part.text)) continue;
    const { ordered, folded, isVariant } = match;
    if (ordered && isVariant) return { text: part.text, ordered, folded, isVariant };
  }
  return undefined;
}

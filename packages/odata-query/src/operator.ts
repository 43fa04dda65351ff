import type { ValueType } from './field-spec.ts';

type EqualityOperator = 'eq' | 'ne';
export type OrderOperator = 'gt' | 'ge' | 'lt' | 'le';
export type CompareOperator = EqualityOperator | OrderOperator;
type ListOperator = 'in' | 'notin';
/** The operators between a field and its value (docs/spec/query-language.md 5.1, 5.2). */
export type Operator = CompareOperator | ListOperator | 'like';

/** All operators, in the order in which messages name them. */
export const OPERATORS: readonly Operator[] = Object.freeze([
  'eq',
  'ne',
  'gt',
  'ge',
  'lt',
  'le',
  'like',
  'in',
  'notin',
]);

/** Whether the operator needs values that have an order. */
export function isOrderOperator(operator: Operator): operator is OrderOperator {
  return operator === 'gt' || operator === 'ge' || operator === 'lt' || operator === 'le';
}

const ORDERED: readonly Operator[] = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'in', 'notin'];

/** The operators of each type of field (docs/spec/query-language.md 5.2). */
export const OPERATORS_BY_TYPE: Readonly<Record<ValueType, readonly Operator[]>> = Object.freeze({
  uuid: ['eq', 'ne', 'in', 'notin'],
  text: ['eq', 'ne', 'like', 'in', 'notin'],
  year: ORDERED,
  integer: ORDERED,
  usd: ORDERED,
  number: ORDERED,
  date: ORDERED,
  instant: ORDERED,
  boolean: ['eq', 'ne'],
  closed: ['eq', 'ne', 'in', 'notin'],
  keywords: ['eq', 'like'],
});

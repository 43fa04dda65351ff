import type { FieldSpec } from '../field-spec.ts';
import type { BoundAnd, BoundFilter, BoundOr } from './bound-filter.ts';

/** All of two or more filters, an `and` among them dissolved. */
export function boundAnd<F extends FieldSpec>(operands: readonly BoundFilter<F>[]): BoundAnd<F> {
  const flat = operands.flatMap((operand) => (operand.kind === 'and' ? operand.operands : operand));
  return Object.freeze({ kind: 'and', operands: Object.freeze(flat) });
}

/** Any of two or more filters, an `or` among them dissolved. */
export function boundOr<F extends FieldSpec>(operands: readonly BoundFilter<F>[]): BoundOr<F> {
  const flat = operands.flatMap((operand) => (operand.kind === 'or' ? operand.operands : operand));
  return Object.freeze({ kind: 'or', operands: Object.freeze(flat) });
}

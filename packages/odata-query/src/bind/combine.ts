import type { FieldSpec } from '../field-spec.ts';
import type { BoundAnd, BoundFilter, BoundOr } from './bound-filter.ts';

/** All of two or more filters, an `and` among them dissolved. */
export function boundAnd<F extends FieldSpec>(operands: readonly BoundFilter<F>[]): BoundAnd<F> {
  return Object.freeze({ kind: 'and', operands: flattened('and', operands) });
}

/** Any of two or more filters, an `or` among them dissolved. */
export function boundOr<F extends FieldSpec>(operands: readonly BoundFilter<F>[]): BoundOr<F> {
  return Object.freeze({ kind: 'or', operands: flattened('or', operands) });
}

function flattened<F extends FieldSpec>(
  kind: 'and' | 'or',
  operands: readonly BoundFilter<F>[],
): readonly BoundFilter<F>[] {
  const isFlat = operands.every((operand) => operand.kind !== kind);
  if (isFlat) return Object.freeze([...operands]);
  return Object.freeze(
    operands.flatMap((operand) => (operand.kind === kind ? operand.operands : operand)),
  );
}

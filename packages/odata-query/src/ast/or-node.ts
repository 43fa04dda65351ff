import type { FilterNode } from './filter-node.ts';

/** Two operands or more, none of them an `or` itself: parentheses around one are dissolved. */
export interface OrNode {
  readonly kind: 'or';
  readonly operands: readonly FilterNode[];
  readonly position: number;
}

export const orNode = (operands: readonly FilterNode[], position: number): OrNode => {
  const isFlat = operands.every((operand) => operand.kind !== 'or');
  const flat = isFlat
    ? operands
    : operands.flatMap((operand) => (operand.kind === 'or' ? operand.operands : operand));
  return Object.freeze({ kind: 'or', operands: Object.freeze(flat), position });
};

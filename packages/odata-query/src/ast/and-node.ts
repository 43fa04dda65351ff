import type { FilterNode } from './filter-node.ts';

/** Two operands or more, none of them an `and` itself: parentheses around one are dissolved. */
export interface AndNode {
  readonly kind: 'and';
  readonly operands: readonly FilterNode[];
  readonly position: number;
}

export const andNode = (operands: readonly FilterNode[], position: number): AndNode => {
  const isFlat = operands.every((operand) => operand.kind !== 'and');
  const flat = isFlat
    ? operands
    : operands.flatMap((operand) => (operand.kind === 'and' ? operand.operands : operand));
  return Object.freeze({ kind: 'and', operands: Object.freeze(flat), position });
};

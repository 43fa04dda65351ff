import type { FilterNode } from './filter-node.ts';

/** `not (Founded ge 2010)` */
export interface NotNode {
  readonly kind: 'not';
  readonly operand: FilterNode;
  readonly position: number;
}

export const notNode = (operand: FilterNode, position: number): NotNode =>
  Object.freeze({ kind: 'not', operand, position });

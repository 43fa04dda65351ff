import type { CompareOperator } from '../operator.ts';
import type { Literal } from './literal.ts';

/** `Founded ge 2010` */
export interface CompareNode {
  readonly kind: 'compare';
  readonly field: string;
  readonly operator: CompareOperator;
  readonly value: Literal;
  readonly position: number;
  readonly operatorPosition: number;
}

export const compareNode = (
  field: string,
  operator: CompareOperator,
  value: Literal,
  position: number,
  operatorPosition: number,
): CompareNode =>
  Object.freeze({ kind: 'compare', field, operator, value, position, operatorPosition });

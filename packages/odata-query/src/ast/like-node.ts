import type { Literal } from './literal.ts';

/** `Name like 'acme%'`; the pattern is always a string literal. */
export interface LikeNode {
  readonly kind: 'like';
  readonly field: string;
  readonly pattern: Literal;
  readonly position: number;
  readonly operatorPosition: number;
}

export const likeNode = (
  field: string,
  pattern: Literal,
  position: number,
  operatorPosition: number,
): LikeNode => Object.freeze({ kind: 'like', field, pattern, position, operatorPosition });

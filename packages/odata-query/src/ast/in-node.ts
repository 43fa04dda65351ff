import type { Literal } from './literal.ts';

/** `Tag in ('a','b')`, negated `Tag notin ('a','b')`; the list may be empty. */
export interface InNode {
  readonly kind: 'in';
  readonly field: string;
  readonly negated: boolean;
  readonly values: readonly Literal[];
  readonly position: number;
  readonly operatorPosition: number;
}

export const inNode = (
  field: string,
  negated: boolean,
  values: readonly Literal[],
  position: number,
  operatorPosition: number,
): InNode =>
  Object.freeze({
    kind: 'in',
    field,
    negated,
    values: Object.freeze(values),
    position,
    operatorPosition,
  });

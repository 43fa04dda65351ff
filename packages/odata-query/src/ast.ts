import type { CompareOperator } from './operator.ts';

export type LiteralType = 'string' | 'number' | 'date' | 'instant' | 'uuid' | 'boolean' | 'null';

/** A value as the caller wrote it; what it means depends on the field it is compared with. */
export interface Literal {
  readonly kind: 'literal';
  readonly type: LiteralType;
  /** Of a string its characters, quotes undoubled; of all else the text as written. */
  readonly text: string;
  readonly position: number;
}

/** Where a comparison stands: its field, and its operator. */
export interface TermPosition {
  readonly field: string;
  readonly position: number;
  readonly operatorPosition: number;
}

/** `Founded ge 2010` */
export interface CompareNode extends TermPosition {
  readonly kind: 'compare';
  readonly operator: CompareOperator;
  readonly value: Literal;
}

/** `Tag in ('a','b')`, negated `Tag notin ('a','b')`; the list may be empty. */
export interface InNode extends TermPosition {
  readonly kind: 'in';
  readonly negated: boolean;
  readonly values: readonly Literal[];
}

/** `Name like 'acme%'`; the pattern is always a string literal. */
export interface LikeNode extends TermPosition {
  readonly kind: 'like';
  readonly pattern: Literal;
}

/** `not (Founded ge 2010)` */
interface NotNode {
  readonly kind: 'not';
  readonly operand: FilterNode;
  readonly position: number;
}

/** Two operands or more, none of its own kind: parentheses around one are dissolved. */
interface GroupNode {
  readonly kind: 'and' | 'or';
  readonly operands: readonly FilterNode[];
  readonly position: number;
}

/** One comparison: the leaves of a filter. */
export type TermNode = CompareNode | InNode | LikeNode;

/** A parsed filter: frozen, with positions, knowing nothing of any resource. */
export type FilterNode = GroupNode | NotNode | TermNode;

export function literal(type: LiteralType, text: string, position: number): Literal {
  return Object.freeze({ kind: 'literal', type, text, position });
}

export function groupNode(
  kind: GroupNode['kind'],
  operands: readonly FilterNode[],
  position: number,
): GroupNode {
  return Object.freeze({ kind, operands: flattened(kind, operands), position });
}

/** The operands of a group, frozen; groups of the same kind among them are dissolved. */
export function flattened<
  Node extends { readonly kind: string; readonly operands?: readonly Node[] },
>(kind: Node['kind'], operands: readonly Node[]): readonly Node[] {
  return Object.freeze(
    operands.flatMap((operand) => (operand.kind === kind ? (operand.operands ?? []) : operand)),
  );
}

import { flattened } from '../ast.ts';
import type { FieldSpec } from '../field-spec.ts';
import type { CompareOperator } from '../operator.ts';
import type { LikePattern } from './like-pattern.ts';

/**
 * A value of the field's own type:
 * - uuid: lower-case text; text: as written; closed: the value of its list
 * - year, integer, usd: a whole number within the column's range; number: a finite double
 * - date: `YYYY-MM-DD`, a day of the calendar from year 1 to 9999
 * - instant: `YYYY-MM-DDTHH:MM:SS[.ffffff]Z`, in UTC, to the microsecond
 */
export type BoundValue = string | number | boolean;

/** All of them, or any; two or more, none of its own kind. */
interface BoundGroup<F extends FieldSpec> {
  readonly kind: 'and' | 'or';
  readonly operands: readonly BoundFilter<F>[];
}

/** Every row its operand leaves out, rows with null included (two-valued logic). */
interface BoundNot<F extends FieldSpec> {
  readonly kind: 'not';
  readonly operand: BoundFilter<F>;
}

/**
 * A comparison. `null` comes with eq and ne only; on a multi-valued field `eq null` means "has no
 * value". A row whose field is null satisfies `ne` of every value, never an order operator.
 */
export interface BoundCompare<F extends FieldSpec> {
  readonly kind: 'compare';
  readonly field: F;
  readonly operator: CompareOperator;
  readonly value: BoundValue | null;
}

/**
 * Membership. Values differ from each other and are never null. An empty list is legal: nothing
 * is in it, everything is not in it. A row whose field is null is in no list.
 */
export interface BoundIn<F extends FieldSpec> {
  readonly kind: 'in';
  readonly field: F;
  readonly values: readonly BoundValue[];
  readonly negated: boolean;
}

/** A pattern match without regard to case and accents; null matches none. */
interface BoundLike<F extends FieldSpec> {
  readonly kind: 'like';
  readonly field: F;
  readonly pattern: LikePattern;
}

/** A full-text search, the text read as a web search: words, "phrases", -not. */
export interface BoundKeywords<F extends FieldSpec> {
  readonly kind: 'keywords';
  readonly field: F;
  readonly text: string;
}

/** A filter whose every name is resolved and every value typed: nothing in it can be invalid. */
export type BoundFilter<F extends FieldSpec> =
  | BoundGroup<F>
  | BoundNot<F>
  | BoundCompare<F>
  | BoundIn<F>
  | BoundLike<F>
  | BoundKeywords<F>;

/** All or any of two or more filters; groups of the same kind among them are dissolved. */
export function boundGroup<F extends FieldSpec>(
  kind: BoundGroup<F>['kind'],
  operands: readonly BoundFilter<F>[],
): BoundGroup<F> {
  return Object.freeze({ kind, operands: flattened<BoundFilter<F>>(kind, operands) });
}

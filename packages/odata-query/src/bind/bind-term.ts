import type { CompareNode, InNode, LikeNode, Literal, TermNode } from '../ast.ts';
import { BOUNDS } from '../bounds.ts';
import { suggestable } from '../echo.ts';
import type { FieldSpec, FieldTable } from '../field-spec.ts';
import { isOrderOperator, type Operator } from '../operator.ts';
import { QueryError } from '../query-error.ts';
import { resolveFilterable } from '../resolve-field.ts';
import { hinted } from '../suggest/repair-operand.ts';
import { type FilterContext, repairedOperator, repairedValue } from '../suggest/repair-term.ts';
import { assertLength, bindValue, readKeywords, readText, wrongValue } from './bind-value.ts';
import {
  type BoundCompare,
  type BoundFilter,
  type BoundIn,
  type BoundValue,
  boundGroup,
} from './bound-filter.ts';
import { checkOperator, operatorNotSupported } from './check-operator.ts';
import { isShortPattern, parseLikePattern, ShortPatterns } from './like-pattern.ts';

/** Context that all terms of one filter share. */
export interface BindContext extends FilterContext {
  readonly shortPatterns: ShortPatterns;
}

/** An asterisk, and one of this language's own wildcards, that no backslash escapes. */
const WILDCARD_OF_OTHERS = /(?<!\\)\*/;
const OWN_WILDCARD = /(?<!\\)[%_]/;

/** Binds one comparison: the field first, then the operator, then the values. */
export function bindTerm<F extends FieldSpec>(
  node: TermNode,
  table: FieldTable<F>,
  context: BindContext,
): BoundFilter<F> {
  const binds = (candidate: F) => canBind(node, candidate);
  const field = resolveFilterable(table, node.field, node.position, binds);
  try {
    return bindTo(node, field, context.shortPatterns);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    throw hinted(
      error.code === 'operator_not_supported'
        ? repairedOperator(error, node, field, context)
        : repairedValue(error, node, field, table, context),
    );
  }
}

function canBind(node: TermNode, field: FieldSpec): boolean {
  try {
    bindTo(node, field, new ShortPatterns());
    return true;
  } catch (error) {
    if (error instanceof QueryError) return false;
    throw error;
  }
}

function bindTo<F extends FieldSpec>(
  node: TermNode,
  field: F,
  shortPatterns: ShortPatterns,
): BoundFilter<F> {
  checkOperator(field, operatorOf(node), node.operatorPosition);
  switch (node.kind) {
    case 'compare':
      return bindCompare(node, field);
    case 'in':
      return bindIn(node, field);
    case 'like':
      return bindLike(node, field, shortPatterns);
  }
}

function operatorOf(node: TermNode): Operator {
  if (node.kind === 'compare') return node.operator;
  if (node.kind === 'like') return 'like';
  return node.negated ? 'notin' : 'in';
}

function bindCompare<F extends FieldSpec>(node: CompareNode, field: F): BoundFilter<F> {
  const { operator, value } = node;
  if (field.type === 'keywords') return keywords(field, value);
  if (value.type !== 'null') return compare(field, operator, bindValue(value, field));
  if (!isOrderOperator(operator)) return compare(field, operator, null);
  const message = `null has no order: compare it with eq or ne, not ${operator}.`;
  throw operatorNotSupported(message, field, operator, node.operatorPosition, ['eq', 'ne']);
}

/**
 * A null in a list is a value like any other (OData's listExpr holds primitive literals):
 * `F in (null,'a')` is `F eq null or F in ('a')`, and notin its opposite.
 */
function bindIn<F extends FieldSpec>(node: InNode, field: F): BoundFilter<F> {
  const values = new Set<BoundValue>();
  let hasNull = false;
  for (const value of node.values) {
    if (value.type === 'null') hasNull = true;
    else values.add(bindValue(value, field));
  }
  const { negated } = node;
  const rest: BoundIn<F> = Object.freeze({
    kind: 'in',
    field,
    values: Object.freeze([...values]),
    negated,
  });
  if (!hasNull) return rest;
  const nullTest = compare(field, negated ? 'ne' : 'eq', null);
  if (values.size === 0) return nullTest;
  return boundGroup<F>(negated ? 'and' : 'or', [nullTest, rest]);
}

function bindLike<F extends FieldSpec>(
  node: LikeNode,
  field: F,
  shortPatterns: ShortPatterns,
): BoundFilter<F> {
  if (field.type === 'keywords') return keywords(field, node.pattern);
  const text = readText(node.pattern, field);
  assertLength(text, BOUNDS.patternCharacters, node.pattern, field);
  if (WILDCARD_OF_OTHERS.test(text) && !OWN_WILDCARD.test(text)) {
    const message = 'The wildcard of like is %; write \\* for an asterisk itself.';
    const suggestion = suggestable(text.replaceAll('*', '%').replaceAll("'", "''"));
    throw wrongValue(field, node.pattern, message, { suggestion });
  }
  const pattern = parseLikePattern(text);
  if (pattern === undefined) {
    const message = 'The pattern ends with a single backslash; write \\\\ for a backslash itself.';
    throw wrongValue(field, node.pattern, message);
  }
  if (isShortPattern(pattern)) shortPatterns.count(field, node.pattern);
  return Object.freeze({ kind: 'like', field, pattern });
}

function keywords<F extends FieldSpec>(field: F, value: Literal): BoundFilter<F> {
  return Object.freeze({ kind: 'keywords', field, text: readKeywords(value, field) });
}

function compare<F extends FieldSpec>(
  field: F,
  operator: CompareNode['operator'],
  value: BoundValue | null,
): BoundCompare<F> {
  return Object.freeze({ kind: 'compare', field, operator, value });
}

import type { FilterNode, TermNode } from '../ast.ts';
import type { FieldSpec, FieldTable } from '../field-spec.ts';
import type { FilterContext } from '../suggest/repair-term.ts';
import { type BindContext, bindTerm } from './bind-term.ts';
import { type BoundFilter, boundGroup } from './bound-filter.ts';
import { ShortPatterns } from './like-pattern.ts';

/**
 * Resolves every name of a filter against a resource's fields and types every value, so that
 * nothing in the answer can be invalid. The answer is frozen and refers to the table's own rows.
 *
 * @param context what suggestions are made of.
 * @throws QueryError `unknown_field`, `field_not_filterable`, `operator_not_supported`,
 * `unknown_value`, `bad_date`, or `bad_filter` for a value of the wrong type or out of range; the
 * position is that of the field, the operator or the value at fault.
 */
export function bindFilter<F extends FieldSpec>(
  node: FilterNode,
  table: FieldTable<F>,
  context: FilterContext = {},
): BoundFilter<F> {
  return bindNode(node, table, { ...context, shortPatterns: new ShortPatterns() });
}

function bindNode<F extends FieldSpec>(
  node: FilterNode,
  table: FieldTable<F>,
  context: BindContext,
): BoundFilter<F> {
  const bind = (operand: FilterNode) => bindNode(operand, table, context);
  switch (node.kind) {
    case 'and':
    case 'or':
      return boundGroup(node.kind, node.operands.map(bind));
    case 'not':
      return Object.freeze({ kind: 'not', operand: bind(node.operand) });
    default:
      return bindTerm(node satisfies TermNode, table, context);
  }
}

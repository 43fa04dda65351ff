import type { FilterNode, Literal } from './ast.ts';

/**
 * The canonical text of a filter: operators in lower case, one space between words, only the
 * parentheses that are needed. `parseFilter(printFilter(node))` is `node` again but for positions.
 */
export function printFilter(node: FilterNode): string {
  switch (node.kind) {
    case 'or':
      return node.operands.map(printFilter).join(' or ');
    case 'and':
      return node.operands.map(printFactor).join(' and ');
    case 'not':
      return `not (${printFilter(node.operand)})`;
    case 'compare':
      return `${node.field} ${node.operator} ${printLiteral(node.value)}`;
    case 'in': {
      const values = node.values.map(printLiteral).join(',');
      return `${node.field} ${node.negated ? 'notin' : 'in'} (${values})`;
    }
    case 'like':
      return `${node.field} like ${printLiteral(node.pattern)}`;
  }
}

function printFactor(node: FilterNode): string {
  return node.kind === 'or' ? `(${printFilter(node)})` : printFilter(node);
}

/** A value as it is written in a filter: strings quoted, their quotes doubled. */
export function printLiteral(value: Literal): string {
  return value.type === 'string' ? `'${value.text.replaceAll("'", "''")}'` : value.text;
}

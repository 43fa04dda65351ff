import type { FilterNode, Literal } from '@vcds/odata-query';

/** A filter tree on one line, such as `(and (eq Name "Milk") (lt Price 2.55))`. */
export function sexpr(node: FilterNode): string {
  switch (node.kind) {
    case 'and':
    case 'or':
      return `(${node.kind} ${node.operands.map(sexpr).join(' ')})`;
    case 'not':
      return `(not ${sexpr(node.operand)})`;
    case 'compare':
      return `(${node.operator} ${node.field} ${atom(node.value)})`;
    case 'in': {
      const values = node.values.map(atom).join(' ');
      return `(${node.negated ? 'notin' : 'in'} ${node.field} [${values}])`;
    }
    case 'like':
      return `(like ${node.field} ${atom(node.pattern)})`;
  }
}

/** A literal: strings in JSON quotes, all else with its type: `date:2012-09-03`. */
export function atom({ type, text }: Literal): string {
  return type === 'string' ? JSON.stringify(text) : `${type}:${text}`;
}

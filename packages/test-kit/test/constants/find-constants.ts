import { type Expression, parseSync, type VariableDeclaration } from '@swc/core';

/** The case of the names of constants. */
export const UPPER_SNAKE = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/;

/** Wrappers of a value that do not change it. */
const WRAPPERS = [
  'ParenthesisExpression',
  'TsAsExpression',
  'TsConstAssertion',
  'TsSatisfiesExpression',
];
const LITERALS = ['StringLiteral', 'NumericLiteral', 'BigIntLiteral', 'RegExpLiteral'];
const ELEMENTS = [...LITERALS, 'BooleanLiteral', 'NullLiteral'];

/**
 * The constants of a module whose names are not in UPPER_SNAKE. A constant is a module-level `const`
 * with a value that its text states in full: a number, text or regular expression, an expression of
 * them and of other constants, or a table of them (array, object, `new Set`, `new Map`, also frozen).
 * Empty arrays, objects, sets and maps are variables: they are filled later.
 */
export function findMisnamed(source: string): string[] {
  const { body } = parseSync(source, { syntax: 'typescript', target: 'es2022' });
  const declarations = body.flatMap((item): VariableDeclaration[] => {
    const declaration = item.type === 'ExportDeclaration' ? item.declaration : item;
    return declaration.type === 'VariableDeclaration' ? [declaration] : [];
  });
  return declarations
    .filter(({ kind, declare }) => kind === 'const' && !declare)
    .flatMap(({ declarations: each }) => each)
    .flatMap(({ id, init }) =>
      id.type === 'Identifier' && init && isConstant(init, false) ? [id.value] : [],
    )
    .filter((name) => !UPPER_SNAKE.test(name));
}

/** @param isPart whether it is a part of another value: only then may it be a flag or be empty. */
function isConstant(value: Expression, isPart: boolean): boolean {
  const isWhole = (part: Expression) => isConstant(part, true);
  if (WRAPPERS.includes(value.type) && 'expression' in value) {
    return isConstant(value.expression as Expression, isPart);
  }
  switch (value.type) {
    case 'TemplateLiteral':
      return value.expressions.every((part) => isWhole(part as Expression));
    case 'UnaryExpression':
      return isWhole(value.argument);
    case 'BinaryExpression':
      return isWhole(value.left) && isWhole(value.right);
    case 'Identifier':
      return isPart && UPPER_SNAKE.test(value.value);
    case 'ArrayExpression':
      return (
        (isPart || value.elements.length > 0) &&
        value.elements.every((element) => element !== undefined && isWhole(element.expression))
      );
    case 'ObjectExpression':
      return (
        (isPart || value.properties.length > 0) &&
        value.properties.every((property) => {
          if (property.type === 'SpreadElement') return isWhole(property.arguments);
          return property.type === 'KeyValueProperty' && isWhole(property.value);
        })
      );
    case 'NewExpression':
      return (
        value.callee.type === 'Identifier' &&
        ['Set', 'Map'].includes(value.callee.value) &&
        value.arguments?.length === 1 &&
        value.arguments.every(({ expression }) => isConstant(expression, false))
      );
    case 'CallExpression':
      return isFreeze(value.callee) && value.arguments.every((each) => isWhole(each.expression));
    default:
      return (isPart ? ELEMENTS : LITERALS).includes(value.type);
  }
}

function isFreeze(callee: { readonly type: string }): boolean {
  return (
    'property' in callee &&
    typeof callee.property === 'object' &&
    callee.property !== null &&
    'value' in callee.property &&
    callee.property.value === 'freeze'
  );
}

// Tests docs/spec/query-language.md 5.1.
import { describe, expect, test } from '@jest/globals';
import { BOUNDS, type FilterNode, parseFilter, printFilter } from '@vcds/odata-query';
import { runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { filterNodes } from './arbitraries.ts';
import { withoutPositions } from './error-of.ts';

describe('a filter is printed in one way', () => {
  test.each([
    ["NAME  eq\t'O''Neil'", "NAME eq 'O''Neil'"],
    ["Tag IN ( 'a' ,\n'b' )", "Tag in ('a','b')"],
    ['Tag NotIn ()', 'Tag notin ()'],
    ['not Founded eq 1', 'not (Founded eq 1)'],
    ['NOT ((Founded eq 1))', 'not (Founded eq 1)'],
    ['((a eq 1 and b eq 2)) or c eq NULL', 'a eq 1 and b eq 2 or c eq null'],
    ['(a eq 1 or b eq 2) and (c eq TRUE)', '(a eq 1 or b eq 2) and c eq true'],
    ['Seen gt 2012-02-29t10:00z', 'Seen gt 2012-02-29t10:00z'],
    ['Share lt 1.50E+01', 'Share lt 1.50E+01'],
  ])('%s', (text, expected) => {
    expect(printFilter(parseFilter(text))).toBe(expected);
  });
});

const termsOf = (node: FilterNode): number => {
  if ('operands' in node) {
    return node.operands.reduce((sum, operand) => sum + termsOf(operand), 0);
  }
  return node.kind === 'not' ? termsOf(node.operand) : 1;
};

test('parse(print(tree)) is the tree again, up to positions, for every tree there can be', () => {
  fc.assert(
    fc.property(filterNodes, (tree) => {
      fc.pre(termsOf(tree) <= BOUNDS.filterTerms);
      const text = printFilter(tree);
      fc.pre(text.length <= BOUNDS.filterCharacters);
      const again = parseFilter(text);
      expect(withoutPositions(again)).toEqual(withoutPositions(tree));
      expect(printFilter(again)).toBe(text);
    }),
    runs(1_000),
  );
});

test('every position of a tree points at what it says', () => {
  const check = (text: string, node: FilterNode): void => {
    if ('operands' in node) {
      for (const operand of node.operands) check(text, operand);
      return;
    }
    if (node.kind === 'not') {
      expect(text.slice(node.position).startsWith('not (')).toBe(true);
      check(text, node.operand);
      return;
    }
    expect(text.slice(node.position).startsWith(node.field)).toBe(true);
    const operator =
      node.kind === 'in'
        ? node.negated
          ? 'notin'
          : 'in'
        : node.kind === 'like'
          ? 'like'
          : node.operator;
    expect(text.slice(node.operatorPosition).startsWith(`${operator} `)).toBe(true);
    const values =
      node.kind === 'in' ? node.values : [node.kind === 'like' ? node.pattern : node.value];
    for (const value of values) {
      const written = value.type === 'string' ? "'" : value.text;
      expect(text.slice(value.position).startsWith(written)).toBe(true);
    }
  };
  fc.assert(
    fc.property(filterNodes, (tree) => {
      const text = printFilter(tree);
      fc.pre(termsOf(tree) <= BOUNDS.filterTerms && text.length <= BOUNDS.filterCharacters);
      check(text, parseFilter(text));
    }),
  );
});

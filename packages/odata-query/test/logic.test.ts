// Tests docs/spec/query-language.md 5.3.
import { describe, expect, test } from '@jest/globals';
import {
  type BoundFilter,
  bindFilter,
  type FieldSpec,
  type FilterNode,
  parseFilter,
  printFilter,
} from '@vcds/odata-query';
import { runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { groupNode } from '../src/ast.ts';
import { filtersOn, rowsOf, termsOn } from './arbitraries.ts';
import { FIELDS, TABLE } from './example-table.ts';
import { evaluate, type Row } from './reference-evaluator.ts';

const bind = (node: FilterNode): BoundFilter<FieldSpec> => bindFilter(node, TABLE);
const holds = (node: FilterNode, row: Row): boolean => evaluate(bind(node), row);
const not = (operand: FilterNode): FilterNode => ({ kind: 'not', operand, position: 0 });
const and = (...operands: FilterNode[]) => groupNode('and', operands, 0);
const or = (...operands: FilterNode[]) => groupNode('or', operands, 0);

// The laws write a filter up to four times; together their short patterns stay within the bound.
const filters = filtersOn(FIELDS).filter((node) => likesOf(node) <= 2);
const rows = rowsOf(FIELDS);
const RUNS = runs(200);

function likesOf(node: FilterNode): number {
  if ('operands' in node) {
    return node.operands.reduce((sum, operand) => sum + likesOf(operand), 0);
  }
  return node.kind === 'not' ? likesOf(node.operand) : Number(node.kind === 'like');
}

/** Asserts that two ways of writing a filter mean the same on every row. */
function equivalent(left: FilterNode, right: FilterNode, row: Row): void {
  expect({ left: printFilter(left), holds: holds(left, row) }).toEqual({
    left: printFilter(left),
    holds: holds(right, row),
  });
}

describe('a filter is true or false of every row, never neither', () => {
  test('not (a and b) is not a or not b, and the other way round', () => {
    fc.assert(
      fc.property(filters, filters, rows, (a, b, row) => {
        equivalent(not(and(a, b)), or(not(a), not(b)), row);
        equivalent(not(or(a, b)), and(not(a), not(b)), row);
      }),
      RUNS,
    );
  });

  test('not not a is a; a or not a always holds, a and not a never', () => {
    fc.assert(
      fc.property(filters, rows, (a, row) => {
        equivalent(not(not(a)), a, row);
        expect(holds(or(a, not(a)), row)).toBe(true);
        expect(holds(and(a, not(a)), row)).toBe(false);
      }),
      RUNS,
    );
  });

  test('and distributes over or', () => {
    fc.assert(
      fc.property(filters, filters, filters, rows, (a, b, c, row) => {
        const spread = or(and(a, b), and(a, c));
        equivalent(and(a, or(b, c)), spread, row);
      }),
      RUNS,
    );
  });

  test('ne is not eq, notin is not in, on single and on multi-valued fields, null or not', () => {
    fc.assert(
      fc.property(termsOn(FIELDS), rows, (term, row) => {
        if (term.kind === 'in') equivalent({ ...term, negated: !term.negated }, not(term), row);
        if (term.kind !== 'compare' || (term.operator !== 'eq' && term.operator !== 'ne')) return;
        if (TABLE.get(term.field)?.type === 'keywords') return;
        const operator = term.operator === 'eq' ? 'ne' : 'eq';
        equivalent({ ...term, operator }, not(term), row);
      }),
      runs(500),
    );
  });

  test('in is an or of eq, notin an and of ne', () => {
    fc.assert(
      fc.property(termsOn(FIELDS), rows, (term, row) => {
        if (term.kind !== 'in' || term.values.length < 2) return;
        const { field, position, operatorPosition, negated } = term;
        const operator = negated ? 'ne' : 'eq';
        const each = term.values.map(
          (value): FilterNode => ({
            kind: 'compare',
            field,
            operator,
            value,
            position,
            operatorPosition,
          }),
        );
        equivalent(term, negated ? and(...each) : or(...each), row);
      }),
      runs(500),
    );
  });
});

describe('null', () => {
  const isTrue = (text: string, row: Row): boolean => holds(parseFilter(text), row);

  test.each([
    ['Founded eq null', true],
    ['Founded ne null', false],
    ['Founded eq 2010', false],
    ['Founded ne 2010', true],
    ['Founded in (2010)', false],
    ['Founded notin (2010)', true],
    ['Founded in (2010,null)', true],
    ['Founded notin (2010,null)', false],
    ['Founded in ()', false],
    ['Founded notin ()', true],
    ['Founded gt 0', false],
    ['Founded le 3000', false],
    ['not (Founded gt 0)', true],
    ["Name like '%'", false],
    ["not (Name like '%')", true],
    ["Tag eq 'ai'", false],
    ["Tag ne 'ai'", true],
    ['Tag eq null', true],
    ["Keywords eq 'ai'", false],
  ])('%s is %s of a row that holds nothing', (text, expected) => {
    expect(isTrue(text, {})).toBe(expected);
  });

  test.each([
    ["Tag eq 'ai'", true],
    ["Tag ne 'ai'", false],
    ["Tag ne 'bio'", true],
    ["Tag in ('bio','ai')", true],
    ["Tag notin ('bio','ai')", false],
    ["Tag like 'F%'", true],
    ['Tag eq null', false],
    ['Tag ne null', true],
    ["Tag eq 'AI'", false],
    ["InvestmentStage eq 'Seed'", true],
    ["InvestmentStage notin (1,'series-b')", true],
  ])('%s is %s of a row with several values', (text, expected) => {
    expect(isTrue(text, { Tag: ['ai', 'fintech'], InvestmentStage: [3, 4] })).toBe(expected);
  });

  test('instants compare by time, not by their text', () => {
    const row = { UpdatedTimeStamp: '2012-02-29T00:00:00.5Z' };
    expect(isTrue('UpdatedTimeStamp gt 2012-02-29', row)).toBe(true);
    expect(isTrue('UpdatedTimeStamp eq 2012-02-29T02:00:00.500+02:00', row)).toBe(true);
    expect(isTrue('UpdatedTimeStamp lt 2012-02-29T00:00:00.500001Z', row)).toBe(true);
  });
});

/** Fields, operators and values: the tables and functions that errors and filters share. */
import { describe, expect, test } from '@jest/globals';
import { type ClosedValue, type FieldSpec, fieldTable, OPERATORS } from '@vcds/odata-query';
import { echo, oneOf, suggestable } from '../src/echo.ts';
import { closedValueOf, operatorsOf, spellingsOf } from '../src/field-spec.ts';
import { isOrderOperator } from '../src/operator.ts';
import { isCalendarDay, isDay, toUtc } from '../src/utc.ts';
import { STAGES } from './example-table.ts';

const text = (more: Partial<FieldSpec> = {}): FieldSpec => ({
  ...{ name: 'Name', type: 'text', filterable: true, sortable: true },
  ...more,
});
const SEED: ClosedValue = { value: 3, name: 'Seed', slug: 'seed', label: 'Seed round' };

test('gt, ge, lt and le need an order', () => {
  expect(OPERATORS.filter(isOrderOperator)).toEqual(['gt', 'ge', 'lt', 'le']);
});

describe('a table of fields', () => {
  test.each<[string, FieldSpec[], string]>([
    ['two fields of a name', [text(), text()], 'The field Name is declared twice.'],
    [
      'a closed field without values',
      [text({ type: 'closed' })],
      'The field Name must list values exactly if it is closed.',
    ],
    [
      'values of a field that is not closed',
      [text({ closed: [SEED] })],
      'The field Name must list values exactly if it is closed.',
    ],
    [
      'a computed field with filters',
      [text({ computed: true, sortable: false })],
      'The computed field Name cannot be filtered or sorted.',
    ],
    [
      'a computed field with an order',
      [text({ computed: true, filterable: false })],
      'The computed field Name cannot be filtered or sorted.',
    ],
    [
      'two values of a spelling',
      [text({ type: 'closed', closed: [SEED, { ...SEED, value: 4, name: 'A', label: 'B' }] })],
      'seed means two values of Name.',
    ],
  ])('rejects %s', (_, fields, message) => {
    expect(() => fieldTable(fields)).toThrow(new TypeError(message));
  });

  test('has a title, and its fields by name', () => {
    const computed = text({ computed: true, filterable: false, sortable: false });
    const table = fieldTable([computed], 'startup');
    expect([table.title, table.get('Name')]).toEqual(['startup', computed]);
  });
});

describe('the operators of a field', () => {
  test.each<[Partial<FieldSpec>, string[]]>([
    [{}, ['eq', 'ne', 'like', 'in', 'notin']],
    [{ operators: ['like', 'gt'] }, ['like']],
    [{ operators: ['in', 'eq'] }, ['eq', 'in']],
    [{ type: 'integer' }, ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'in', 'notin']],
    [{ type: 'integer', many: false }, ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'in', 'notin']],
    [{ type: 'integer', many: true }, ['eq', 'ne', 'in', 'notin']],
    [{ type: 'integer', operators: ['gt', 'eq'] }, ['eq', 'gt']],
    [{ type: 'integer', many: true, operators: ['gt', 'eq'] }, ['eq']],
  ])('of %j are %j', (more, operators) => {
    const field = text(more);
    expect(operatorsOf(field)).toEqual(operators);
    expect(operatorsOf(field)).toBe(operatorsOf(field));
  });
});

test('a closed value has four spellings, and no other', () => {
  expect(spellingsOf(SEED)).toEqual(['Seed round', 'seed', 'Seed', '3']);
  const list = [...STAGES.filter(({ value }) => value !== SEED.value), SEED];
  expect(spellingsOf(SEED).map((spelling) => closedValueOf(list, spelling))).toEqual(
    Array(4).fill(SEED),
  );
  expect(['SEED', '3.0', '03', 'Seed round '].map((each) => closedValueOf(list, each))).toEqual(
    Array(4).fill(undefined),
  );
  expect(closedValueOf(list, 'series-a')?.value).toBe(4);
});

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a or b'],
  [['a', 'b', 'c'], 'a, b or c'],
])('%j in words: %j', (names, words) => {
  expect(oneOf(names)).toBe(words);
});

test.each([
  ['a'.repeat(80), 'a'.repeat(80)],
  ['a'.repeat(81), `${'a'.repeat(80)}…`],
  ['😀'.repeat(80), '😀'.repeat(80)],
  ['😀'.repeat(81), `${'😀'.repeat(80)}…`],
  ['a\u0000b\u2028', 'aU+0000bU+2028'],
])('%j in an error: %j', (written, shown) => {
  expect(echo(written)).toBe(shown);
  expect(suggestable(written)).toBe(written === shown ? written : undefined);
});

describe('the calendar', () => {
  test.each([
    [1, 1, 1, true],
    [0, 1, 1, false],
    [9999, 12, 31, true],
    [10_000, 1, 1, false],
    [2000, 2, 29, true],
    [1900, 2, 29, false],
    [2012, 2, 29, true],
    [2011, 2, 29, false],
    [2012, 2, 30, false],
    [2012, 4, 30, true],
    [2012, 4, 31, false],
    [2012, 1, 0, false],
    [2012, 0, 1, false],
    [2012, 13, 1, false],
  ])('%d-%d-%d: %j', (year, month, day, exists) => {
    expect(isCalendarDay(year, month, day)).toBe(exists);
  });

  test.each([
    ['2012-02-29', true],
    ['2012-02-30', false],
    ['2012-2-29', false],
    ['2012-02-29x', false],
  ])('%j is a day: %j', (written, isOne) => {
    expect(isDay(written)).toBe(isOne);
  });

  test.each([
    ['2012-02-29', '2012-02-29T00:00:00Z'],
    ['2012-02-30', undefined],
    ['2012-02-29T10:00', '2012-02-29T10:00:00Z'],
    ['2012-02-29t10:00:05z', '2012-02-29T10:00:05Z'],
    ['2012-02-29T10:00:05.120Z', '2012-02-29T10:00:05.12Z'],
    ['2012-02-29T10:00:05.000Z', '2012-02-29T10:00:05Z'],
    ['2012-02-29T10:00:05.123456Z', '2012-02-29T10:00:05.123456Z'],
    ['2012-02-29T10:00:05.1234560Z', '2012-02-29T10:00:05.123456Z'],
    ['2012-02-29T10:00:05.1234567Z', undefined],
    ['2012-02-29T23:59:60Z', '2012-03-01T00:00:00Z'],
    ['2012-03-01T00:30+01:00', '2012-02-29T23:30:00Z'],
    ['2012-02-29T23:30-01:00', '2012-03-01T00:30:00Z'],
    ['2012-02-29T10:00+14:00', '2012-02-28T20:00:00Z'],
    ['2012-02-29T10:00+14:01', undefined],
    ['2012-02-29T10:00-14:01', undefined],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    ['0001-01-01T00:00:00+00:01', undefined],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
    ['9999-12-31T23:59:59-00:01', undefined],
    ['2012-02-30T10:00Z', undefined],
    ['x2012-02-29T10:00Z', undefined],
    ['', undefined],
    ['today', undefined],
  ])('%j in UTC: %j', (written, utc) => {
    expect(toUtc(written)).toBe(utc);
  });
});

// Tests docs/spec/query-language.md 5.9, 5.10, 5.12.
import { describe, expect, test } from '@jest/globals';
import {
  bindExpand,
  bindOrderBy,
  bindSelect,
  parseExpand,
  parseOrderBy,
  parseSelect,
} from '@vcds/odata-query';
import fc from 'fast-check';
import { errorOf } from './error-of.ts';
import { FIELDS, TABLE } from './example-table.ts';

const RELATIONS = ['Tags', 'Addresses', 'Funds'] as const;

describe('$orderby', () => {
  test('takes several fields, asc and desc in any case, in the order given', () => {
    const bound = bindOrderBy(parseOrderBy(' Founded DESC ,Name,\tTotalRaised asc'), TABLE);
    expect(bound.map(({ field, descending }) => [field.name, descending])).toEqual([
      ['Founded', true],
      ['Name', false],
      ['TotalRaised', false],
    ]);
    expect(Object.isFrozen(bound) && bound.every(Object.isFrozen)).toBe(true);
  });

  test.each([
    ['', 0, 'Expected a name at the end'],
    ['Name,', 5, 'Expected a name at the end'],
    ['Name,,Founded', 5, 'Expected a name before a comma'],
    [',Name', 0, 'Expected a name before a comma'],
    ['Name down', 5, 'Expected asc, desc or a comma'],
    ['Name de\u017Fc', 5, 'Expected asc, desc or a comma'],
    ['Name asc desc', 9, 'Expected a comma before desc'],
    ['Name,Founded desc,Name desc', 18, 'Duplicate'],
    ['-Name', 0, 'Write desc after the name'],
    ['+Name', 0, 'Ascending is the default'],
    ['Products/$count', 8, 'paths to related records'],
    ['length(Name)', 6, 'functions are not supported'],
    ['*', 0, 'Unexpected character *'],
    ['Name;Founded', 4, 'Unexpected character ;'],
    ["'Name'", 0, "Unexpected character '"],
  ])('%j is bad_parameter at %i', (text, position, says) => {
    const error = errorOf(() => parseOrderBy(text));
    expect(error).toMatchObject({ code: 'bad_parameter', parameter: '$orderby', position });
    expect(error.message).toContain(says);
  });

  test.each([
    ['-Founded', '-Founded', 'Founded desc'],
    ['Name,-Founded', '-Founded', 'Founded desc'],
    ['Name, - Founded', '-', undefined],
    ['Founded descending', 'descending', 'desc'],
    ['Founded Ascending, Name', 'Ascending', 'asc'],
    ['Founded sideways', 'sideways', undefined],
    [`-${'a'.repeat(200)}`, '-', undefined],
  ])('%j: in place of %j, %j is accepted', (text, value, suggestion) => {
    const error = errorOf(() => parseOrderBy(text));
    expect(error).toMatchObject({ code: 'bad_parameter', value, suggestion });
    if (suggestion === undefined) return;
    const written = text.replace(value, suggestion);
    expect(bindOrderBy(parseOrderBy(written), TABLE).length).toBeGreaterThan(0);
  });

  test('a field that cannot be sorted says what it can be', () => {
    expect(errorOf(() => bindOrderBy(parseOrderBy('Name, Tag'), TABLE))).toMatchObject({
      code: 'field_not_filterable',
      parameter: '$orderby',
      field: 'Tag',
      position: 6,
      message: 'Tag can be filtered and selected, but not sorted.',
      allowed: FIELDS.filter(({ sortable }) => sortable).map(({ name }) => name),
    });
    expect(errorOf(() => bindOrderBy(parseOrderBy('AverageRoundAmount'), TABLE))).toMatchObject({
      code: 'field_not_filterable',
      field: 'AverageRoundAmount',
    });
    expect(errorOf(() => bindOrderBy(parseOrderBy('found desc'), TABLE))).toMatchObject({
      code: 'unknown_field',
      field: 'found',
      suggestion: 'Founded',
    });
  });
});

describe('$select', () => {
  const select = (text: string): string[] =>
    bindSelect(parseSelect(text), TABLE).map(({ name }) => name);

  test('names fields once each, in the order of the table, however they were named', () => {
    expect(select('Founded, Name ,Id,Name')).toEqual(['Id', 'Name', 'Founded']);
    expect(select('AverageRoundAmount')).toEqual(['AverageRoundAmount']);
  });

  test('* is every field of a record', () => {
    const all = FIELDS.filter(({ selectable }) => selectable !== false).map(({ name }) => name);
    expect(select('*')).toEqual(all);
    expect(select('Name,*')).toEqual(all);
  });

  test('a filter-only field is no part of a record', () => {
    expect(errorOf(() => select('Name,Keywords'))).toMatchObject({
      code: 'unknown_field',
      parameter: '$select',
      field: 'Keywords',
      position: 5,
      message: 'Keywords can be filtered, but not selected.',
    });
  });

  test('an unknown name comes with the nearest, under the parameter it came in', () => {
    const list = parseSelect('Nmae', 'fields');
    expect(errorOf(() => bindSelect(list, TABLE))).toMatchObject({
      code: 'unknown_field',
      parameter: 'fields',
      suggestion: 'Name',
    });
    expect(errorOf(() => parseSelect('', 'fields'))).toMatchObject({
      code: 'bad_parameter',
      parameter: 'fields',
      position: 0,
    });
  });

  test.each([
    ['Id Name', 3, 'Expected a comma before Name'],
    ['Id,', 3, 'Expected a name at the end'],
    ['Address/Street', 7, 'paths to related records'],
    ['Name($top=1)', 4, 'options in parentheses'],
    ['@Core.Messages', 0, 'annotations are not supported'],
    ['Model.*', 5, 'Unexpected character .'],
    ['**', 1, 'Expected a comma before *'],
  ])('%j is bad_parameter at %i', (text, position, says) => {
    const error = errorOf(() => parseSelect(text));
    expect(error).toMatchObject({ code: 'bad_parameter', position });
    expect(error.message).toContain(says);
  });
});

describe('$expand', () => {
  test('names relations, each once, answered in the order of the resource', () => {
    const bound = bindExpand(parseExpand(' Funds ,Tags'), RELATIONS);
    expect(bound).toEqual(['Tags', 'Funds']);
    expect(Object.isFrozen(bound)).toBe(true);
  });

  test.each([
    ['Tags,Tags', 5, 'Duplicate'],
    ['Items($levels=2)', 5, 'Options in parentheses'],
    ['Items($skip=-1)', 5, 'Options in parentheses'],
    ['Items($skip=1000000000)', 5, 'Options in parentheses'],
    ['Items($top=0)', 5, 'Options in parentheses'],
    ['Items($top=101)', 5, '$top of 1 to 100'],
    ['Items($top=1,$skip=1)', 5, 'Options in parentheses'],
    ['Items($top=1;$top=2)', 5, 'Options in parentheses'],
    ['Items($skip=1);', 14, 'Unexpected character ;'],
    ['Items($skip=1)($skip=2)', 14, 'Options in parentheses'],
    ['Items/$ref', 5, 'Paths such as'],
    ['*', 0, 'each one adds to the price'],
    ['', 0, 'Expected a name'],
    ['$value', 0, 'Unexpected character $'],
  ])('%j is bad_parameter at %i', (text, position, says) => {
    const error = errorOf(() => parseExpand(text));
    expect(error).toMatchObject({ code: 'bad_parameter', parameter: '$expand', position });
    expect(error.message).toContain(says);
  });

  test('($skip=n;$top=n) skips and bounds related records', () => {
    const { items } = parseExpand(
      'Tags, Funds($skip=100) ,Items($top=5;$skip=7),A($skip=7;$top=5)',
    );
    expect(items.map(({ name, skip, top }) => [name, skip, top])).toEqual([
      ['Tags', 0, 100],
      ['Funds', 100, 100],
      ['Items', 7, 5],
      ['A', 7, 5],
    ]);
    expect(bindExpand(parseExpand('Funds($skip=100)'), RELATIONS)).toEqual(['Funds']);
  });

  test('an unknown relation comes with the nearest and all there are', () => {
    expect(errorOf(() => bindExpand(parseExpand('Tags,Fund'), RELATIONS))).toMatchObject({
      code: 'unknown_relation',
      parameter: '$expand',
      value: 'Fund',
      position: 5,
      suggestion: 'Funds',
      allowed: [...RELATIONS],
    });
    expect(errorOf(() => bindExpand(parseExpand('constructor', 'expand'), []))).toMatchObject({
      code: 'unknown_relation',
      parameter: 'expand',
      message: "'constructor' cannot be expanded: this resource has no relations.",
    });
  });
});

test('names are read as written, whatever separates them', () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[A-Za-z_]\w{0,5}(\.[A-Za-z_]\w{0,3})?$/), {
    minLength: 1,
    maxLength: 100,
  });
  const separators = fc.constantFrom(',', ' , ', ',\t', '\n,');
  fc.assert(
    fc.property(names, separators, (list, separator) => {
      const text = list.join(separator);
      expect(parseSelect(text).items.map(({ name }) => name)).toEqual(list);
      expect(parseExpand(text).items.map(({ name }) => name)).toEqual(list);
      expect(parseOrderBy(text).map(({ field }) => field)).toEqual(list);
      for (const { name, position } of parseSelect(text).items) {
        expect(text.slice(position).startsWith(name)).toBe(true);
      }
    }),
  );
});

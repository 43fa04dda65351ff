// Tests docs/spec/query-language.md 5.2, 5.4.
import { describe, expect, test } from '@jest/globals';
import {
  type BoundFilter,
  bindFilter,
  type FieldSpec,
  fieldTable,
  OPERATORS,
  operatorsOf,
  parseFilter,
} from '@vcds/odata-query';
import { errorOf } from './error-of.ts';
import { FIELDS, TABLE } from './example-table.ts';

const bind = (text: string): BoundFilter<FieldSpec> => bindFilter(parseFilter(text), TABLE);
const field = (name: string): unknown => expect.objectContaining({ name });

test('a field may replace values by their stored form, in all operators but like', () => {
  const upper = fieldTable([
    {
      name: 'Country',
      type: 'text',
      filterable: true,
      sortable: false,
      canonical: (text: string) => text.toUpperCase(),
    },
  ]);
  const bound = (text: string) => bindFilter(parseFilter(text), upper);
  for (const operator of ['eq', 'ne']) {
    expect(bound(`Country ${operator} 'ab'`)).toMatchObject({ operator, value: 'AB' });
  }
  expect(bound("Country in ('ab','AB','c')")).toMatchObject({ values: ['AB', 'C'] });
  expect(bound("Country notin ('ab')")).toMatchObject({ values: ['AB'], negated: true });
  expect(bound("Country like 'ab%'")).toMatchObject({
    pattern: { parts: [{ kind: 'literal', text: 'ab' }, { kind: 'anyRun' }] },
  });
});

describe('a bound filter', () => {
  test('holds the rows of the table and typed values', () => {
    expect(bind("not (Founded ge 2010 or Tag in ('a','b','a')) and Name like 'x%'")).toEqual({
      kind: 'and',
      operands: [
        {
          kind: 'not',
          operand: {
            kind: 'or',
            operands: [
              { kind: 'compare', field: field('Founded'), operator: 'ge', value: 2010 },
              { kind: 'in', field: field('Tag'), values: ['a', 'b'], negated: false },
            ],
          },
        },
        {
          kind: 'like',
          field: field('Name'),
          pattern: { parts: [{ kind: 'literal', text: 'x' }, { kind: 'anyRun' }] },
        },
      ],
    });
    const bound = bind('Founded eq 2010');
    expect(bound).toHaveProperty('field', TABLE.get('Founded'));
  });

  test('gives back the columns that a resource adds to its fields', () => {
    const extended = fieldTable([
      {
        name: 'Name',
        type: 'text',
        filterable: true,
        sortable: true,
        column: 'fund.name',
      } as const,
    ]);
    const bound = bindFilter(parseFilter("Name ne 'x'"), extended);
    expect(bound.kind === 'compare' && bound.field.column).toBe('fund.name');
  });

  test('is frozen, but for the rows of the table it points to', () => {
    const pending: unknown[] = [bind("not (Founded eq 1 or Tag in ('x',null)) and Name like 'y'")];
    for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
      if (typeof one !== 'object' || one === null || FIELDS.includes(one as FieldSpec)) continue;
      expect(Object.isFrozen(one)).toBe(true);
      pending.push(...Object.values(one));
    }
  });

  test('holds no and within an and, no or within an or', () => {
    expect(bind("Name eq 'x' or Name in (null,'y') or Founded eq 1")).toMatchObject({
      kind: 'or',
      operands: [{ value: 'x' }, { value: null }, { kind: 'in' }, { value: 1 }],
    });
    expect(bind("Name eq 'x' and Name notin (null,'y') and Founded eq 1")).toMatchObject({
      kind: 'and',
      operands: [
        { value: 'x' },
        { operator: 'ne', value: null },
        { kind: 'in', negated: true },
        { value: 1 },
      ],
    });
  });

  test('turns a null of a list into a test of its own', () => {
    expect(bind("Name in ('a',null)")).toMatchObject({
      kind: 'or',
      operands: [
        { operator: 'eq', value: null },
        { values: ['a'], negated: false },
      ],
    });
    expect(bind('Name in (null,null)')).toMatchObject({ operator: 'eq', value: null });
    expect(bind('Name notin (null)')).toMatchObject({ operator: 'ne', value: null });
  });

  test('keeps an empty list', () => {
    expect(bind('Name in ()')).toMatchObject({ kind: 'in', values: [], negated: false });
    expect(bind('Name notin ()')).toMatchObject({ kind: 'in', values: [], negated: true });
  });

  test('searches keywords with eq and like alike', () => {
    const search = { kind: 'keywords', field: field('Keywords'), text: '"deep learning" -toy' };
    expect(bind(`Keywords eq '"deep learning" -toy'`)).toEqual(search);
    expect(bind(`Keywords like '"deep learning" -toy'`)).toEqual(search);
  });
});

describe('names', () => {
  test('are taken as written; the nearest is suggested', () => {
    const error = errorOf(() => bind("Name eq 'x' and Nmae eq 'x'"));
    expect(error).toMatchObject({
      code: 'unknown_field',
      parameter: '$filter',
      field: 'Nmae',
      position: 16,
      suggestion: 'Name',
      message: 'Unknown field "Nmae"; did you mean Name?',
    });
    expect(error.allowed).toEqual(
      FIELDS.filter(({ filterable }) => filterable).map(({ name }) => name),
    );
    expect(errorOf(() => bind("name eq 'x'")).suggestion).toBe('Name');
    expect(errorOf(() => bind('total_raised gt 1')).suggestion).toBe('TotalRaised');
    expect(errorOf(() => bind('Raised gt 1')).suggestion).toBe('TotalRaised');
    expect(errorOf(() => bind('Zzz gt 1')).suggestion).toBeUndefined();
  });

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'get', 'size'])(
    '%s is an unknown field like any other',
    (name) => {
      expect(errorOf(() => bind(`${name} eq 1`))).toMatchObject({
        code: 'unknown_field',
        field: name,
      });
    },
  );

  test('a field that cannot be filtered says what it can be', () => {
    expect(errorOf(() => bind('AverageRoundAmount gt 1'))).toMatchObject({
      code: 'field_not_filterable',
      field: 'AverageRoundAmount',
      position: 0,
      message:
        'AverageRoundAmount is computed after the rows are read: it can be selected, but not' +
        ' filtered or sorted.',
    });
    expect(errorOf(() => bind("Description like 'x'"))).toMatchObject({
      code: 'field_not_filterable',
      message: 'Description can be selected, but not filtered.',
    });
  });

  test('a field that can be used for nothing is rejected in a full sentence too', () => {
    const hidden = { name: 'Hidden', type: 'text', filterable: false, sortable: false } as const;
    const table = fieldTable([{ ...hidden, selectable: false }]);
    const error = errorOf(() => bindFilter(parseFilter("Hidden eq 'x'"), table));
    expect(error.message).toBe('Hidden cannot be filtered.');
  });

  test('at most 50 names are listed', () => {
    const many = Array.from({ length: 80 }, (_, index) => ({
      name: `F${index}`,
      type: 'text' as const,
      filterable: true,
      sortable: true,
    }));
    const error = errorOf(() => bindFilter(parseFilter("G eq 'x'"), fieldTable(many)));
    expect(error.allowed).toHaveLength(50);
  });
});

describe('operators', () => {
  const operand = { in: '()', notin: '()', like: "'x'" } as Record<string, string | undefined>;

  for (const one of FIELDS.filter(({ filterable }) => filterable)) {
    const allowed = operatorsOf(one);
    for (const operator of OPERATORS.filter((name) => !allowed.includes(name))) {
      test(`${one.name} ${operator} is rejected, naming field, operator and those allowed`, () => {
        const text = `${one.name} ${operator} ${operand[operator] ?? 'null'}`;
        expect(errorOf(() => bind(text))).toMatchObject({
          code: 'operator_not_supported',
          parameter: '$filter',
          field: one.name,
          operator,
          position: one.name.length + 1,
          allowed,
        });
      });
    }
  }

  test.each([
    ['Id', 'eq ne in notin'],
    ['Name', 'eq ne like in notin'],
    ['Title', 'like'],
    ['Founded', 'eq ne gt ge lt le in notin'],
    ['MembersCount', 'eq ne gt ge lt le in notin'],
    ['TotalRaised', 'eq ne gt ge lt le in notin'],
    ['Share', 'eq ne gt ge lt le in notin'],
    ['Date', 'eq ne gt ge lt le in notin'],
    ['UpdatedTimeStamp', 'eq ne gt ge lt le in notin'],
    ['Confirmed', 'eq ne'],
    ['Tag', 'eq ne like in notin'],
    ['Quarter', 'eq ne in notin'],
    ['PrimarySource', 'eq ne in notin'],
    ['Investor', 'eq ne in notin'],
    ['Keywords', 'eq like'],
  ])('%s takes %s', (name, operators) => {
    const spec = TABLE.get(name);
    expect(spec && operatorsOf(spec).join(' ')).toBe(operators);
  });

  test('null has no order', () => {
    expect(bind('Founded eq null')).toMatchObject({ operator: 'eq', value: null });
    expect(bind('Tag ne null')).toMatchObject({ operator: 'ne', value: null });
    for (const operator of ['gt', 'ge', 'lt', 'le']) {
      expect(errorOf(() => bind(`Founded ${operator} null`))).toMatchObject({
        code: 'operator_not_supported',
        operator,
        position: 8,
        allowed: ['eq', 'ne'],
      });
    }
  });
});

describe('a field table', () => {
  const spec = (more: Partial<FieldSpec>): FieldSpec => ({
    name: 'A',
    type: 'text',
    filterable: true,
    sortable: true,
    ...more,
  });
  const seed = { value: 1, name: 'Seed', slug: 'seed', label: 'Seed' };

  test.each([
    ['a name declared twice', [spec({}), spec({})]],
    ['a closed field without values', [spec({ type: 'closed' })]],
    ['values of a field that is not closed', [spec({ closed: [seed] })]],
    ['a computed field that can be filtered', [spec({ computed: true })]],
    [
      'one spelling for two values',
      [spec({ type: 'closed', closed: [seed, { ...seed, value: 2, name: 'Late', slug: 'late' }] })],
    ],
  ])('rejects %s when it is made', (_, fields) => {
    expect(() => fieldTable(fields)).toThrow(TypeError);
  });
});

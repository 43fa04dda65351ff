import { describe, expect, test } from '@jest/globals';
import { LineError } from '../src/errors/line-error.ts';
import { ExpressionCompiler } from '../src/mapping/expression.ts';
import type { Expression } from '../src/mapping/mapping.ts';
import { checkMapping } from '../src/mapping/mapping-set.ts';
import { namedRow } from '../src/mapping/row.ts';
import { mapped, startup } from './mapping-support.ts';

describe('expressions', () => {
  const value = async (expression: unknown, row: Readonly<Record<string, string>>, more = {}) => {
    const { mappings } = checkMapping('test.json', {
      ...{ source: 'test', format: 'csv', ...startup({ Name: 'n' }), ...more },
    });
    const given = { row: namedRow(row), field: 'Description', note: () => undefined };
    try {
      const compiled = new ExpressionCompiler(mappings[0]).compile(expression as Expression);
      return compiled.evaluate({ ...given, currency: null });
    } catch (error) {
      return error instanceof LineError ? error.message : Promise.reject(error);
    }
  };

  test.each<[unknown, Readonly<Record<string, string>>, unknown]>([
    ['{a} of {b}', { a: ' x ', b: 'y' }, 'x of y'],
    ['{a} of {b}', { a: 'x', b: ' ' }, null],
    ['constant', { a: 'x' }, 'constant'],
    ['{{{a}}}', { a: 'x' }, '{x}'],
    [null, { a: 'x' }, null],
    [['{a}', '{b}', 'c'], { a: 'x', b: '' }, ['x', 'c']],
    [{ first: ['{a}', '{b}'] }, { a: '', b: 'y' }, 'y'],
    [{ first: ['{a}'] }, { a: '' }, null],
    [{ join: ['{a}', '{b}', '{c}'] }, { a: 'x', b: '', c: 'z' }, 'x z'],
    [{ join: ['{a}', '{b}'], with: '-' }, { a: '', b: '' }, null],
    [{ object: { City: '{a}', Country: '{b}' } }, { a: 'x', b: '' }, { City: 'x' }],
    [{ object: { City: '{a}' } }, { a: '' }, null],
    [{ ref: { key: '{a}', type: 'fund' } }, { a: 'x' }, { key: 'x', type: 'fund' }],
    [{ ref: { key: ['{a}', '{b}'] } }, { a: 'x|y', b: '' }, { key: 'x\\|y|' }],
    [{ ref: { key: ['{a}', '{b}'], type: 'fund' } }, { a: '', b: '' }, null],
    [{ column: 'a', nulls: ['0'] }, { a: '0' }, null],
    [{ column: 'a', match: '(\\d+)$' }, { a: 'no. 12' }, '12'],
    [{ column: 'a', match: 'x' }, { a: 'y' }, 'Description "y" cannot be read as value'],
    [{ column: 'a', separator: ',' }, { a: 'x, y,,z ' }, ['x', 'y', 'z']],
    [{ column: 'a', table: { x: 'X', y: ['Y', 'Z'], z: null } }, { a: 'x' }, 'X'],
    [
      { column: 'a', separator: '/', table: { x: 'X', y: ['Y', 'Z'], z: null } },
      { a: 'z/y/x' },
      ['Y', 'Z', 'X'],
    ],
    [{ column: 'a', table: {} }, { a: 'x' }, 'Description "x" is not in the table'],
    [{ column: 'a', table: {}, otherwise: 'keep' }, { a: 'x' }, 'x'],
    [{ column: 'a', table: {}, otherwise: 'null' }, { a: 'x' }, null],
    [{ column: 'a', table: { constructor: 'c' } }, { a: 'constructor' }, 'c'],
    [
      { column: 'a', table: {} },
      { a: 'constructor' },
      'Description "constructor" is not in the table',
    ],
    [{ column: 'a', read: 'number' }, { a: '1e3' }, 1000],
    [{ column: 'a', read: 'number' }, { a: 'x' }, 'Description "x" cannot be read as number'],
    [{ column: 'a', read: 'number', unreadable: 'null' }, { a: 'x' }, null],
    [{ column: 'a', read: 'money' }, { a: '$2B' }, 2e9],
    [{ column: 'a', read: 'boolean' }, { a: 'Yes' }, true],
    [
      { column: 'a', read: 'boolean' },
      { a: 'maybe' },
      'Description "maybe" cannot be read as boolean',
    ],
    [
      { column: 'a', read: 'date' },
      { a: '2024-02-30' },
      'Description "2024-02-30" cannot be read as date',
    ],
    [
      { column: 'a', read: 'date', formats: ['M/D/YY', 'ISO'], yearMax: 2013 },
      { a: '5/30/07' },
      '2007-05-30',
    ],
    [
      { column: 'a', read: 'instant', formats: ['M/D/YY H:mm'], yearMax: 2013 },
      { a: '5/31/14 22:19' },
      '1914-05-31T22:19:00.000Z',
    ],
    [{ column: 'a', as: 'United States' }, { a: 'CA' }, 'United States'],
    [{ column: 'a', as: 'United States' }, { a: '' }, null],
    [{ template: '{a}0', read: 'number' }, { a: '5' }, 50],
    [{ column: 'a', read: 'year', formats: ['D-MMM-YY'], yearMax: 2013 }, { a: '5-May-07' }, 2007],
    [{ column: 'a', read: 'year' }, { a: '2012-10-03' }, 2012],
    [{ column: 'a', read: 'year' }, { a: 'soon' }, 'Description "soon" cannot be read as year'],
    [
      { column: 'a', read: 'number' },
      { a: '1e400' },
      'Description "1e400" cannot be read as number',
    ],
    [
      { column: 'a', read: 'money' },
      { a: '€1.234' },
      'Description "€1.234" cannot be read as money: it is ambiguous, €1,234 or €1.234; ' +
        'state the decimal mark in the mapping ("decimal": "." or ",")',
    ],
    [{ column: 'a', read: 'money', decimal: '.' }, { a: '$1.234' }, 1.234],
    [{ column: 'a', read: 'money', decimal: ',' }, { a: '1.234' }, 1234],
    [{ column: 'a', read: 'money', decimal: ',' }, { a: '1.234.567,89' }, 1234567.89],
    [{ column: 'a', read: 'money' }, { a: '$1.234M' }, 1_234_000],
    [
      { column: 'a', read: 'money' },
      { a: '1.234.567,89' },
      'Description "1.234.567,89" cannot be read as money; set "decimal": "," to read it',
    ],
  ])('%j of %j is %j', async (expression, row, expected) => {
    expect(await value(expression, row)).toEqual(expected);
  });

  test('read addresses by the first pattern that fits', async () => {
    const tables = { places: { UK: 'United Kingdom' }, states: { CA: 'California' } };
    const address = {
      column: 'a',
      read: 'address',
      partTables: { Country: 'places' },
      patterns: [
        {
          pattern: '^(?<City>[^,]+), (?<Region>CA|NY)$',
          parts: { Country: 'US' },
          partTables: { Region: 'states' },
        },
        { pattern: '^(?<City>[^,]+), (?<Country>[^,]+)$' },
      ],
    };
    expect(await value(address, { a: 'Oakland, CA' }, { tables })).toEqual({
      City: 'Oakland',
      Region: 'California',
      Country: 'US',
    });
    expect(await value(address, { a: 'London, UK' }, { tables })).toEqual({
      City: 'London',
      Country: 'United Kingdom',
    });
    expect(await value(address, { a: 'x' }, { tables })).toBe(
      'Description "x" cannot be read as address',
    );
  });

  test('take mangled and unknown cells for unknown, and note the mangled ones', async () => {
    const mapping = {
      ...startup({
        Name: 'n',
        Description: '{name}',
        Founded: { column: 'year', read: 'number', unreadable: 'null' },
      }),
      nulls: ['\\N'],
      mangled: ['^#+$'],
    };
    const items = await mapped(mapping, 'id,name,year\n1,\\N,####\n2,x,y\n');
    expect(items).toMatchObject([
      {
        line: { Description: null, Founded: null },
        notes: [{ field: 'Founded', kind: 'repaired', was: '####' }],
      },
      {
        line: { Description: 'x', Founded: null },
        notes: [{ field: 'Founded', done: 'no number', was: 'y' }],
      },
    ]);
  });

  test('repair text that was decoded with a wrong encoding, only if configured', async () => {
    const repairs = [{ written: 'utf8', readAs: 'macroman', columns: ['name'] }];
    const items = await mapped(
      { ...startup({ Name: '{name}', Description: '{other}' }), repairs },
      'id,name,other\n1,P√©rez,P√©rez\n',
    );
    expect(items).toMatchObject([
      {
        line: { Name: 'Pérez', Description: 'P√©rez' },
        notes: [{ field: 'Name', kind: 'normalised', done: 'encoding corrected' }],
      },
    ]);
  });
});

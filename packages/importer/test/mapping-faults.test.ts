import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { openedPerSuite } from '@vcds/test-kit';
import { checkMapping } from '../src/mapping/mapping-set.ts';
import { mapped, startup } from './mapping-support.ts';
import { nonZero, openImportFixture, startupCount } from './support.ts';

const NAME = { column: 'name' };

/** The faults of a mapping, one a line; those of its shape come before all others. */
function faultsOf(mapping: object): string[] {
  try {
    checkMapping('m.json', { source: 's', format: 'csv', ...mapping });
  } catch (error) {
    const [first = '', ...faults] = (error as Error).message.split('\n');
    expect(first).toMatch(/^The mapping m\.json has (?:an error|\d+ errors):$/u);
    return faults.map((fault) => fault.trim());
  }
  return [];
}

describe('a mapping is rejected before anything is read', () => {
  test('with every fault of its shape named once, with its place', () => {
    expect(
      faultsOf({
        source: undefined,
        format: 'xml',
        mangled: ['('],
        tables: { a: { x: { y: 1 } } },
        records: [
          {
            type: 'startup',
            feilds: {},
            key: { colunm: 'a' },
            fields: {
              Name: { column: 'a', template: 'b' },
              City: {},
              Tags: { column: 'a', raed: 'text' },
              Founded: { column: 'a', read: 'jear' },
              'A/B': [[{ column: 5 }]],
            },
          },
        ],
      }).sort(),
    ).toEqual(
      [
        '/: the member "source" is missing',
        '/format: must be one of csv, jsonl, not "xml"',
        '/mangled/0: error parsing regexp: missing closing ): `(`',
        '/records/0/feilds: unknown member; did you mean "fields"?',
        '/records/0/fields/A~1B/0/0/column: must be string, not 5',
        '/records/0/fields/City: needs exactly one of column, template, first, join, object, ref',
        '/records/0/fields/Founded/read: must be one of text, number, money, currency, date, year, instant, ' +
          'boolean, address, not "jear"',
        '/records/0/fields/Name: needs exactly one of column, template, first, join, object, ref',
        '/records/0/fields/Tags/raed: unknown member; did you mean "read"?',
        '/records/0/key/colunm: unknown member; did you mean "column"?',
        '/tables/a/x: must be string or number or boolean or null or array, not {"y":1}',
      ].sort(),
    );
    expect(faultsOf({ records: [] })).toEqual(['/records: must NOT have fewer than 1 items']);
  });

  test('with an observation without a date or a page', () => {
    const fields = {
      Company: { ref: { type: 'startup', key: '{id}' } },
      Kind: 'site',
      State: 'alive',
    };
    expect(faultsOf({ records: [{ type: 'observation', fields }] })).toEqual([
      '/records/0: lines of type observation need "occurredAt"',
      '/records/0/fields: the field Url of observation is missing',
    ]);
  });

  const dated = (format: string) =>
    startup({ Name: NAME, Founded: { column: 'f', read: 'year', formats: [format] } });
  const date = '/records/0/fields/Founded/formats/0:';
  const tokens =
    '(tokens: YYYY YY MMM MM M DD D HH H hh h mm ss a ISO unix excel excel1904 quarter half; other letters go in brackets)';
  const of = (field: object) => startup({ Name: NAME, City: field });
  const city = '/records/0/fields/City';
  test.each<[object, string]>([
    [
      of({ template: '{a} {b' }),
      `${city}/template: "{" at character 5 of "{a} {b" is not closed; write {{ for a literal brace`,
    ],
    [
      startup({ Name: '{a}}' }),
      '/records/0/fields/Name: "}" at character 4 has no opening brace; write }} for a literal brace',
    ],
    [startup({ Name: 'a{ }' }), '/records/0/fields/Name: {} at character 2 is empty'],
    [
      { records: [{ type: 'strtup', key: 'k', fields: {} }] },
      '/records/0/type: unknown type "strtup"; did you mean "startup"?',
    ],
    [
      startup({ Name: NAME, Citty: '{c}' }),
      '/records/0/fields/Citty: unknown field of startup; did you mean "City"?',
    ],
    [startup({}), '/records/0/fields: the field Name of startup is missing'],
    [
      { records: [{ type: 'startup', fields: { Name: NAME } }] },
      '/records/0: a startup needs "key"',
    ],
    [
      startup({ Name: NAME, Founded: 'long ago' }),
      '/records/0/fields/Founded: Founded must be a whole number or null, not "long ago"',
    ],
    [of({ column: 'c', table: 'cuontries' }), `${city}/table: there is no table "cuontries"`],
    [dated('dd.MM.yyyy'), `${date} unknown date token "dd"; did you mean DD? ${tokens}`],
    [dated('D MMMM YYYY'), `${date} unknown date token "MMMM"; did you mean MMM? ${tokens}`],
    [dated('DD/D/YYYY'), `${date} "DD/D/YYYY" has two tokens for the day`],
    [dated('D-MMM'), `${date} "D-MMM" has no year (YYYY or YY)`],
    [
      { ...startup({ Name: NAME }), encoding: 'klingon' },
      '/encoding: there is no encoding "klingon"',
    ],
    [of({ column: 'c', otherwise: 'keep' }), `${city}/otherwise: has no effect without "table"`],
    [
      startup({
        Name: NAME,
        Addresses: [{ column: 'a', read: 'address', patterns: [{ pattern: '(?<Town>.*)' }] }],
      }),
      '/records/0/fields/Addresses/0/patterns/0/pattern: "Town" is not a part of an address (valid: Street, PostalCode, City, Region, Country)',
    ],
    [of({ column: 'it' }), `${city}/column: "it" is only defined in a record with "each"`],
    [
      {
        records: [
          { type: 'round', key: 'k', fields: { Startup: { ref: { key: '{k}', sourec: 'x' } } } },
        ],
      },
      '/records/0/fields/Startup/ref/sourec: unknown member; did you mean "source"?',
    ],
  ])('%j: %s', (mapping, fault) => {
    expect(faultsOf(mapping)).toEqual([fault]);
  });

  test('of several files, each fault with its place there or in what they share', () => {
    const file = (more: object) => ({ file: 'a.csv', ...startup({ Name: '{n}' }), ...more });
    expect(
      faultsOf({
        encoding: 'klingon',
        joins: {
          j: { file: 'b.csv', key: '{k', value: 'x' },
          k: { file: 'a.csv', key: '{k', value: 'x' },
        },
        files: [file({ encoding: 'martian' }), file({}), file(startup({ Nmae: 'x', Name: 'x' }))],
      }),
    ).toEqual([
      '/files/0/encoding: there is no encoding "martian"',
      '/encoding: there is no encoding "klingon"',
      '/files/2/records/0/fields/Nmae: unknown field of startup; did you mean "Name"?',
      '/joins/j/file: there is no file "b.csv" in "files"',
      '/joins/k/key: "{" at character 1 of "{k" is not closed; write {{ for a literal brace',
    ]);
    expect(faultsOf({ files: [file({}), { file: 'b.csv' }] })).toEqual([
      '/files/1: the member "records" is missing, and no join reads the file',
    ]);
    expect(faultsOf({})).toEqual(['/: needs either "records" or "files"']);
    expect(faultsOf({ files: [file({})], ...startup({ Name: 'x' }) })).toEqual([
      '/: needs either "records" or "files"',
    ]);
  });

  test('for columns that are missing or stand twice, each with its places', async () => {
    const mapping = {
      skip: [{ when: { column: 'kindd', is: ['x'] }, because: 'x' }],
      ...startup({ Name: { first: ['{nmae}', '{old}'] }, City: '{town}' }),
    };
    await expect(mapped(mapping, 'id,name,old,kind,town,town\n')).rejects.toThrow(
      [
        'The mapping test.json has 3 errors:',
        '  /skip/0/when/column: the file has no column "kindd"; did you mean "kind"?',
        '  /records/0/fields/Name/first/0: the file has no column "nmae"; did you mean "name"?',
        '  /records/0/fields/City: the file has two columns "town"',
      ].join('\n'),
    );
    const headless = { ...startup({ Name: '{b}' }), csv: { columns: ['id'] } };
    await expect(mapped(headless, '1\n')).rejects.toThrow(
      '/records/0/fields/Name: the file has no column "b" (valid: id)',
    );
    const lenient = { ...startup({ Name: { first: ['{b}', '{id}'] } }), optional: ['b'] };
    expect(await mapped(lenient, 'id\n1\n')).toMatchObject([{ line: { Name: '1' } }]);
  });

  const jsonl = { format: 'jsonl', ...startup({ Name: '{a.nmae}', City: '{a.city}' }) };
  const rows = (count: number, last: object) =>
    Array.from({ length: count }, (_, id) =>
      JSON.stringify({ id, a: { name: 'x', city: null }, ...(id === count - 1 ? last : {}) }),
    ).join('\n');
  test('for paths that match nothing in the first thousand rows', async () => {
    await expect(mapped(jsonl, rows(3, {}))).rejects.toThrow(
      '/records/0/fields/Name: no row of the first 3 has the column or path "a.nmae"; ' +
        'did you mean "a.name"?',
    );
    await expect(mapped(jsonl, rows(1, {}))).rejects.toThrow(
      'Name: the only row does not have the column or path "a.nmae"; did you mean "a.name"?',
    );
    await expect(mapped(jsonl, rows(1500, { a: { nmae: 'y' } }))).rejects.toThrow(
      'no row of the first 1000 has the column or path "a.nmae"',
    );
    expect(await mapped(jsonl, rows(1000, { a: { nmae: 'y' } }))).toHaveLength(1000);
    expect(await mapped({ ...jsonl, optional: ['a.nmae'] }, rows(2, {}))).toHaveLength(2);
    expect(await mapped(jsonl, '')).toEqual([]);
    const [record] = jsonl.records;
    const when = (column: string) => ({ column, is: ['new'] });
    const kinds = (column: string) => ({ ...jsonl, records: [{ ...record, when: when(column) }] });
    // The paths of a record to which no row belongs are not checked, but its condition is.
    expect(await mapped(kinds('id'), rows(2, {}))).toMatchObject([{ kind: 'skipped' }, {}]);
    await expect(mapped(kinds('kind'), rows(2, {}))).rejects.toThrow(
      '/records/0/when/column: no row of the first 2 has the column or path "kind"',
    );
  });
});

describe('a key that is not unique in its file', () => {
  const fixture = openedPerSuite(openImportFixture);

  const importRows = async (more: object, text: string) => {
    const path = join(fixture.folder, 'rows.csv');
    await writeFile(path, text);
    const mapping = checkMapping('m.json', {
      source: 'keys',
      format: 'csv',
      ...startup({ Name: '{name}' }, more),
    });
    return fixture.importFile(path, { mapping, continueOnRejected: true });
  };

  test('rejects the import if its rows differ, and names the keys', async () => {
    const text =
      'id,name,day\n1,a,2020-01-01\n2,b,2020-01-01\n1,c,2020-01-02\n3,d,\n3,d,\n2,e,2020-01-03\n';
    await expect(importRows({}, text)).rejects.toThrow(
      /\n {2}\/records\/0\/key: the key is not unique in .*rows\.csv, and its rows differ: "1" 2 times, "2" 2 times; use a unique column/u,
    );
    expect(await startupCount(fixture)).toBe(0);
    expect(nonZero((await importRows({ repeats: true }, text)).total)).toEqual({
      read: 6,
      inserted: 3,
      updated: 2,
      duplicate: 1,
    });
  });

  test('is none where rows have dates of their own, only mention, or say the same', async () => {
    const text = 'id,name,day\n7,a,2020-01-01\n7,b,2020-01-02\n';
    expect((await importRows({ occurredAt: { column: 'day' } }, text)).state).toBe('applied');
    expect((await importRows({ op: 'mention' }, text)).state).toBe('applied');
    expect((await importRows({}, 'id,name,day\n8,a,\n8,a,\n')).state).toBe('applied');
  });
});

test('a reference to a line that was rejected in the same import names that line', async () => {
  const fixture = await openImportFixture();
  try {
    const companies = join(fixture.folder, 'companies.ndjson');
    const rounds = join(fixture.folder, 'rounds.csv');
    const startupLine = { type: 'startup', source: 'keys', key: '1', Name: 'x', Founded: 99 };
    await writeFile(companies, `\n${JSON.stringify(startupLine)}\n`);
    await writeFile(rounds, 'id,of\nr,1\n');
    const mapping = checkMapping('m.json', {
      source: 'keys',
      format: 'csv',
      records: [
        {
          type: 'startup',
          when: { known: 5 },
          key: 's{id}',
          fields: { Name: '{of}', Founded: { column: 'of', read: 'number' } },
        },
        { type: 'round', key: '{id}', fields: { Startup: { ref: { key: 's{id}' } } } },
        { type: 'news', key: '{id}', fields: { Title: 't', Startup: { ref: { key: 'gone' } } } },
      ],
    });
    await fixture.importFile(rounds, { mapping });
    expect(
      (await fixture.sideFile('rounds.csv.rejected.ndjson')).map(({ reason }) => reason),
    ).toEqual([
      'Founded must be >= 1000, not 1',
      `Startup {"key":"sr"} is created by line 2 of ${rounds}, which was rejected`,
      'Startup {"key":"gone"} is neither in the database nor in this import',
    ]);
    const round = { type: 'round', source: 'keys', key: 'r', Startup: { key: '1' } };
    await fixture.importLines([round], { files: [companies] });
    expect(await fixture.sideFile('lines.rejected.ndjson')).toMatchObject([
      {
        line: 1,
        reason: `Startup {"key":"1"} is created by line 2 of ${companies}, which was rejected`,
      },
    ]);
  } finally {
    await fixture.close();
  }
});

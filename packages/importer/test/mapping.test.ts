// Tests docs/spec/import.md 14.9.
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { openedPerSuite } from '@vcds/test-kit';
import iconv from 'iconv-lite';
import { checkMapping, loadMapping } from '../src/mapping/mapping-set.ts';
import { mappingSchema } from '../src/mapping/schema-errors.ts';
import { linesOf, mapped, startup } from './mapping-support.ts';
import { openImportFixture, totalsOf } from './support.ts';

const mappings = fileURLToPath(new URL('../../../services/data-api/mappings/', import.meta.url));

describe('the reader of a table', () => {
  test.each([
    ['commas and quotes', {}, 'id,name\n1,"a, ""b""\nc"\n', 'a, "b"\nc'],
    ['a byte order mark and CRLF', {}, '\ufeffid,name\r\n1,x\r\n', 'x'],
    ['bare CR', { csv: { lineEnd: '\r' } }, 'id,name\r1,x\r', 'x'],
    ['tabs', { csv: { delimiter: '\t', quote: null } }, 'id\tname\n1\ta "b"\n', 'a "b"'],
    ['no header', { csv: { columns: ['id', 'name'] } }, '1,x\n', 'x'],
    [
      'backslashes',
      { csv: { escape: '\\' } },
      'id,name\n"1","a \\"b\\" \\\\ c\\\nd"\n',
      'a "b" \\ c\nd',
    ],
    [
      'Mac Roman',
      { encoding: 'macroman' },
      iconv.encode('id,name\n1,Furnésh™\n', 'macroman'),
      'Furnésh™',
    ],
    ['UTF-16', { encoding: 'utf16le' }, iconv.encode('\ufeffid,name\n1,é\n', 'utf16le'), 'é'],
  ])('understands %s', async (_what, more, file, name) => {
    expect(await linesOf({ ...startup({ Name: '{name}' }), ...more }, file)).toEqual([
      { key: '1', Name: name },
    ]);
  });

  test('makes observations of the rows of a monitor', async () => {
    const observed = {
      type: 'observation',
      occurredAt: { column: 'checked', read: 'instant', formats: ['unix'] },
      fields: {
        Company: { ref: { type: 'startup', key: '{id}' } },
        Kind: 'site',
        Url: '{site}',
        State: { column: 'up', table: { yes: 'alive', no: 'dead' } },
      },
    };
    const file = 'id,site,up,checked\n1,acme.example,no,1767236400\n';
    expect(await linesOf({ records: [observed] }, file)).toEqual([
      {
        ...{ occurredAt: '2026-01-01T03:00:00.000Z', Company: { type: 'startup', key: '1' } },
        ...{ Kind: 'site', Url: 'acme.example', State: 'dead' },
      },
    ]);
  });

  test('passes over empty lines', async () => {
    const items = await mapped(startup({ Name: '{name}' }), 'id,name\n\n2,b\n\n');
    expect(items).toMatchObject([{ kind: 'line', location: { line: 3 } }]);
  });

  test.each([
    ['\n', 'at the start of a block', 14],
    ['\r', 'in the middle of one', 3],
  ])('stops at what is not UTF-8 and names the line, with %j, %s', async (lineEnd, _at, more) => {
    const good = `id,name${lineEnd}1,Zoë €𝄞${lineEnd}2,\ufffd${lineEnd}`;
    const bad = Buffer.concat([
      Buffer.from(good + 'x'.repeat(more)),
      Buffer.from(`Café${lineEnd}`, 'latin1'),
    ]);
    await expect(mapped({ ...startup({ Name: '{name}' }), csv: { lineEnd } }, bad)).rejects.toThrow(
      'The file is not UTF-8 on line 4: set "encoding" in the mapping test.json.',
    );
    expect(await linesOf({ ...startup({ Name: '{name}' }), csv: { lineEnd } }, good)).toEqual([
      { key: '1', Name: 'Zoë €𝄞' },
      { key: '2', Name: '\ufffd' },
    ]);
  });

  test('rejects rows of another length and says so', async () => {
    const items = await mapped(startup({ Name: '{name}' }), 'id,name\n1\n2,b,c\n3,d\n');
    expect(items).toMatchObject([
      {
        kind: 'fault',
        location: { line: 2 },
        original: ['1'],
        reason:
          'the row has 1 cells, the header 2; "csv": {"shortRows": true} reads missing cells at the end as unknown',
      },
      { kind: 'fault', location: { line: 3 }, reason: 'the row has 3 cells, the header 2' },
      { kind: 'line', location: { line: 4 } },
    ]);
  });

  test('stops at a file that is not what the mapping says', async () => {
    await expect(mapped(startup({ Name: 'x' }), 'id\n"1\n2\n')).rejects.toThrow(
      /^The file does not have the format of test\.json/u,
    );
  });
});

describe('the reader of JSON lines', () => {
  test.each(['windows-1252', 'utf16le'])('decodes %s', async (encoding) => {
    const file = iconv.encode('{"id":1,"name":"Café €"}\n', encoding);
    const mapping = { format: 'jsonl', encoding, ...startup({ Name: '{name}' }) };
    expect(await linesOf(mapping, file)).toEqual([{ key: '1', Name: 'Café €' }]);
  });

  test('takes columns as paths, and values as they are', async () => {
    const mapping = {
      format: 'jsonl',
      ...startup({ Name: '{a.name}', Tags: { column: 'a.tags' }, Founded: { column: 'a.year' } }),
    };
    const file =
      '{"id":1,"a":{"name":"x","tags":["p","q"],"year":2001}}\n\n[1]\n{"id":3,"x":NaN}\n{"id":2,"a":null}\n';
    expect(await linesOf(mapping, file)).toEqual([
      { key: '1', Name: 'x', Tags: ['p', 'q'], Founded: 2001 },
      'the row is not a JSON object',
      expect.stringMatching(/^the line is not JSON: .*NaN/u),
      'Name is missing: a.name is missing',
    ]);
  });

  test('rejects numbers that a JSON parser rounds, so that no two keys become one', async () => {
    const ids = ['12345678901234567890', '12345678901234567891', '-9007199254740993', '1e400'];
    const rows = ids.map((id) => `{"id":${id},"name":"x"}\n{"id":"${id}","name":"x"}\n`);
    const reason = 'id is a number too large to be read exactly; write it as text';
    const mapping = { format: 'jsonl', ...startup({ Name: '{name}' }) };
    expect(await linesOf(mapping, rows.join(''))).toEqual(
      ids.flatMap((key) => [reason, { key, Name: 'x' }]),
    );
    const each = startup({ Name: 'x' }, { key: '{it}', each: { column: 'ids' } });
    const lists = '{"ids":[9007199254740991,1e21]}\n{"ids":[9007199254740991]}\n';
    expect(await linesOf({ format: 'jsonl', ...each }, lists)).toEqual([
      reason.replace('id', 'ids'),
      { key: '9007199254740991', Name: 'x' },
    ]);
  });

  test('a patch gives only what the row gives', async () => {
    const mapping = {
      format: 'jsonl',
      ...startup(
        { Name: '{n}', Founded: { column: 'f' }, City: '{c}', Country: 'Peru' },
        { op: 'patch' },
      ),
    };
    expect(await linesOf(mapping, '{"id":1,"n":"x"}\n{"id":2,"f":null,"c":""}\n')).toEqual([
      { key: '1', Name: 'x', Country: 'Peru' },
      { key: '2', Founded: null, City: null, Country: 'Peru' },
    ]);
  });
});

describe('records of a row', () => {
  test('are several, by conditions and lists; rows without one are skipped', async () => {
    const mapping = {
      csv: { columns: ['id', 'kind', 'list'] },
      skip: [
        { when: { blank: true }, because: 'blank' },
        { when: { column: 'kind', is: ['total'] }, because: 'a sum' },
      ],
      records: [
        {
          type: 'startup',
          when: { any: [{ known: '{id}' }, { column: 'kind', is: ['s'] }] },
          key: '{id}',
          fields: { Name: 'n' },
        },
        {
          type: 'fund',
          when: { all: [{ known: '{list}' }, { not: { column: 'kind', is: ['x'] } }] },
          each: { column: 'list', separator: ';' },
          key: '{it}',
          fields: { Name: '{it} of {id}' },
        },
        {
          type: 'news',
          when: {
            unknown: '{list}',
            known: { column: 'kind', table: { n: 1 }, otherwise: 'null' },
          },
          key: 'n{id}',
          fields: { Title: 't' },
        },
      ],
    };
    const rows = '1,a,p; q\n2,x,p\n,s,\n,,\n3,total,\n,x,p\n4,n,\n';
    expect(await linesOf(mapping, rows)).toEqual([
      { key: '1', Name: 'n' },
      { key: 'p', Name: 'p of 1' },
      { key: 'q', Name: 'q of 1' },
      { key: '2', Name: 'n' },
      'the row has no key for the record: id is ""',
      'blank',
      'a sum',
      'the row produces no record',
      { key: '4', Name: 'n' },
      { key: 'n4', Title: 't' },
    ]);
  });

  test('an amount is never made dollars by mistake', async () => {
    const amounts = { Name: 'x', TotalRaised: { column: 'amount', read: 'money' } };
    const file = 'id,amount,currency\n1,€2.5M,\n2,€2.5M,EUR\n3,US$1M,\n4,C$1M,\n';
    const foreign =
      'cannot be read as money: it is not in dollars, and the record has no Currency ' +
      '("read": "currency" reads it)';
    expect(await linesOf(startup(amounts), file)).toEqual([
      `TotalRaised "€2.5M" ${foreign}`,
      `TotalRaised "€2.5M" ${foreign}`,
      { key: '3', Name: 'x', TotalRaised: 1e6 },
      `TotalRaised "C$1M" ${foreign}`,
    ]);
    expect(await linesOf(startup({ ...amounts, Currency: '{currency}' }), file)).toEqual([
      `TotalRaised "€2.5M" ${foreign}`,
      { key: '2', Name: 'x', TotalRaised: 2.5e6, Currency: 'EUR' },
      { key: '3', Name: 'x', TotalRaised: 1e6, Currency: null },
      `TotalRaised "C$1M" ${foreign}`,
    ]);
  });

  test('a list that cannot be read is a fault of the record', async () => {
    const mapping = {
      csv: { columns: ['list'] },
      records: [
        {
          type: 'fund',
          each: { column: 'list', separator: ',', read: 'number' },
          key: '{it}',
          fields: { Name: 'n' },
        },
      ],
    };
    expect(await linesOf(mapping, '"1,x"\n')).toEqual(['each "x" cannot be read as number']);
  });
});

describe('mapping files', () => {
  const fixture = openedPerSuite(openImportFixture);

  test('that come with the product are valid', async () => {
    const files = (await readdir(mappings)).filter((name) => name !== 'mapping.schema.json');
    expect(files).toHaveLength(11);
    for (const file of files) {
      const mapping = await loadMapping(join(mappings, file));
      expect([file, mapping.name, mapping.description]).toEqual([file, file, expect.any(String)]);
    }
    expect(mappingSchema.title).toBe('Import mapping');
  });

  test('that do not exist or are not JSON are rejected', async () => {
    await expect(loadMapping('/nowhere.json')).rejects.toThrow(/does not exist/u);
    const path = join(fixture.folder, 'broken.json');
    await writeFile(path, '{');
    await expect(loadMapping(path)).rejects.toThrow(/^The mapping broken\.json is not JSON/u);
  });

  test('lead to rejected rows that show the row, and the line made of it', async () => {
    const file = join(fixture.folder, 'rows.csv');
    await writeFile(file, 'id,name,year\n1,a,2001\n2,b,x\n3,,2003\n4,d,99\n');
    const mapping = checkMapping('rows.json', {
      source: 'test',
      format: 'csv',
      ...startup({ Name: '{name}', Founded: { column: 'year', read: 'number' } }),
    });
    const report = await fixture.importFile(file, { mapping, continueOnRejected: true });
    expect(totalsOf(report)).toBe('read 4, inserted 1, rejected 3');
    expect(await fixture.sideFile('rows.csv.rejected.ndjson')).toEqual([
      {
        line: 3,
        type: 'startup',
        field: 'Founded',
        reason: 'Founded "x" cannot be read as number',
        original: { id: '2', name: 'b', year: 'x' },
      },
      {
        line: 4,
        type: 'startup',
        field: 'Name',
        reason: 'Name is missing: name is ""',
        original: { id: '3', name: '', year: '2003' },
      },
      {
        line: 5,
        type: 'startup',
        field: 'Founded',
        reason: 'Founded must be >= 1000, not 99',
        original: { id: '4', name: 'd', year: '99' },
        made: {
          op: 'upsert',
          type: 'startup',
          source: 'test',
          key: '4',
          Name: 'd',
          Founded: 99,
        },
      },
    ]);
  });

  test('show a row with the first of the lines that it made and that are rejected', async () => {
    const file = join(fixture.folder, 'each.csv');
    const funds = Array.from({ length: 400 }, (_, n) => `A Fund of Funds With Number ${n}`);
    await writeFile(file, `id,investors\n1,${funds.join(';')}\n`);
    const mapping = checkMapping('each.json', {
      source: 'test',
      format: 'csv',
      records: [
        {
          type: 'holding',
          each: { column: 'investors', separator: ';' },
          fields: { Fund: { ref: { key: '{it}' } }, Startup: { ref: { key: '{id}' } } },
        },
      ],
    });
    await fixture.importFile(file, { mapping });
    const [first, ...rest] = await fixture.sideFile('each.csv.rejected.ndjson');
    expect(first).toMatchObject({ line: 2, original: { id: '1', investors: funds.join(';') } });
    expect(rest).toHaveLength(399);
    expect(rest.at(-1)).toEqual({
      line: 2,
      type: 'holding',
      field: 'Fund',
      reason: expect.stringContaining('neither in the database nor in this import'),
      made: expect.objectContaining({ Fund: { key: funds[399] } }),
    });
  });
});

// Tests docs/spec/import.md 14.9.
/** Files that other importers have failed on in public: what a mapping reads, or the error names. */

import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { visibleLines } from '../src/errors/quote.ts';
import { decompress } from '../src/sources/decompress.ts';
import { readNdjson } from '../src/sources/read-lines.ts';
import { linesOf, startup } from './mapping-support.ts';

const named = startup({ Name: '{name}' });
const read = { ...named, csv: {} };
const spaced = (csv: object) => ({ ...named, csv });
const money = (more: object = {}) =>
  startup({
    Name: '{name}',
    TotalRaised: { column: 'raised', read: 'money', ...more },
    Currency: { column: 'raised', read: 'currency' },
  });
const founded = (...formats: readonly string[]) =>
  startup({ Name: '{name}', Founded: { column: 'founded', read: 'year', formats } });
const tags = (how: object) => startup({ Name: '{name}', Tags: { column: 'tags', ...how } });
const of = (key: string, Name: string, more: object = {}) => ({ key, Name, ...more });
const two = [of('1', 'a'), of('2', 'b')];
const rejected = (text: string) => expect.stringContaining(text);

describe('a table is read', () => {
  test.each<[what: string, mapping: object, file: string, lines: readonly unknown[]]>([
    ['with a mark before a quoted header', read, '\ufeff"id","name"\n1,a\n2,b\n', two],
    ['after sep=; of a spreadsheet', named, 'sep=;\r\nid;name\r\n1;a\r\n2;b\r\n', two],
    ['after a mark and a quoted sep', named, '\ufeff"sep=|"\nid|name\n1|a\n2|b\n', two],
    ['after lines to skip', spaced({ skipLines: 2 }), 'My "list\r\n\r\nid,name\r\n1,a\r\n2,b', two],
    ['with empty cells left out', spaced({ shortRows: true }), 'id,name,x,y\n1,a\n2,b,c\n', two],
    ['with a delimiter too many everywhere', read, 'id,name,\n1,a,\n2,b,\n', two],
    ['with one too many in the header', read, 'id,name,\n1,a\n2,b\n', two],
    ['with two too many in the rows', read, 'id,name\n1,a,,\n2,b,,\n', two],
    ['with a blank name and a line end in one', read, 'id,,name\n1,x,a\n2,y,b\n', two],
    [
      'with a no-break space in a name',
      startup({ Name: '{na me}' }),
      'id,na\u00a0me\n1,a\n',
      [of('1', 'a')],
    ],
    [
      'with a decomposed name',
      startup({ Name: '{Größe}' }),
      'id,Gro\u0308ße\n1,a\n',
      [of('1', 'a')],
    ],
    [
      'with text in formulas',
      startup({ Name: { column: 'name', match: '^="(.*)"$' } }),
      'id,name\n1,"=""00123"""\n',
      [of('1', '00123')],
    ],
    [
      'with numbers of pandas',
      founded('YYYY[.0]'),
      'id,name,founded\n1,a,2010.0\n',
      [of('1', 'a', { Founded: 2010 })],
    ],
    [
      'with years of Excel',
      founded('excel'),
      'id,name,founded\n1,a,45658\n',
      [of('1', 'a', { Founded: 2025 })],
    ],
    [
      'with quarters',
      founded('quarter', 'half'),
      'id,name,founded\n1,a,1Q25\n2,b,H2 2024\n',
      [of('1', 'a', { Founded: 2025 }), of('2', 'b', { Founded: 2024 })],
    ],
    [
      'with sizes that a spreadsheet took for dates',
      {
        ...startup({ Name: '{name}', MembersCount: { column: 'size', table: 'size' } }),
        tables: { size: { '11-50': 11, 'Nov-50': 11, '10-Jan': 1, '10001+': 10_001 } },
      },
      'id,name,size\n1,a,11-50\n2,b,Nov-50\n3,c,10-Jan\n4,d,10001+\n',
      [11, 11, 1, 10_001].map((MembersCount, i) =>
        of(String(i + 1), 'abcd'.charAt(i), { MembersCount }),
      ),
    ],
    [
      'with commas in quoted amounts',
      money(),
      'id,name,raised\n1,a,"$1,500,000"\n',
      [of('1', 'a', { TotalRaised: 1_500_000, Currency: 'USD' })],
    ],
  ])('%s', async (_what, mapping, file, lines) => {
    expect(await linesOf(mapping, file)).toEqual(lines);
  });

  test('with amounts in the currency of each cell', async () => {
    const file =
      'id\tname\traised\n1\ta\t€2,5 Mio\n2\tb\t3 Md€\n3\tc\t2,5 millions\n4\td\t1,2 Mrd. SEK\n';
    expect(await linesOf({ ...money({ decimal: ',' }), csv: { delimiter: '\t' } }, file)).toEqual([
      of('1', 'a', { TotalRaised: 2.5e6, Currency: 'EUR' }),
      of('2', 'b', { TotalRaised: 3e9, Currency: 'EUR' }),
      of('3', 'c', { TotalRaised: 2.5e6, Currency: null }),
      of('4', 'd', { TotalRaised: 1.2e9, Currency: 'SEK' }),
    ]);
  });

  test('with lists whose items have commas', async () => {
    const file = `id;name;tags\n1;a;['AI', "Food, Drink"]\n2;b;{AI,"Food, Drink"}\n`;
    const mapping = { ...tags({ list: true }), csv: { delimiter: ';', quote: null } };
    const Tags = ['AI', 'Food, Drink'];
    expect(await linesOf(mapping, file)).toEqual([of('1', 'a', { Tags }), of('2', 'b', { Tags })]);
  });
});

describe('a row is rejected with the way to read it', () => {
  test.each<[file: string, mapping: object, reasons: readonly unknown[]]>([
    ['id,name,x\n1,a\n', read, [rejected('"csv": {"shortRows": true}')]],
    [
      'id,name\n1,a,\n2,b\n',
      read,
      [of('1', 'a'), rejected('the row has 2 cells, the header 2 and 1 empty more')],
    ],
    [
      'id,city,name\n1,Bogotá, Distrito,a\n',
      startup({ Name: '{name}' }),
      [rejected('the row has 4 cells, the header 3')],
    ],
    ['id,name,raised\n1,a,€1-5m\n', money(), [rejected('set "range": "low", "high" or "middle"')]],
    ['id,name,raised\n1,a,"€2,5 Mio"\n', money(), [rejected('set "decimal": "," to read it')]],
    [
      'id,name,tags\n1,a,"[""Food, Drink""]"\n2,b,"AI,""Food, Drink"""\n',
      tags({ separator: ',' }),
      [rejected('set "list": true'), rejected('set "list": true')],
    ],
    [
      'id,name,raised\n1,a,€5m\n',
      startup({
        Name: '{name}',
        TotalRaised: { column: 'raised', read: 'money' },
        Currency: 'GBP',
      }),
      [rejected('it is in EUR, and the Currency is "GBP"')],
    ],
  ])('%j', async (file, mapping, reasons) => {
    expect(await linesOf(mapping, file)).toEqual(reasons);
  });
});

describe('a file or mapping is rejected as a whole with the way', () => {
  test.each<[what: string, file: string, mapping: object, message: string]>([
    [
      'a header in line 3',
      'My list\n\nid,name\n1,a\n',
      read,
      'line 3 has these columns; set csv.skipLines to 2',
    ],
    [
      'another sep',
      'sep=;\nid;name\n1;a\n',
      spaced({ delimiter: ',' }),
      'set csv.delimiter to ";"',
    ],
    ['blanks in a name', 'id,n\u00a0m\n1,a\n', read, 'has no column "name" (valid: id, n\\u00a0m)'],
    [
      'an hour of 12',
      '',
      startup({ Name: 'x', Founded: { column: 'a', read: 'year', formats: ['D/M/YYYY hh:mm'] } }),
      '"hh" is an hour of 12 and needs "a"',
    ],
    [
      'a scalar for a list',
      '',
      startup({ Name: 'x', Tags: '{tags}' }),
      '/records/0/fields/Tags: Tags takes a list',
    ],
    [
      'a list for a scalar',
      '',
      startup({ Name: { column: 'n', separator: ',' } }),
      'Name takes one value, not a list',
    ],
    [
      'text for a number',
      '',
      startup({ Name: 'x', Founded: '{founded}' }),
      'Founded takes a number: add "read"',
    ],
    [
      'text for a reference',
      '',
      { records: [{ type: 'round', key: '{id}', fields: { Startup: '{company}' } }] },
      'Startup takes a reference: {"ref": {"key": …}}',
    ],
    [
      'a table with a constant that the field lacks',
      '',
      {
        ...startup({ Name: 'x', OperatingStatus: { column: 's', table: 'status' } }),
        tables: { status: { a: 'Active', b: 'Opperating' } },
      },
      '/records/0/fields/OperatingStatus/table: the table has "Opperating": ',
    ],
    [
      'a constant',
      '',
      startup({ Name: 'x', OperatingStatus: { column: 's', as: 'Open' } }),
      '/records/0/fields/OperatingStatus/as: OperatingStatus must be',
    ],
    [
      'one of several',
      '',
      startup({ Name: 'x', Founded: { first: [{ column: 'f', read: 'number' }, 'soon'] } }),
      '/records/0/fields/Founded/first/1: Founded must be',
    ],
  ])('%s', async (_what, file, mapping, message) => {
    await expect(linesOf(mapping, file)).rejects.toThrow(message);
  });

  const object = '{\n  "type": "startup",\n  "key": "1"\n}\n';
  test.each([
    ['[{"a":1},\n{"a":2}]\n', 'The file is a JSON array (line 1): write one object a line'],
    [`\n[\n${object}]`, "(line 2): write one object a line, for example with jq -c '.[]' FILE"],
    [
      object,
      "with an object over several lines (line 1): write one object a line, for example with jq -c '.' FILE",
    ],
  ])('JSON of another form: %j', async (text, message) => {
    const lines = async () => {
      for await (const _ of readNdjson(0, bytesOf(Buffer.from(text))));
    };
    await expect(lines()).rejects.toThrow(message);
  });

  const tar = Buffer.alloc(1024);
  tar.write('list.csv');
  tar.write('ustar', 257);
  const zip = (name: string) => {
    const bytes = Buffer.alloc(60);
    bytes.writeUInt32BE(0x504b0304);
    bytes.writeUInt16LE(name.length, 26);
    bytes.write(name, 30);
    return bytes;
  };
  const text = Buffer.from('id,name\n1,a\n');
  test.each([
    ['a tar archive', tar],
    ['gzip data of a tar archive', gzipSync(tar)],
    ['gzip data of gzip data', gzipSync(gzipSync(text))],
    ['a spreadsheet (.xlsx)', zip('[Content_Types].xml')],
    ['a spreadsheet (.ods)', zip('mimetype')],
    ['a zip archive', zip('list.csv')],
    ['a spreadsheet (.xls)', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
    ['HTML, as some exports to .xls are', Buffer.from('\ufeff\n<html><table><tr><td>1</table>')],
    ['XML', Buffer.from('<?xml version="1.0"?><Workbook/>')],
    ['a PDF', Buffer.from('%PDF-1.7')],
    ['not text (it has NUL bytes)', Buffer.concat([text, Buffer.alloc(100), text])],
  ])('%s', async (what, bytes) => {
    const reading = async () => {
      for await (const _ of decompress(bytesOf(bytes), 'list'));
    };
    await expect(reading()).rejects.toThrow(`list is ${what}`);
  });

  test.each([
    ['plain', text, text],
    ['compressed', gzipSync(text), text],
    ['empty', Buffer.alloc(0), Buffer.alloc(0)],
    ['in UTF-16', Buffer.from(String(text), 'utf16le'), Buffer.from(String(text), 'utf16le')],
  ])('but text is not: %s', async (_what, bytes, expected) => {
    const read: Buffer[] = [];
    for await (const block of decompress(bytesOf(bytes), 'list')) read.push(block);
    expect(Buffer.concat(read)).toEqual(expected);
  });
});

test('no text of a file controls the terminal', () => {
  const hostile = 'a\u0000\u001b[31m\u009b\u007f\u202e\u2028\u200b\u00a0\ufeff é 👩‍💻\n';
  expect(visibleLines(hostile)).toBe(
    'a\\u0000\\u001b[31m\\u009b\\u007f\\u202e\\u2028\\u200b\\u00a0\\ufeff é 👩‍💻\n',
  );
});

async function* bytesOf(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}

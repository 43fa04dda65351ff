// Tests docs/spec/import.md 14.3, 14.9.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recordId } from '../src/index.ts';
import { ingest } from '../src/ingest-command.ts';
import { type ImportFixture, openImportFixture } from './support.ts';

const page = fileURLToPath(new URL('../../../docs/import.md', import.meta.url));

let fixture: ImportFixture;
/** The blocks of the page that have a title. */
const blocks = new Map<string, string>();
beforeAll(async () => {
  fixture = await openImportFixture();
  const text = await readFile(page, 'utf8');
  for (const [, title = '', body = ''] of text.matchAll(
    /^```\w+ title=(\S+)\n([\s\S]*?)^```$/gmu,
  )) {
    blocks.set(title, body);
    if (/\.(?:csv|json)$/u.test(title)) await writeFile(join(fixture.folder, title), body);
  }
});
afterAll(() => fixture.close());

class Text extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** Runs the last `npm run ingest` of a documented block, and answers what it prints. */
async function documented(title: string, input = ''): Promise<{ code: number; out: string }> {
  const command = blocks.get(title)?.trim().split('\n').at(-1) ?? '';
  const args = command.slice(command.indexOf(' -- ') + 4).split(' ');
  const out = new Text();
  const err = new Text();
  const code = await ingest(args, {
    environment: { DATABASE_URL: fixture.url },
    folder: fixture.folder,
    out,
    err,
    input: Readable.from([Buffer.from(input)]),
    signal: new AbortController().signal,
  });
  return { code, out: out.text + (code === 0 ? '' : err.text) };
}

const replace = async (file: string, from: string | RegExp, to: string) => {
  const path = join(fixture.folder, file);
  await writeFile(path, (await readFile(path, 'utf8')).replace(from, to));
};

test('a rejected row is named, and the command applies all once it is corrected', async () => {
  await replace('rounds.csv', ',800000,', ',8 grand,');
  const rejected = await documented('import');
  expect(rejected).toMatchObject({ code: 1, out: expect.stringContaining('Rejected after') });
  expect(await fixture.sideFile('rounds.csv.rejected.ndjson')).toMatchObject([
    { line: 3, field: 'Amount', reason: 'Amount "8 grand" cannot be read as money' },
  ]);
  expect(await fixture.sideFile('investments.csv.rejected.ndjson')).toMatchObject([
    {
      line: 3,
      field: 'Round',
      reason: expect.stringMatching(/is created by line 3 of .*rounds\.csv/u),
    },
  ]);
  await replace('rounds.csv', ',8 grand,', ',800000,');
  const { code, out } = await documented('import');
  expect(code).toBe(0);
  expect(out).toContain(blocks.get('report'));
});

test('years, countries and exits are as the mapping says', async () => {
  expect(
    await fixture.rows('SELECT source_key, founded, countries FROM venture.startup ORDER BY 1'),
  ).toEqual([
    { source_key: 'c1', founded: 2011, countries: ['United States'] },
    { source_key: 'c2', founded: 2015, countries: ['Netherlands'] },
  ]);
  expect(
    await fixture.rows(
      `SELECT s.source_key, h.status, h.occurred_at::date::text AS day FROM venture.holding h
       JOIN venture.startup s ON s.id = h.startup_id ORDER BY 1`,
    ),
  ).toEqual([
    { source_key: 'c1', status: 'Acquired', day: '2014-05-01' },
    { source_key: 'c2', status: 'Held', day: null },
  ]);
});

test('the order in which files are named does not matter, and again changes nothing', async () => {
  blocks.set(
    'reversed',
    'npm run ingest -- acquisitions.csv investments.csv rounds.csv companies.csv --map export.json',
  );
  const { code, out } = await documented('reversed');
  expect([code, out]).toEqual([0, expect.stringMatching(/total +11 +0 +0 +0 +11 +0 +0 +0\n/u)]);
});

test('a file that only serves a join needs no records', async () => {
  await replace(
    'export.json',
    /"file": "acquisitions.csv",\s*"records": \[[\s\S]*?\n {6}\]/u,
    '"file": "acquisitions.csv"',
  );
  const { code, out } = await documented('import');
  expect([code, out]).toEqual([0, expect.stringMatching(/total +10 +0 +0 +0 +10 +0 +0 +0\n/u)]);
});

test('a file that the mapping does not list, or a join without its file, is an error', async () => {
  blocks.set('alone', 'npm run ingest -- investments.csv --map export.json');
  expect(await documented('alone')).toMatchObject({
    code: 1,
    out: expect.stringContaining('joins "acquisitions.csv": pass this file too.'),
  });
  blocks.set('other', 'npm run ingest -- other.csv --map export.json');
  expect(await documented('other')).toMatchObject({
    code: 1,
    out: expect.stringContaining('describes no file'),
  });
});

test('the Id of a record is printed', async () => {
  const { code, out } = await documented('id');
  expect([code, out]).toEqual([0, blocks.get('id-output')]);
  expect(out.trim()).toBe(recordId('startup', 'acme-export', 'c1'));
  blocks.set('id', 'npm run ingest -- --id holding a b');
  expect(await documented('id')).toMatchObject({ code: 2 });
});

test('standard input is read through a mapping', async () => {
  const fields = { Name: '{name}' };
  const records = [{ type: 'startup', key: '{id}', fields }];
  const mapping = { source: 'more', format: 'csv', records };
  await writeFile(join(fixture.folder, 'one.json'), JSON.stringify(mapping));
  const { code } = await documented('stdin', 'id,name\n1,One\n');
  expect(code).toBe(0);
  expect(await fixture.rows(`SELECT name FROM venture.startup WHERE source = 'more'`)).toEqual([
    { name: 'One' },
  ]);
});

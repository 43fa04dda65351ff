// Tests docs/spec/import.md 14.1.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { closedAfterAll, createTestDatabase } from '@vcds/test-kit';
import { ingest } from '../src/ingest-command.ts';
import { progressLine } from '../src/report/progress.ts';
import { openImportFixture, startup } from './support.ts';

const fixture = await closedAfterAll(openImportFixture());
const file = (name: string, text: string) => writeFile(join(fixture.folder, name), text);
await file('good.ndjson', `${JSON.stringify(startup('1'))}\n`);
await file('bad.ndjson', `${JSON.stringify(startup('2'))}\n{"type":"startup"}\n{\n`);
await file('names.csv', 'id,name\n3,Three\n');
await file(
  'names.json',
  JSON.stringify({
    source: 'names',
    format: 'csv',
    records: [{ type: 'startup', key: '{id}', fields: { Name: '{name}' } }],
  }),
);
await file('rates.csv', 'currency,date,rate,origin\nXYZ,2020-01-01,2,test\n');

class Text extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

async function run(args: readonly string[], environment?: Readonly<Record<string, string>>) {
  const out = new Text();
  const err = new Text();
  const code = await ingest(args, {
    environment: environment ?? { DATABASE_URL: fixture.url },
    folder: fixture.folder,
    out,
    err,
    signal: new AbortController().signal,
  });
  return { code, out: out.text, err: err.text };
}

test('prints the table, shows progress on stderr and exits with 0 when applied', async () => {
  const { code, out, err } = await run(['good.ndjson']);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^ +read +inserted +updated [ a-z]+ rejected\nstartup +1 +1( +0){6}\nApplied in \d+\.\d s\.\n$/u,
  );
  expect(err).toMatch(/^reading lines: .*\n[\s\S]*applying: .*\n[\s\S]*finishing\n$/u);
});

test('exits with 1 for rejected lines, and names their file', async () => {
  const { code, out } = await run(['bad.ndjson']);
  expect(code).toBe(1);
  expect(out).toContain(`rejected lines: ${join(fixture.folder, 'bad.ndjson.rejected.ndjson')}\n`);
  expect(out).toMatch(
    /unreadable +1 +0[\s\S]*total +3[\s\S]*Rejected after .*--continue applies the rest/u,
  );
  const rejected = await fixture.sideFile('bad.ndjson.rejected.ndjson');
  expect(rejected).toMatchObject([
    { line: 2, type: 'startup', reason: 'source is missing', original: '{"type":"startup"}' },
    { line: 3, reason: expect.stringMatching(/^the line is not JSON/u), original: '{' },
  ]);
});

test('goes on with --continue and puts files where --rejected says', async () => {
  await mkdir(join(fixture.folder, 'side'));
  const { code, out } = await run(['bad.ndjson', '--continue', '--rejected', 'side', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    state: 'applied',
    total: { read: 3, inserted: 1, rejected: 2 },
    byType: { startup: { inserted: 1 }, unreadable: { rejected: 1 } },
    files: [{ read: 3, rejectedFile: join(fixture.folder, 'side', 'bad.ndjson.rejected.ndjson') }],
    peakMemoryBytes: expect.any(Number),
  });
});

test('reads through a mapping with --map, and takes rates with --rates', async () => {
  expect(await run(['names.csv', '--map', 'names.json', '--rates', 'rates.csv'])).toMatchObject({
    code: 0,
  });
  expect(await fixture.rows(`SELECT name FROM venture.startup WHERE source = 'names'`)).toEqual([
    { name: 'Three' },
  ]);
  expect(await run(['--rates', 'rates.csv'])).toMatchObject({
    code: 0,
    out: '1 exchange rates imported.\n',
  });
});

test.each([
  [[], /^No file given\.\n\nnpm run ingest -- /u],
  [['--nonsense'], /Unknown option '--nonsense'[\s\S]*npm run ingest -- /u],
  [['list.CSV'], /^list\.CSV needs --map: only NDJSON is read without a mapping\./u],
])('exits with 2 and prints the usage for %j', async (args, message) => {
  const { code, err } = await run(args);
  expect([code, err]).toEqual([2, expect.stringMatching(message)]);
});

test('exits with 2 without a database to work on', async () => {
  const { code, err } = await run(['good.ndjson'], {});
  expect([code, err]).toEqual([2, expect.stringMatching(/^Set DATABASE_URL/u)]);
});

test('exits with 1 and a sentence when a file or database does not exist', async () => {
  expect(await run(['none.ndjson'])).toMatchObject({
    code: 1,
    err: `The file ${join(fixture.folder, 'none.ndjson')} does not exist or is not readable. Nothing was applied.\n`,
  });
  const nowhere = await run(['good.ndjson'], { DATABASE_URL: 'postgres://127.0.0.1:1/none' });
  expect([nowhere.code, nowhere.err]).toEqual([
    1,
    expect.stringMatching(/^Cannot connect to the database: /u),
  ]);
});

test('rejects files whose rejected lines would overwrite a file', async () => {
  const { folder } = fixture;
  await mkdir(join(folder, 'other'));
  await writeFile(join(folder, 'other', 'good.ndjson'), '');
  expect((await run(['good.ndjson', 'other/good.ndjson', '--rejected', '.'])).err).toBe(
    `The rejected lines of ${folder}/other/good.ndjson would go to ${folder}/good.ndjson.rejected` +
      `.ndjson, the same file as the rejected lines of ${folder}/good.ndjson; import them ` +
      'separately, or rename one. Nothing was applied.\n',
  );
  const own = 'good.ndjson.rejected.ndjson';
  await writeFile(join(folder, own), `${JSON.stringify(startup('9'))}\n`);
  expect((await run(['good.ndjson', own])).err).toMatch(
    /, but .* is one of the files to import; import them/u,
  );
  expect(await fixture.sideFile(own)).toEqual([startup('9')]);
});

test('exits with 1 and a sentence when the database was never migrated', async () => {
  const empty = await createTestDatabase({ migrated: false });
  const { code, err } = await run(['good.ndjson'], { DATABASE_URL: empty.url });
  await empty.drop();
  expect([code, err]).toEqual([
    1,
    'The database lacks tables of data-api: relation "venture.usd_rate" does not exist. ' +
      'Run npm run migrate. Nothing was applied.\n',
  ]);
});

test('--help shows how it is called', async () => {
  const { code, out } = await run(['--help']);
  expect([code, out]).toEqual([0, expect.stringMatching(/^npm run ingest -- \[FILE…\]/u)]);
});

test('a terminal shows one line that changes, and none in the end', () => {
  const out = Object.assign(new Text(), { isTTY: true });
  const show = progressLine(out);
  show.progress({ step: 'waiting', lines: 0 });
  show.progress({ step: 'applying', lines: 5000, linesMax: 20000 });
  show.progress({ step: 'applying', lines: 10000, linesMax: 20000 });
  show.end();
  expect(out.text.split('\r\u001b[K')).toEqual([
    '',
    'waiting for another import to end',
    'applying: 5,000 of 20,000 lines',
    '',
  ]);
});

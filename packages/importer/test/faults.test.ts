// Tests docs/spec/import.md 14.5.
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { openedPerSuite } from '@vcds/test-kit';
import type { Progress } from '../src/index.ts';
import { checkMapping } from '../src/mapping/mapping-set.ts';
import { decompress } from '../src/sources/decompress.ts';
import {
  endImportConnections,
  nonZero,
  openImportFixture,
  person,
  startup,
  startupCount,
  totalsOf,
} from './support.ts';

const command = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

const fixture = openedPerSuite(openImportFixture);
beforeEach(() =>
  fixture.rows(`
    TRUNCATE venture.startup, venture.person, venture.import_run CASCADE;
    ALTER TABLE venture.startup DROP CONSTRAINT IF EXISTS no_such;
    DROP FUNCTION IF EXISTS pg_temp_fail CASCADE`),
);

/** Writes a file into the fixture's folder. */
async function written(name: string, content: string | Buffer): Promise<string> {
  const path = join(fixture.folder, name);
  await writeFile(path, content);
  return path;
}

const ndjson = (lines: readonly object[]) =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');
const startups = (lines: number) => Array.from({ length: lines }, (_, n) => startup(`${n}`));
const persons = (lines: number) => Array.from({ length: lines }, (_, n) => person(`${n}`));

async function personCount(): Promise<number> {
  return (await fixture.rows('SELECT FROM venture.person')).length;
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command by a shell that may limit it first; `$0` is node, `$1` the command. */
async function shell(script: string, ...args: readonly string[]): Promise<Ended> {
  const env = { ...process.env, DATABASE_URL: fixture.url, INIT_CWD: fixture.folder };
  const all = ['-c', script, process.execPath, command, ...args];
  return promisify(execFile)('/bin/sh', all, { env }).then(
    (output) => ({ code: 0, ...output }),
    (error: Ended) => error,
  );
}

describe('a database that fails', () => {
  test.each(['staging', 'checking', 'applying', 'finishing'] as const)(
    'by ending its connections while it is %s is reported, and another import completes it',
    async (step) => {
      // Two transactions, of which the first is applied.
      const count = step === 'applying' ? 6000 : 600;
      const all = count.toLocaleString('en');
      const lines = persons(count);
      let isEnded = false;
      const onProgress = (progress: Progress) => {
        if (isEnded || progress.step !== step) return;
        if (step === 'applying' && progress.lines === 0) return;
        isEnded = true;
        endImportConnections(fixture);
      };
      const error = await fixture
        .importLines(lines, { onProgress, workers: 1 })
        .then(String, (error: Error) => error.message);
      expect(error).toMatch(
        step === 'applying' || step === 'finishing'
          ? new RegExp(
              `^The connection to the database was lost: .*\\. At least [\\d,]+ of ${all} lines were applied; the same command completes the import\\.$`,
              'u',
            )
          : /^The connection to the database was lost: .*\. Nothing was applied; the same command imports everything\.$/u,
      );
      const stored = await personCount();
      const reported = Number(/At least ([\d,]+) of/u.exec(error)?.[1]?.replace(',', '') ?? 0);
      expect(stored).toBeGreaterThanOrEqual(reported);
      const rest = await fixture.importLines(lines);
      expect(nonZero(rest.total)).toEqual({
        read: count,
        ...(stored < count && { inserted: count - stored }),
        ...(stored > 0 && { unchanged: stored }),
      });
    },
  );

  test.each([
    ['disk_full', 'The disk of the database is full: no.', 6000],
    ['out_of_memory', 'The database lacks resources: no.', 2],
    ['insufficient_privilege', 'The role of DATABASE_URL lacks permissions: no.', 2],
    ['read_only_sql_transaction', 'The database is read-only: no.', 2],
    ['io_error', 'The database cannot access its files: no.', 2],
  ])(
    'with %s is reported in a sentence, with what was applied',
    async (condition, sentence, lines) => {
      await fixture.rows(`
      CREATE FUNCTION pg_temp_fail() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${condition}'; END $$`);
      await fixture.rows(`
      CREATE TRIGGER fail BEFORE INSERT ON venture.person FOR EACH ROW
        WHEN (NEW.source_key = '${lines === 6000 ? 5500 : 1}') EXECUTE FUNCTION pg_temp_fail()`);
      await expect(fixture.importLines(persons(lines), { workers: 1 })).rejects.toThrow(
        lines === 6000
          ? `${sentence} 5,000 of 6,000 lines were applied; the same command completes the import.`
          : `${sentence} Nothing was applied`,
      );
      expect(await personCount()).toBe(lines === 6000 ? 5000 : 0);
    },
  );

  test('in an unforeseen way is reported with what was applied and where', async () => {
    await fixture.rows('ALTER TABLE venture.startup ADD CONSTRAINT no_such CHECK (name <> $$x$$)');
    const file = await written('odd.ndjson', ndjson([startup('1', { Name: 'x' })]));
    const { code, stderr } = await shell('exec "$0" "$@"', file);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /The import failed: .*no_such.* Nothing was applied\.\nerror: .*\n +at /u,
    );
  });
});

describe('a disk that is full', () => {
  const rejects = ndjson(
    Array.from({ length: 2000 }, (_, n) => ({ type: 'startup', key: `${n}` })),
  );

  test('has no room for rejected lines: a sentence, and nothing is applied', async () => {
    const file = await written('bad.ndjson', rejects + ndjson([startup('1')]));
    // A file may hold 32 blocks of 512 or 1,024 bytes.
    const { code, stderr } = await shell('ulimit -f 32; exec "$0" "$@"', file, '--continue');
    expect(code).toBe(1);
    expect(stderr).toContain(
      `Cannot write ${file}.rejected.ndjson: EFBIG: file too large, write; choose a writable ` +
        'folder with free space (--rejected DIR).\nThe first lines are:\n  line 1: startup: source is missing\n',
    );
    expect(await startupCount(fixture)).toBe(0);
  });

  test('has no room for the report: what was applied is reported', async () => {
    const file = await written('good.ndjson', ndjson([startup('1')]));
    const { code, stderr } = await shell('exec "$0" "$@" >/dev/full', file);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /\nThe import was applied, but writing its report failed: ENOSPC.*\.\n$/u,
    );
    expect(await startupCount(fixture)).toBe(1);
  });

  test('or permission for rejected lines: the message has the first reasons', async () => {
    const file = await written('denied.ndjson', `{"type":"startup"}\nnot JSON\n${rejects}`);
    const rejectedFolder = join(fixture.folder, 'absent');
    const failure = fixture.importFile(file, { rejectedFolder });
    await expect(failure).rejects.toThrow(
      /^Cannot write .*ENOENT.*\(--rejected DIR\)\.\nThe first lines are:\n {2}line 1: startup: source is missing\n {2}line 2: the line is not JSON: .+\n(?: {2}line \d: .+\n){3}Nothing was applied\.$/u,
    );
  });

  test('has a folder where rejected lines should go', async () => {
    const file = await written('other.ndjson', rejects);
    await mkdir(`${file}.rejected.ndjson`);
    await expect(fixture.importFile(file)).rejects.toThrow(
      /^Cannot write .*other\.ndjson\.rejected\.ndjson: .*\. Nothing was applied\.$/u,
    );
  });
});

describe('a compressed file', () => {
  const lines = ndjson(startups(3000));
  /** `zstd -19` of a startup with the key z. */
  const zstd = Buffer.from(
    'KLUv/QRonQEAosMLEbBrDCBvZdhelUVBZ1hoBhYlIG50nCsi4vA7d3oOL9M917JaYodV20WWnatyOwwAte2TmA==',
    'base64',
  );

  test('of gzip is read, of several parts too', async () => {
    const parts = Buffer.concat([gzipSync(lines), gzipSync(ndjson([startup('z')]))]);
    const report = await fixture.importFile(await written('lines.ndjson.gz', parts));
    expect(totalsOf(report)).toBe('read 3,001, inserted 3,001');
  });

  test('of gzip is read through a mapping', async () => {
    const mapping = checkMapping('m.json', {
      source: 's',
      format: 'csv',
      records: [{ type: 'startup', key: '{id}', fields: { Name: '{name}' } }],
    });
    const file = await written('list.csv.gz', gzipSync('id,name\n1,x\n'));
    expect(totalsOf(await fixture.importFile(file, { mapping }))).toBe('read 1, inserted 1');
  });

  test('of zstd is read, whole frames one after the other too', async () => {
    const many = Buffer.concat(Array.from({ length: 40 }, () => zstd));
    const report = await fixture.importFile(await written('lines.zst', many));
    expect(totalsOf(report)).toBe('read 40, inserted 1, duplicate 39');
  });

  test.each([
    ['gzip', gzipSync(lines)],
    ['zstd', zstd],
  ])('of %s that is cut off is an error that says so', async (format, whole) => {
    const file = await written('cut', whole.subarray(0, whole.length - 9));
    await expect(fixture.importFile(file)).rejects.toThrow(
      new RegExp(
        `cut: ${format} data is damaged or truncated \\(.*\\)\\. Nothing was applied\\.$`,
        'u',
      ),
    );
    expect(await startupCount(fixture)).toBe(0);
  });

  test('of another format is an error that says which', async () => {
    const file = await written('list.xlsx', Buffer.from('504b030414000600', 'hex'));
    await expect(fixture.importFile(file)).rejects.toThrow(
      'list.xlsx is a zip archive: only text files are supported, plain or ' +
        'compressed with gzip or zstd. Nothing was applied.',
    );
  });

  test('that grows a thousand times is read a block at a time', async () => {
    async function* grown() {
      yield gzipSync(Buffer.alloc(50_000_000, ' '));
    }
    let read = 0;
    for await (const block of decompress(grown(), 'grown.gz')) {
      expect(block.length).toBeLessThanOrEqual(65_536);
      read += block.length;
    }
    expect(read).toBe(50_000_000);
  });
});

describe('a file', () => {
  test('that is a folder is an error that says so', async () => {
    await expect(fixture.importFile(fixture.folder)).rejects.toThrow(
      `${fixture.folder} is a folder; pass the files in it. Nothing was applied.`,
    );
  });

  const mapping = checkMapping('m.json', {
    source: 's',
    format: 'csv',
    records: [{ type: 'startup', key: '{id}', fields: { Name: '{id}' } }],
  });

  test.each([
    ['no bytes', '', undefined],
    ['blank lines', '\n\n', undefined],
    ['a header alone', 'id\n', mapping],
    ['nothing in gzip', gzipSync(''), undefined],
  ])('that holds %s is an error, unless that is allowed', async (_what, content, mapping) => {
    const file = await written('empty', content);
    const options = mapping === undefined ? {} : { mapping };
    await expect(fixture.importFile(file, options)).rejects.toThrow(
      `${file} contains no lines; use --allow-empty if that is intended. Nothing was applied.`,
    );
    const report = await fixture.importFile(file, { ...options, allowEmpty: true });
    expect([report.state, report.total.read]).toEqual(['applied', 0]);
  });

  test('that is empty among others leaves them unapplied, and --allow-empty takes all', async () => {
    const good = await written('good.ndjson', ndjson([startup('1')]));
    const empty = await written('empty.ndjson', '');
    expect(await shell('exec "$0" "$@"', good, empty)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('empty.ndjson contains no lines;'),
    });
    expect(await startupCount(fixture)).toBe(0);
    expect(await shell('exec "$0" "$@"', good, empty, '--allow-empty')).toMatchObject({ code: 0 });
    expect(await startupCount(fixture)).toBe(1);
  });

  test('whose fault names it is found among others', async () => {
    const good = await written('a.csv', 'id\n1\n');
    const bad = await written('b.csv', 'id\n"2\n');
    await expect(fixture.importFile(good, { files: [good, bad], mapping })).rejects.toThrow(
      `${bad}: The file does not have the format of m.json: the quote that opens on line 2`,
    );
    expect((await readFile(good)).length).toBe(5);
  });
});

test('the longest spelling there may be is settled, and a longer one rejected', async () => {
  // Of four bytes each, and no two spellings alike: nothing an index could make shorter.
  let seed = 1;
  const random = (characters: number) =>
    Array.from({ length: characters }, () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return String.fromCodePoint(0x20000 + (seed % 40_000));
    }).join('');
  const Tags = [random(200), random(200)];
  const City = random(200);
  const report = await fixture.importLines(
    [
      startup('1', { Tags, City }),
      startup('2', { Tags: [random(201)] }),
      startup('3', { Addresses: [{ City: random(201) }] }),
    ],
    { continueOnRejected: true },
  );
  expect(totalsOf(report)).toBe('read 3, inserted 1, rejected 2');
  const rejected = await fixture.sideFile('lines.rejected.ndjson');
  expect(rejected.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^Tags\[0\] must have at most 200 characters/u),
    'Addresses.City is longer than 200 characters',
  ]);
});

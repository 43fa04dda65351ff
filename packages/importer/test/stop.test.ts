// Tests docs/spec/import.md 14.5.
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { atLength } from '@vcds/test-kit';
import pg from 'pg';
import { stoppedAtOnce } from '../src/run/failure.ts';
import { stopOnSignals } from '../src/stop-on-signals.ts';
import {
  type ImportFixture,
  openImportFixture,
  person,
  round,
  runs,
  startup,
  totalsOf,
} from './support.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const wrapper = join(root, 'packages/local-stack/bin/with-stack.mjs');
const command = join(root, 'packages/importer/dist/cli.js');

/** A process, and what it and those that share its output have written. */
interface Running {
  readonly child: ChildProcess;
  readonly written: () => string;
  readonly ended: Promise<unknown>;
}

let fixture: ImportFixture;
let file: string;
let blocker: pg.Client;
let running: Running | undefined;

beforeAll(async () => {
  fixture = await openImportFixture();
});
afterAll(() => fixture.close());

/**
 * Transactions of 5,000, 5,000 and 100 lines, of which the second waits for the blocker: its round is of a
 * startup that the blocker has locked.
 */
beforeEach(async () => {
  await fixture.rows('TRUNCATE venture.startup, venture.person CASCADE');
  await fixture.importLines([startup('locked')]);
  const lines: object[] = Array.from({ length: 10_100 }, (_, n) => person(`${n}`));
  lines[5000] = round('r', 'locked');
  file = join(fixture.folder, 'large.ndjson');
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  blocker = new pg.Client(fixture.url);
  await blocker.connect();
  await blocker.query('BEGIN');
  await blocker.query('SELECT FROM venture.startup FOR UPDATE');
});

afterEach(async () => {
  await blocker.end();
  await running?.ended;
});

function start(program: string, args: readonly string[]): Running {
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, DATABASE_URL: fixture.url, LOCAL_DIR: fixture.folder, NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  }
  // Output ends when the last process that shares it has ended.
  running = { child, written: () => text, ended: once(child, 'close') };
  return running;
}

/** Resolves once the output holds the text. */
async function seen({ child, written }: Running, expected: string): Promise<void> {
  while (!written().includes(expected)) {
    const listening = new AbortController();
    const { signal } = listening;
    const next = [child.stdout, child.stderr].map((out) => out && once(out, 'data', { signal }));
    const end = once(child, 'close', { signal }).then(() => {
      throw new Error(`no "${expected}" in: ${written()}`);
    });
    await Promise.race([...next, end]).finally(() => listening.abort());
  }
}

const RUNNING = 'applying: 5,000 of 10,100 lines';
const STOPPING = 'Stopping after the current step';
const STOPPED =
  'Stopped. 10,000 of 10,100 lines were applied; the same command completes the import.';

async function releaseAndEnd(process: Running): Promise<void> {
  await seen(process, STOPPING);
  await blocker.query('COMMIT');
  await process.ended;
  expect(process.written()).toContain(STOPPED);
  expect(await runs(fixture)).toMatchObject([{ state: 'applied' }, { state: 'failed' }]);
  await fixture.rows('DELETE FROM venture.import_run');
  const rest = await fixture.importFile(file);
  expect(totalsOf(rest)).toBe('read 10,100, inserted 100, unchanged 10,000');
}

describe('an import under way', () => {
  afterEach(() => fixture.rows('DELETE FROM venture.import_run'));

  test('is stopped by Ctrl-C on a terminal, and says how far it came', async () => {
    // A terminal of its own: what is typed goes to it, and Ctrl-C to every process in it.
    const line = `npm run ingest --silent -- ${file}`;
    const process = start('script', ['--quiet', '--return', '--command', line, '/dev/null']);
    await seen(process, RUNNING);
    process.child.stdin?.write('\u0003');
    await releaseAndEnd(process);
  });

  test('is stopped when npm is killed, and says how far it came', async () => {
    const process = start('npm', ['run', 'ingest', '--silent', '--', file]);
    await seen(process, 'applying: ');
    process.child.kill('SIGKILL');
    await releaseAndEnd(process);
  });

  test('is stopped when the script that runs it is killed', async () => {
    const process = start('node', [wrapper, command, file]);
    await seen(process, 'applying: ');
    process.child.kill('SIGKILL');
    await releaseAndEnd(process);
  });

  const signals = (['SIGTERM', 'SIGHUP'] as const).slice(0, atLength(1, 2));
  test.each(signals)('is stopped by %s', async (signal) => {
    const process = start('node', [wrapper, command, file]);
    await seen(process, 'applying: ');
    process.child.kill(signal);
    await releaseAndEnd(process);
    expect(process.child.exitCode).toBe(1);
  });
});

test('a signal that comes several times at once is one; a later one stops at once', () => {
  const source = new EventEmitter();
  let now = 0;
  const calls: string[] = [];
  const release = stopOnSignals(
    () => calls.push('first'),
    () => calls.push('again'),
    source,
    () => now,
  );
  source.emit('SIGINT');
  now = 1000;
  source.emit('SIGINT');
  for (const name of ['SIGTERM', 'SIGHUP', 'disconnect']) source.emit(name);
  expect(calls).toEqual(['first']);
  now = 1001;
  source.emit('SIGINT');
  expect(calls).toEqual(['first', 'again']);
  release();
  expect(source.eventNames()).toEqual([]);
});

test.each([
  [undefined, 'Nothing was applied; the same command imports everything.'],
  [
    { step: 'staging', lines: 7 } as const,
    'Nothing was applied; the same command imports everything.',
  ],
  [
    { step: 'applying', lines: 5000, linesMax: 20_000 } as const,
    'At least 5,000 of 20,000 lines were applied; the same command completes the import.',
  ],
])('what is stopped at once says how far it came: %j', (progress, sentence) => {
  expect(stoppedAtOnce(progress)).toBe(`Stopped immediately. ${sentence}`);
});

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { repositoryRoot } from '@vcds/local-stack';
import {
  atLength,
  dataFolder,
  describeWithData,
  eventually,
  findChromium,
  freePort,
  runs,
  testClock,
} from '@vcds/test-kit';

describe('dataFolder', () => {
  test('is the folder of VCDS_DATA_DIR, else beside the repository', () => {
    expect(dataFolder({ VCDS_DATA_DIR: '/data' })).toBe('/data');
    expect(dataFolder({})).toBe(join(repositoryRoot, '../shared/data'));
    expect(dataFolder({ VCDS_DATA_DIR: '' })).toBe(join(repositoryRoot, '../shared/data'));
  });
});

describeWithData('describeWithData', (folder) => {
  test('runs its tests with the folder where it is there', () => {
    expect(folder).toBe(dataFolder());
  });
});

describe('findChromium', () => {
  test('is what VCDS_CHROMIUM names, none when that is off, else what is on PATH', () => {
    expect(findChromium({ VCDS_CHROMIUM: '/opt/chromium' })).toBe('/opt/chromium');
    expect(findChromium({ VCDS_CHROMIUM: 'off', PATH: process.env.PATH })).toBeUndefined();
    expect(findChromium({ PATH: '/nowhere' })).toBeUndefined();
    expect(findChromium({})).toBeUndefined();
  });
});

test('freePort gives no port twice in a run, though nothing listens on those it gave', async () => {
  // Drawn by chance from 22,528, two of 600 are the same all but always.
  const ports = await Promise.all(Array.from({ length: 600 }, freePort));
  expect(new Set(ports).size).toBe(600);
});

describe('testClock', () => {
  test('stands still until moved, on both scales', () => {
    const clock = testClock('2024-02-29T00:00:00Z');
    expect(clock.wallMs()).toBe(Date.UTC(2024, 1, 29));
    const before = clock.monotonicMs();
    clock.advance(1_500);
    expect(clock.wallMs()).toBe(Date.UTC(2024, 1, 29) + 1_500);
    expect(clock.monotonicMs() - before).toBe(1_500);
  });

  test('can have its wall clock set back without time running backwards', () => {
    const clock = testClock('2024-02-29T00:00:00Z');
    clock.advance(10);
    clock.setWall('2020-01-01T00:00:00Z');
    expect(clock.wallMs()).toBe(Date.UTC(2020, 0, 1));
    expect(clock.monotonicMs()).toBe(10);
  });

  test('rejects moving backwards and values that are no instants', () => {
    expect(() => testClock('yesterday')).toThrow('"yesterday" is no ISO 8601 instant');
    expect(() => testClock().advance(-1)).toThrow(RangeError);
  });
});

describe('eventually', () => {
  test('polls until the probe neither throws nor returns false, and returns its result', async () => {
    let calls = 0;
    const probe = () => {
      calls += 1;
      if (calls === 1) throw new Error('not yet');
      return calls < 3 ? false : `call ${calls}`;
    };
    expect(await eventually(probe, { intervalMs: 0 })).toBe('call 3');
    expect(await eventually(async () => expect(calls).toBe(3))).toBeUndefined();
  });

  test('gives up at its deadline, and names the probe and its last failure', async () => {
    const short = { timeoutMs: 30, intervalMs: 1 };
    const isThere = () => false;
    await expect(eventually(isThere, short)).rejects.toThrow(
      /^Not within 30 ms: \(\)\s*=>\s*false\nLast failure: it returned false$/,
    );
    const failing = () => Promise.reject(new Error('closed'));
    await expect(eventually(failing, short)).rejects.toThrow('Last failure: closed');
    const silent = () => new Promise(() => undefined);
    await expect(eventually(silent, short)).rejects.toThrow('Last failure: it has not answered');
  });
});

test('runs and atLength repeat more often in a soak, and in no other run', () => {
  const isSoak = process.env.VCDS_SOAK === '1';
  const few = 5;
  expect(runs(few)).toEqual({ numRuns: isSoak ? 100 : 5 });
  expect(atLength(few, 50)).toBe(isSoak ? 50 : 5);
});

test('npm run size counts every line of the sources under version control once', () => {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: repositoryRoot, encoding: 'utf8' });
  const script = join(repositoryRoot, 'packages/test-kit/bin/size.mjs');
  const table = execFileSync(process.execPath, [script, 'HEAD'], { encoding: 'utf8' });
  const rows = table.trimEnd().split('\n');

  // The benches are tools.
  const paths = ['*/src/*.ts', ':!packages/bench'];
  const source = git('grep', '-c', '-e', '', 'HEAD', '--', ...paths)
    .trimEnd()
    .split('\n');
  const lines = source.reduce((sum, line) => sum + Number(line.split(':').at(-1)), 0);
  const before = rows.map((row) =>
    row
      .slice(40 + 3 * 16, 40 + 4 * 16)
      .trim()
      .split(' '),
  );
  const atHead = before.map(([now = '', change = '']) => Number(now) - Number(change));
  expect(rows[0]).toMatch(/^lines, against HEAD +markdown +sql +test +src +tools$/);
  expect(atHead.at(-1)).toBe(lines);
  expect(atHead.slice(1, -1).reduce((sum, each) => sum + each, 0)).toBe(lines);
});

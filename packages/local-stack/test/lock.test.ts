import { spawn } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { testFolder } from '@vcds/test-kit';

const script = fileURLToPath(new URL('fixtures/run-stack-lock.mjs', import.meta.url));
/** Above the highest pid. */
const UNUSED_PID = 2 ** 22 + 1;

const folder = await testFolder('vcds-lock-');

/** A process that locks the folder at an instant and returns the outcome. */
function starter(options: readonly string[] = []) {
  const child = spawn(process.execPath, [...options, script, folder]);
  const outcomes = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    lockAt: async (instant: number): Promise<{ pid: number | undefined; outcome: string }> => {
      child.stdin.write(`${instant}\n`);
      return { pid: child.pid, outcome: String((await outcomes.next()).value) };
    },
    end: () => child.stdin.end(),
  };
}

test('of several simultaneous starts after a killed stack, only one locks the folder', async () => {
  const starters = [starter(), starter(), starter()];
  for (let round = 0; round < 40; round += 1) {
    await writeFile(join(folder, 'stack.pid'), `${UNUSED_PID}\n`);
    const instant = Date.now() + 5;
    const results = await Promise.all(starters.map(({ lockAt }) => lockAt(instant)));
    const [first, ...others] = results.filter(({ outcome }) => outcome === 'locked');
    expect(others).toEqual([]);
    expect(await readFile(join(folder, 'stack.pid'), 'utf8')).toBe(`${first?.pid}\n`);
    const rejected = results.filter(({ outcome }) => outcome.includes(`(process ${first?.pid})`));
    expect(rejected).toHaveLength(2);
    expect(await readdir(folder)).toEqual(['stack.pid']);
  }
  for (const { end } of starters) end();
});

/** Node options with which a call of the file system fails with a code. */
function failing(call: string, code: string): string[] {
  const script = `
    import fs from 'node:fs/promises';
    import { syncBuiltinESMExports } from 'node:module';
    fs.${call} = async () => { throw Object.assign(new Error('${code}'), { code: '${code}' }); };
    syncBuiltinESMExports();`;
  return ['--import', `data:text/javascript,${encodeURIComponent(script)}`];
}

test.each([
  ['link', 'EPERM', /is on a file system without hard links.* Set LOCAL_DIR to .*\.$/],
  ['link', 'ENOTSUP', /is on a file system without hard links/],
  ['mkdir', 'EACCES', /is not writable: .* or set LOCAL_DIR to another folder\.$/],
  ['mkdir', 'EROFS', /is on a read-only file system\. Set LOCAL_DIR to /],
  ['writeFile', 'ENOSPC', /is on a full disk\. Free some space, /],
])('if %s fails with %s, the error is one sentence', async (call, code, sentence) => {
  const { lockAt, end } = starter(failing(call, code));
  const { outcome } = await lockAt(Date.now());
  expect(outcome.startsWith(`${folder} `)).toBe(true);
  expect(outcome).toMatch(sentence);
  end();
});

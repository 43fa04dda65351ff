import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const script = fileURLToPath(new URL('fixtures/run-stack-lock.mjs', import.meta.url));
/** Beyond the highest there can be. */
const nobody = 2 ** 22 + 1;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vcds-lock-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** A process that locks the folder at an instant and answers how that went. */
function starter(options: readonly string[] = []) {
  const child = spawn(process.execPath, [...options, script, folder]);
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    lockAt: async (instant: number): Promise<{ pid: number | undefined; outcome: string }> => {
      child.stdin.write(`${instant}\n`);
      return { pid: child.pid, outcome: String((await answers.next()).value) };
    },
    end: () => child.stdin.end(),
  };
}

test('of several starts at once after a stack that was killed, one alone has the folder', async () => {
  const starters = [starter(), starter(), starter()];
  for (let round = 0; round < 40; round += 1) {
    await writeFile(join(folder, 'stack.pid'), `${nobody}\n`);
    const instant = Date.now() + 5;
    const answers = await Promise.all(starters.map(({ lockAt }) => lockAt(instant)));
    const [first, ...others] = answers.filter(({ outcome }) => outcome === 'locked');
    expect(others).toEqual([]);
    expect(await readFile(join(folder, 'stack.pid'), 'utf8')).toBe(`${first?.pid}\n`);
    const refused = answers.filter(({ outcome }) => outcome.includes(`(process ${first?.pid})`));
    expect(refused).toHaveLength(2);
    expect(await readdir(folder)).toEqual(['stack.pid']);
  }
  for (const { end } of starters) end();
});

/** Node options under which a call of the file system fails with a code, as on another one. */
function failing(call: string, code: string): string[] {
  const fault = `
    import fs from 'node:fs/promises';
    import { syncBuiltinESMExports } from 'node:module';
    fs.${call} = async () => { throw Object.assign(new Error('${code}'), { code: '${code}' }); };
    syncBuiltinESMExports();`;
  return ['--import', `data:text/javascript,${encodeURIComponent(fault)}`];
}

test.each([
  ['link', 'EPERM', /is on a file system without hard links.* Set LOCAL_DIR to .*\.$/],
  ['link', 'ENOTSUP', /is on a file system without hard links/],
  ['mkdir', 'EACCES', /may not be written: .* or set LOCAL_DIR to another folder\.$/],
  ['mkdir', 'EROFS', /is on a read-only file system\. Set LOCAL_DIR to /],
  ['writeFile', 'ENOSPC', /is on a disk that is full\. Free some space, /],
])('a %s that fails with %s ends in one sentence', async (call, code, sentence) => {
  const { lockAt, end } = starter(failing(call, code));
  const { outcome } = await lockAt(Date.now());
  expect(outcome.startsWith(`${folder} `)).toBe(true);
  expect(outcome).toMatch(sentence);
  end();
});

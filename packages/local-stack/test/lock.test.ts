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
function starter() {
  const child = spawn(process.execPath, [script, folder]);
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

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { openGuardian } from '@vcds/local-stack';
import { eventually } from '../../test-kit/src/eventually.ts';

const script = fileURLToPath(new URL('fixtures/guarded.mjs', import.meta.url));

/** Whether a process has exited; a zombie has. */
async function isGone(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
}

test('a guardian runs the tasks of a killed process, and no removed ones', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vcds-guarded-'));
  const file = join(tmpdir(), `vcds-guarded-${process.pid}`);
  await writeFile(join(folder, 'inside'), '');
  const guarded = spawn(process.execPath, [script, folder, file], { stdio: 'pipe' });
  const [line] = await once(guarded.stdout.setEncoding('utf8'), 'data');
  const pids: { obedient: number; stubborn: number; released: number } = JSON.parse(line);
  guarded.kill('SIGKILL');
  await eventually(async () => (await isGone(pids.obedient)) && (await isGone(pids.stubborn)));
  await eventually(() => !existsSync(folder));
  await eventually(() => existsSync(file));
  expect(await readFile(file, 'utf8')).toBe('ran\n');
  expect(await isGone(pids.released)).toBe(false);
  process.kill(pids.released, 'SIGKILL');
  await rm(file);
});

test('closing a guardian runs the remaining tasks and waits for them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vcds-guarded-'));
  const kept = await mkdtemp(join(tmpdir(), 'vcds-guarded-'));
  const guardian = openGuardian();
  guardian.remove(folder);
  guardian.remove(kept)();
  await guardian.close();
  expect(existsSync(folder)).toBe(false);
  expect(existsSync(kept)).toBe(true);
  await rm(kept, { recursive: true });
});

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { commandLine, isAlive } from '../processes/inspect.ts';

const STOP_TIMEOUT_MS = 30_000;
const POLL_MS = 50;

/**
 * Stops a PostgreSQL of an earlier run that still uses this data, and removes the lock file of one
 * that was killed: another program may have its pid by now, which would prevent the start.
 */
export async function stopStaleServer(data: string): Promise<void> {
  const lockFile = join(data, 'postmaster.pid');
  const [firstLine] = (await readFile(lockFile, 'utf8').catch(() => '')).split('\n');
  if (!firstLine) return;
  const pid = Number.parseInt(firstLine, 10);
  const isServer = async () => (await commandLine(pid)).includes(data);
  if (!isAlive(pid) || !(await isServer())) {
    await rm(lockFile, { force: true });
    return;
  }
  process.kill(pid, 'SIGINT');
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (isAlive(pid) && (await isServer())) {
    if (Date.now() > deadline)
      throw new Error(`PostgreSQL (process ${pid}), which uses ${data}, does not stop.`);
    await delay(POLL_MS);
  }
}

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { commandLine, isAlive } from '../processes/inspect.ts';

const stopTimeoutMs = 30_000;
const pollMs = 50;

/**
 * Stops a PostgreSQL that still runs on this data although nobody owns it any more, and removes
 * the lock file of one that was killed (its pid may belong to another program by now, which
 * would make the server refuse to start).
 */
export async function stopForgottenServer(data: string): Promise<void> {
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
  const deadline = Date.now() + stopTimeoutMs;
  while (isAlive(pid) && (await isServer())) {
    if (Date.now() > deadline)
      throw new Error(`PostgreSQL (process ${pid}) on ${data} does not stop.`);
    await delay(pollMs);
  }
}

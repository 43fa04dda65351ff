import { readFile, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '@vcds/service-kit/error-code';
import { commandLine, isAlive } from './inspect.ts';

const STOP_TIMEOUT_MS = 30_000;
const POLL_MS = 50;

/** A server that writes the id of its process to a file in its folder. */
export interface ServerProcess {
  readonly name: string;
  readonly folder: string;
  /** Its first line is the id. It remains if the server is killed. */
  readonly pidFile: string;
  /** Whether a command line is that of the server of this folder: another program may get its id. */
  readonly isCommand: (commandLine: string) => boolean;
  readonly stopSignal: NodeJS.Signals;
}

/** The id of the process of a server; undefined if it does not run. */
export async function runningPid(server: ServerProcess): Promise<number | undefined> {
  const text = await readFile(server.pidFile, 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  return pid > 0 && (await isServer(server, pid)) ? pid : undefined;
}

/**
 * Stops a server of an earlier run that still uses its folder, and removes the file of one that was
 * killed.
 * @throws Error with its process if it does not stop.
 */
export async function stopStaleServer(server: ServerProcess): Promise<void> {
  const pid = await runningPid(server);
  if (pid !== undefined) await stopProcess(server, pid);
  await rm(server.pidFile, { force: true });
}

async function stopProcess(server: ServerProcess, pid: number): Promise<void> {
  send(pid, server.stopSignal);
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (await isServer(server, pid)) {
    if (Date.now() > deadline)
      throw new Error(
        `${server.name} (process ${pid}), which uses ${server.folder}, does not stop.`,
      );
    await delay(POLL_MS);
  }
}

async function isServer({ isCommand }: ServerProcess, pid: number): Promise<boolean> {
  return isAlive(pid) && isCommand(await commandLine(pid));
}

/** The guardian of its stack may have stopped it in the meantime. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

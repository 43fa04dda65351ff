import { setTimeout as delay } from 'node:timers/promises';
import { describeEnd, type ManagedProcess } from './managed-process.ts';

const POLL_MS = 25;

/** Why a process is not ready; `isFinal` if it will not become ready. */
export interface NotReady {
  readonly reason: string;
  readonly isFinal?: boolean;
}

export interface ReadinessWait {
  /** Checks once; undefined means ready. */
  readonly probe: () => Promise<NotReady | undefined>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Polls a process until it is ready.
 * @throws Error with the end of its log if it exits, and with the last reason at the timeout.
 */
export async function untilReady(process: ManagedProcess, wait: ReadinessWait): Promise<void> {
  const deadline = Date.now() + wait.timeoutMs;
  for (;;) {
    const notReady = await wait.probe();
    wait.signal?.throwIfAborted();
    if (!process.isRunning()) throw new Error(await unexpectedEnd(process));
    if (notReady === undefined) return;
    if (notReady.isFinal || Date.now() > deadline) {
      const log = endOfLog(process);
      await process.stop();
      throw new Error(`${process.name} did not become ready: ${notReady.reason}.${log}`);
    }
    await delay(POLL_MS);
  }
}

/** A sentence that a process has ended, and the lines of its log that can show why. */
export async function unexpectedEnd(process: ManagedProcess): Promise<string> {
  return `${process.name} ${describeEnd(await process.ended)}.${endOfLog(process)}`;
}

function endOfLog(process: ManagedProcess): string {
  const lines = process.lastLines();
  if (lines.length === 0) return ` Its log ${process.logFile} has no line that shows why.`;
  return ` The end of ${process.logFile}:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

import { setTimeout as delay } from 'node:timers/promises';
import { describeEnd, lastLines, type ManagedProcess } from '../processes/managed-process.ts';
import { StackError } from './stack-error.ts';

const readyTimeoutMs = 120_000;
const answerTimeoutMs = 5_000;
const pollMs = 50;
const wordsCount = 12;

/**
 * Waits until a service's internal listener answers `/ready` with 200.
 * @throws StackError with its last words when it ends or does not get there.
 */
export async function untilReady(
  service: ManagedProcess,
  internalPort: number,
  signal: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + readyTimeoutMs;
  for (;;) {
    const answer = await probe(internalPort);
    signal.throwIfAborted();
    if (!service.isRunning()) throw await deathOf(service);
    if (answer === 'ready') return;
    if (Date.now() > deadline) {
      const log = await logTail(service);
      throw new StackError(`${service.name} does not become ready (${answer}).${log}`);
    }
    await delay(pollMs);
  }
}

/** Says that a process ended by itself, how, and what it wrote last. */
export async function deathOf(service: ManagedProcess): Promise<StackError> {
  const end = describeEnd(await service.ended);
  return new StackError(`${service.name} ${end}.${await logTail(service)}`);
}

async function logTail({ logFile }: ManagedProcess): Promise<string> {
  const words = await lastLines(logFile, wordsCount);
  if (words.length === 0) return ` It wrote nothing to ${logFile}.`;
  return ` The end of ${logFile}:\n${words.map((line) => `  ${line}`).join('\n')}`;
}

async function probe(port: number): Promise<string> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/ready`, {
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    const body = await response.text();
    return response.status === 200
      ? 'ready'
      : `it answers ${response.status} ${body.slice(0, 300)}`;
  } catch {
    return `nothing answers on port ${port}`;
  }
}

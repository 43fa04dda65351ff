import { pbkdf2 } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Guardian, type ManagedProcess, openGuardian } from '@vcds/local-stack';
import { type ProcessSpec, startProcess } from '../src/processes/managed-process.ts';

let folder: string;
let guardian: Guardian;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vcds-managed-'));
  guardian = openGuardian();
});

afterAll(async () => {
  await guardian.close();
  await rm(folder, { recursive: true });
});

function start(command: string, ...args: string[]): Promise<ManagedProcess> {
  return startWith({}, command, ...args);
}

function startWith(
  more: Partial<ProcessSpec>,
  command: string,
  ...args: string[]
): Promise<ManagedProcess> {
  return startProcess({
    name: 'Something',
    command,
    args,
    env: {},
    logFile: join(folder, 'something.log'),
    onErrorLine: () => false,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 5_000,
    guardian,
    ...more,
  });
}

/** Keeps the threads of file operations busy. */
function delayFiles(): void {
  for (let job = 0; job < 16; job += 1) pbkdf2('', '', 5_000, 64, 'sha512', () => undefined);
}

describe('a process', () => {
  test('that exits at once resolves ended, and its output is in the log', async () => {
    for (let round = 0; round < 10; round += 1) {
      const starting = start('/bin/sh', '-c', 'echo "cannot $0" >&2; exit 3', String(round));
      delayFiles();
      const process = await starting;
      expect(await process.ended).toEqual({ code: 3, signal: null });
      expect(process.isRunning()).toBe(false);
      expect(await readFile(process.logFile, 'utf8')).toBe(`cannot ${round}\n`);
    }
  });

  test('that leads a group is stopped with its children, even those that ignore the signal', async () => {
    let isUp: () => void = () => undefined;
    const up = new Promise<void>((resolve) => {
      isUp = resolve;
    });
    const stubborn = 'trap "" TERM; echo up >&2; while :; do sleep 0.1; done';
    const group = await startWith(
      {
        isGroup: true,
        stopTimeoutMs: 300,
        onErrorLine: () => {
          isUp();
          return true;
        },
      },
      ...(['/bin/sh', '-c', `/bin/sh -c '${stubborn}' & wait`] as const),
    );
    await up;
    // It ends once its standard error is closed, which the child keeps open.
    expect(await group.stop()).toEqual({ code: null, signal: 'SIGTERM' });
  });

  test('that cannot be started is an error with its name and command', async () => {
    const command = join(folder, 'nowhere');
    await expect(start(command)).rejects.toThrow(
      `Something cannot be started (${command}): spawn ${command} ENOENT`,
    );
  });
});

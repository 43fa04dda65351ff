import { pbkdf2 } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Guardian, type ManagedProcess, openGuardian } from '@vcds/local-stack';
import { eventually } from '../../test-kit/src/eventually.ts';
import { openLogFile } from '../src/processes/log-file.ts';
import { type ProcessSpec, startProcess } from '../src/processes/managed-process.ts';
import { ProcessGroup } from '../src/stack/process-group.ts';

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

test('of several processes that exit, the group names the first one first', async () => {
  const group = new ProcessGroup();
  // The end of a group is complete when its output closes: here, after the end of the second.
  const output = join(folder, 'output-is-open');
  await writeFile(output, '');
  const child = 'while [ -e "$0" ]; do sleep 0.02; done';
  const first = await startWith(
    { name: 'First', isGroup: true },
    ...(['/bin/sh', '-c', `/bin/sh -c '${child}' "$0" & exit 3`, output] as const),
  );
  await eventually(() => !first.isRunning());
  const second = await startWith({ name: 'Second' }, '/bin/sh', '-c', 'exit 4');
  group.add(first);
  group.add(second);
  await second.ended;
  await rm(output);
  await group.halted;
  expect(group.reason?.message).toMatch(
    /^First ended with exit code 3\..*\nThen Second ended with exit code 4\.$/s,
  );
});

describe('a log file', () => {
  const line = (level: string, msg: string) => JSON.stringify({ level, msg });

  test('is renamed at its limit, so that two files of this size remain', async () => {
    const path = join(folder, 'bounded.log');
    const log = openLogFile(path, 100);
    for (let n = 10; n < 40; n += 1) log.write(`line ${n}, of 20 byte`);
    log.close();
    log.write('a line after the end');
    const texts = await Promise.all([`${path}.1`, path].map((file) => readFile(file, 'utf8')));
    expect(texts.map((text) => text.length <= 100)).toEqual([true, true]);
    expect(texts.join('').trimEnd().split('\n').at(-1)).toBe('line 39, of 20 byte');
    expect((await readdir(folder)).filter((name) => name.startsWith('bounded'))).toHaveLength(2);
  });

  test('has the last warnings and the last lines that are not calls', () => {
    const log = openLogFile(join(folder, 'lines.log'));
    const lines = [
      ...Array.from({ length: 20 }, (_, n) => line('warn', `warning ${n}`)),
      ...Array.from({ length: 20 }, (_, n) => line('info', `detail ${n}`)),
      ...Array.from({ length: 500 }, () => line('info', 'request')),
      'Error: out of memory',
    ];
    for (const each of lines) log.write(each);
    log.close();
    expect(log.lastLines()).toEqual([...lines.slice(8, 20), ...lines.slice(29, 40), lines.at(-1)]);
  });
});

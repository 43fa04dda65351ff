import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorCode } from '@vcds/service-kit/error-code';
import type { Guardian, Unregister } from './guardian.ts';

const TAIL_BYTES_MAX = 16_384;

/** A numeric user and group to run as; only root can set others than its own. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export interface ProcessSpec {
  /** Its name in messages. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly account?: Account | undefined;
  /** Receives its output; the file of the previous run is kept as `….1`. */
  readonly logFile: string;
  /** Also receives each line of standard output; true omits the line from the log. */
  readonly onLine?: (line: string) => boolean | undefined;
  /** Also receives each line of standard error; true omits the line from the log. */
  readonly onErrorLine?: (line: string) => boolean | undefined;
  readonly stopSignal: NodeJS.Signals;
  /** Send signals also to the processes it has started, such as the child of a watcher. */
  readonly isGroup?: boolean;
  /** Time for an orderly stop, before SIGKILL. */
  readonly stopTimeoutMs: number;
  readonly guardian: Guardian;
}

/** How a process ended: an exit code or a signal. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ManagedProcess {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** Resolves when it has exited. */
  readonly ended: Promise<ProcessEnd>;
  isRunning(): boolean;
  /** Sends the stop signal and waits; sends SIGKILL after the timeout. Safe to repeat. */
  stop(): Promise<ProcessEnd>;
  /** Sends SIGKILL. */
  kill(): void;
}

/**
 * Starts a process in its own session (Ctrl-C in the terminal does not reach it), registered with a
 * guardian. Its output goes to a file.
 * @throws Error with the command if it cannot be started.
 */
export async function startProcess(spec: ProcessSpec): Promise<ManagedProcess> {
  const log = await openLog(spec.logFile);
  try {
    return await watched(spawnLogged(spec, log.fd), spec);
  } finally {
    await log.close();
  }
}

/** Must be called in the same tick as spawn: the process may exit in the next one. */
async function watched(logged: LoggedChild, spec: ProcessSpec): Promise<ManagedProcess> {
  const { child } = logged;
  const pid = child.pid;
  if (pid === undefined) throw await spawnFailure(child, spec);
  // It leads a process group, which a negative id names.
  const target = spec.isGroup === true ? -pid : pid;
  const unregister = spec.guardian.stop(target, spec.stopSignal, spec.stopTimeoutMs);
  // The error of a signal that cannot be delivered: the timeout of stop covers it.
  child.on('error', () => undefined);
  const ended = whenEnded(logged, unregister);
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const send = (signal: NodeJS.Signals) => {
    if (spec.isGroup === true) killGroup(pid, signal);
    else child.kill(signal);
  };
  return {
    name: spec.name,
    pid,
    logFile: spec.logFile,
    ended,
    isRunning,
    stop: async () => {
      send(spec.stopSignal);
      const timer = setTimeout(() => send('SIGKILL'), spec.stopTimeoutMs);
      try {
        return await ended;
      } finally {
        clearTimeout(timer);
      }
    },
    kill: () => send('SIGKILL'),
  };
}

/** Sends a signal to a process and the processes it has started, which may outlive it. */
function killGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

/** The last lines of a log file, at most 16 KiB, for a message about a process that exited. */
export async function lastLines(logFile: string, count: number): Promise<string[]> {
  try {
    const file = await open(logFile, 'r');
    try {
      const { size } = await file.stat();
      const start = Math.max(0, size - TAIL_BYTES_MAX);
      const tail = Buffer.alloc(size - start);
      await file.read(tail, 0, tail.length, start);
      return tail.toString('utf8').trimEnd().split('\n').slice(-count).filter(Boolean);
    } finally {
      await file.close();
    }
  } catch {
    // There is no log.
    return [];
  }
}

/** "ended with exit code 1" or "was ended by SIGKILL". */
export function describeEnd({ code, signal }: ProcessEnd): string {
  return signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
}

type LoggedChild = ReturnType<typeof spawnLogged>;

async function openLog(logFile: string): Promise<FileHandle> {
  await mkdir(dirname(logFile), { recursive: true });
  await rename(logFile, `${logFile}.1`).catch(() => undefined);
  return open(logFile, 'a', 0o600);
}

function spawnLogged(spec: ProcessSpec, log: number) {
  const child = spawn(spec.command, spec.args, {
    cwd: spec.cwd,
    env: spec.env,
    detached: true,
    stdio: ['ignore', spec.onLine ? 'pipe' : log, spec.onErrorLine ? 'pipe' : log],
    ...spec.account,
  });
  // Resolves when the lines that pass through this process are in the log.
  const copied = Promise.all([
    follow(child.stdout, spec.logFile, spec.onLine),
    follow(child.stderr, spec.logFile, spec.onErrorLine),
  ]);
  return { child, copied };
}

/** Copies a stream to the log that the process does not write to it itself. */
async function follow(
  stream: Readable | null,
  logFile: string,
  onLine: ProcessSpec['onLine'],
): Promise<void> {
  if (stream === null || onLine === undefined) return;
  async function* loggedLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const line of lines) if (onLine?.(line) !== true) yield `${line}\n`;
  }
  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  // With a full disk, continue to read, so that the process continues.
  await pipeline(loggedLines(lines), createWriteStream(logFile, { flags: 'a' })).catch(() => {
    stream.resume();
  });
}

function whenEnded({ child, copied }: LoggedChild, unregister: Unregister): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      unregister();
      copied.then(() => resolve({ code, signal }));
    });
  });
}

function spawnFailure(child: ChildProcess, spec: ProcessSpec): Promise<Error> {
  return new Promise((resolve) => {
    child.once('error', (cause) => {
      resolve(new Error(`${spec.name} cannot be started (${spec.command}): ${cause.message}`));
    });
  });
}

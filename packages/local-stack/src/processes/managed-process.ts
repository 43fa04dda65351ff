import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '@vcds/service-kit/error-code';
import type { Guardian, Unregister } from './guardian.ts';
import { type LogFile, openLogFile } from './log-file.ts';

/** Children of a process that ended may keep its output open; they are not waited for longer. */
const OUTPUT_MS_MAX = 2_000;

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
  /** Receives its output; at 32 MiB it is renamed to `….1`, as is the file of the previous run. */
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
  /** When it exited, in milliseconds of `performance.now()`; undefined while it runs. */
  exitedAt(): number | undefined;
  /** The last lines of its output, without calls, and the last warnings and errors. */
  lastLines(): string[];
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
  const log = openLogFile(spec.logFile);
  return watched(spawnLogged(spec, log), spec, log);
}

/** Must be called in the same tick as spawn: the process may exit in the next one. */
async function watched(
  logged: LoggedChild,
  spec: ProcessSpec,
  log: LogFile,
): Promise<ManagedProcess> {
  const { child } = logged;
  const pid = child.pid;
  if (pid === undefined) {
    log.close();
    throw await spawnFailure(child, spec);
  }
  // It leads a process group, which a negative id names.
  const target = spec.isGroup === true ? -pid : pid;
  const unregister = spec.guardian.stop(target, spec.stopSignal, spec.stopTimeoutMs);
  // The error of a signal that cannot be delivered: the timeout of stop covers it.
  child.on('error', () => undefined);
  let exitedAt: number | undefined;
  child.once('exit', () => {
    exitedAt = performance.now();
  });
  const ended = whenEnded(logged, spec, unregister);
  ended.then(log.close);
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
    exitedAt: () => exitedAt,
    lastLines: log.lastLines,
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

/** "ended with exit code 1" or "was ended by SIGKILL". */
export function describeEnd({ code, signal }: ProcessEnd): string {
  return signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
}

type LoggedChild = ReturnType<typeof spawnLogged>;

function spawnLogged(spec: ProcessSpec, log: LogFile) {
  const child = spawn(spec.command, spec.args, {
    cwd: spec.cwd,
    env: spec.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...spec.account,
  });
  // Resolves when all its output is in the log.
  const copied = Promise.all([
    follow(child.stdout, log, spec.onLine),
    follow(child.stderr, log, spec.onErrorLine),
  ]);
  return { child, copied };
}

async function follow(
  stream: Readable,
  log: LogFile,
  onLine: ProcessSpec['onLine'],
): Promise<void> {
  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on('line', (line) => {
    if (onLine?.(line) !== true) log.write(line);
  });
  await new Promise<void>((resolve) => {
    lines.once('close', resolve);
  });
}

function whenEnded(
  { child, copied }: LoggedChild,
  { isGroup }: ProcessSpec,
  unregister: Unregister,
): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('exit', async (code, signal) => {
      unregister();
      const limit = isGroup === true ? [] : [delay(OUTPUT_MS_MAX, undefined, { ref: false })];
      await Promise.race([copied, ...limit]);
      resolve({ code, signal });
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

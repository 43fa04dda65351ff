import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Forget, Guardian } from './guardian.ts';

/** A numeric user and group to run as; only root may give one other than its own. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export interface ProcessSpec {
  /** What to call it in messages. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly account?: Account | undefined;
  /** Takes all it writes; the previous run's is kept beside it as `….1`. */
  readonly logFile: string;
  /** Hears each line of standard output as well. */
  readonly onLine?: (line: string) => void;
  readonly stopSignal: NodeJS.Signals;
  /** How long an orderly stop may take before SIGKILL. */
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
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<ProcessEnd>;
  isRunning(): boolean;
  /** Asks it to stop, waits, and kills it when it does not. Safe to call again. */
  stop(): Promise<ProcessEnd>;
  /** SIGKILL, at once. */
  kill(): void;
}

/**
 * Starts a process in a session of its own (a Ctrl-C in the terminal does not reach it), its
 * output going to a file, watched over by a guardian.
 * @throws Error naming the command when it cannot be started.
 */
export async function startProcess(spec: ProcessSpec): Promise<ManagedProcess> {
  const child = await spawnLogged(spec);
  const pid = child.pid;
  if (pid === undefined) throw await spawnFailure(child, spec);
  const forget = spec.guardian.stop(pid, spec.stopSignal, spec.stopTimeoutMs);
  const ended = whenEnded(child, forget);
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    name: spec.name,
    pid,
    logFile: spec.logFile,
    ended,
    isRunning,
    stop: async () => {
      child.kill(spec.stopSignal);
      const timer = setTimeout(() => child.kill('SIGKILL'), spec.stopTimeoutMs);
      try {
        return await ended;
      } finally {
        clearTimeout(timer);
      }
    },
    kill: () => {
      child.kill('SIGKILL');
    },
  };
}

/** The last lines of a log file, for a message about a process that died; at most 16 KiB. */
export async function lastLines(logFile: string, count: number): Promise<string[]> {
  const text = await readFile(logFile, 'utf8').catch(() => '');
  return text.slice(-16_384).trimEnd().split('\n').slice(-count).filter(Boolean);
}

/** "ended with exit code 1" or "was ended by SIGKILL". */
export function describeEnd({ code, signal }: ProcessEnd): string {
  return signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
}

async function spawnLogged(spec: ProcessSpec): Promise<ChildProcess> {
  await mkdir(dirname(spec.logFile), { recursive: true });
  await rename(spec.logFile, `${spec.logFile}.1`).catch(() => undefined);
  const log = await open(spec.logFile, 'a', 0o600);
  try {
    const child = spawn(spec.command, spec.args, {
      cwd: spec.cwd,
      env: spec.env,
      detached: true,
      stdio: ['ignore', spec.onLine === undefined ? log.fd : 'pipe', log.fd],
      ...spec.account,
    });
    if (spec.onLine !== undefined) followLines(child, spec.logFile, spec.onLine);
    return child;
  } finally {
    await log.close();
  }
}

function followLines(child: ChildProcess, logFile: string, onLine: (line: string) => void): void {
  if (child.stdout === null) return;
  const copy = createWriteStream(logFile, { flags: 'a' });
  child.stdout.pipe(copy);
  createInterface({ input: child.stdout }).on('line', onLine);
}

function whenEnded(child: ChildProcess, forget: Forget): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      forget();
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

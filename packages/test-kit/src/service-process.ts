import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { repositoryRoot } from '@vcds/local-stack/state';
import { eventually } from './eventually.ts';

/** The programs of the product, as they are deployed. */
export const PROGRAMS = {
  'access-api': 'services/access-api/dist/main.js',
  worker: 'services/access-api/dist/worker-main.js',
  'data-api': 'services/data-api/dist/main.js',
  'data-worker': 'services/data-api/dist/worker/worker-main.js',
} as const;

export type ProgramName = keyof typeof PROGRAMS;

/** A program in a process of its own. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  /** The port of each listener. @throws Error with its output if it ends before it listens. */
  readonly ports: Promise<Readonly<Record<string, number>>>;
  /** Everything it wrote so far. */
  readonly output: () => string;
  /** Resolves once `/ready` answers 200, by default within a minute, with the URL of the internal listener. */
  ready(timeoutMs?: number): Promise<string>;
  /**
   * Ends it by a signal. Resolves once `output` is complete, with the exit status; null when the
   * signal ended it.
   */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Short-lived processes: optimizing Prisma's WebAssembly takes longer than it saves. */
const NODE_FLAGS = [
  '--liftoff-only',
  // Standard input is a pipe of this process: it ends with it, in whatever way, and ends the program.
  `--import=data:text/javascript,${encodeURIComponent(`
    import { isMainThread } from 'node:worker_threads';
    const end = () => process.kill(process.pid, 'SIGKILL');
    if (isMainThread) process.stdin.on('end', end).resume().unref();
  `)}`,
] as const;

const running = new Set<ChildProcess>();

/**
 * Starts a program, or another module by its path in the repository, with these variables and no
 * others, on ports that the system chooses unless the variables name them. It ends at the latest with
 * this process.
 */
export function spawnService(
  program: string,
  environment: NodeJS.ProcessEnv,
  args: readonly string[] = [],
): ServiceProcess {
  const module = join(repositoryRoot, PROGRAMS[program as ProgramName] ?? program);
  const ports = {
    ACCESS_API: '0',
    ACCESS_API_INTERNAL: '0',
    DATA_API: '0',
    DATA_API_INTERNAL: '0',
    DATA_WORKER_INTERNAL: '0',
  };
  const free = Object.entries({ ...ports, WORKER_INTERNAL: '0' }).map(([name, port]) => [
    `${name}_PORT`,
    port,
  ]);
  const env = {
    PATH: process.env.PATH,
    DRAIN_MS: '0',
    FREE_WORK_PERCENT: '100',
    MX_CHECK: 'off',
    ...Object.fromEntries(free),
    ...environment,
  };
  const words = [...NODE_FLAGS, module, ...args];
  const child = spawn(process.execPath, words, { cwd: repositoryRoot, env });
  child.stdin.on('error', () => undefined);
  if (process.env.JEST_WORKER_ID !== undefined) {
    // A test file that failed while it loaded must not keep Jest from its end.
    child.unref();
    for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as Socket).unref();
  }
  running.add(child);
  let output = '';
  const closed = once(child, 'close').finally(() => running.delete(child));
  const listening = new Promise<Record<string, number>>((resolve, reject) => {
    let isListening = false;
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      if (isListening) return;
      const ports = /"ports":(\{[^{}]*\})/.exec(output)?.[1];
      isListening = ports !== undefined;
      if (ports !== undefined) resolve(JSON.parse(ports));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    closed.then(() => reject(new Error(`${program} ended: ${output.slice(-4_000)}`)), reject);
  });
  // A test of a process that fails to start reads only its output.
  listening.catch(() => undefined);
  return {
    child,
    ports: listening,
    output: () => output,
    ready: async (timeoutMs = 60_000) => {
      const url = `http://127.0.0.1:${(await listening).internal}`;
      await eventually(async () => (await fetch(`${url}/ready`)).ok, { timeoutMs });
      return url;
    },
    end: async (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      const [status] = await closed;
      return status;
    },
  };
}

/** Ends by SIGKILL what a failed test left running. */
export function killServices(): void {
  for (const child of running) child.kill('SIGKILL');
}

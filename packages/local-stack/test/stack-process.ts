import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stateFolders } from '@vcds/local-stack';
import { freePort } from '@vcds/test-kit';
import pg from 'pg';

/** A process of `npm start` with fixture services. */
export type StackProcess = ReturnType<typeof run>;

/** Matches the output of a stack that is ready. */
export const READY = /is ready\./;

/** A local folder and ports for the stacks of a test file. */
export type StackHome = Awaited<ReturnType<typeof makeHome>>;

const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

export async function makeHome() {
  const local = mkdtempSync(join(tmpdir(), 'vcds-stack-'));
  const ports = [
    'DATA_API_PORT',
    'DATA_API_INTERNAL_PORT',
    'ACCESS_API_PORT',
    'ACCESS_API_INTERNAL_PORT',
    'WORKER_INTERNAL_PORT',
    'DATA_WORKER_INTERNAL_PORT',
  ];
  const environment: NodeJS.ProcessEnv = { PATH: process.env.PATH, LOCAL_DIR: local };
  for (const name of ports) environment[name] = String(await freePort());
  const started: StackProcess[] = [];
  const start = (args: readonly string[], env: NodeJS.ProcessEnv) => {
    const stack = run(args, env);
    started.push(stack);
    return stack;
  };
  const stopAll = async () => {
    const stacks = started.splice(0);
    for (const stack of stacks) stack.process.kill('SIGTERM');
    for (const stack of stacks) await stack.ended;
  };
  return {
    environment,
    local,
    start: (args: readonly string[] = [], more: NodeJS.ProcessEnv = {}) =>
      start([fixture('run-stack.mjs'), ...args], { ...environment, ...more }),
    /** Starts another program with the folder and ports. */
    startProgram: (args: readonly string[]) => start(args, { ...process.env, ...environment }),
    /** Starts a stack through a fixture of npm, and returns the process of npm. */
    startThroughNpm: () => start([fixture('npm.mjs')], environment),
    /** Stops running stacks, as after a failed test, so that the next test can use the folder. */
    stopAll,
    remove: async () => {
      await stopAll();
      await rm(stateFolders(environment).postgres, { recursive: true, force: true });
      await rm(local, { recursive: true, force: true });
    },
  };
}

/** Stops a stack as Ctrl-C does; resolves with its exit code. */
export async function stop(stack: StackProcess): Promise<number | NodeJS.Signals> {
  stack.process.kill('SIGINT');
  return stack.ended;
}

interface Runtime {
  readonly environment: Readonly<Record<string, string>>;
}

/** The runtime file of a running stack. */
export async function runtime({ local }: StackHome): Promise<Runtime> {
  return JSON.parse(await readFile(join(local, 'stack.json'), 'utf8'));
}

/** The startups in the database of a running stack. */
export async function startupIds(home: StackHome): Promise<number[]> {
  const { environment } = await runtime(home);
  const client = new pg.Client({ connectionString: environment.DATABASE_URL });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: number }>('SELECT id FROM venture.startup');
    return rows.map(({ id }) => id).sort();
  } finally {
    await client.end();
  }
}

/** A process that uses the folder of a stack. */
interface LeftOver {
  readonly pid: number;
  readonly command: string;
}

/**
 * Running processes of the stacks of this home. Services have its folder in their environment;
 * PostgreSQL and Redis have an environment of their own, and run in their folders.
 */
export async function leftOver({ local, environment }: StackHome): Promise<LeftOver[]> {
  const folders = [local, stateFolders(environment).postgres];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const read = async (pid: string): Promise<LeftOver[]> => {
    const [environ, command, current] = await Promise.all([
      readFile(`/proc/${pid}/environ`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
      readlink(`/proc/${pid}/cwd`),
    ]);
    const isInFolder = folders.some((folder) => current.startsWith(folder));
    if (!isInFolder && !environ.includes(`LOCAL_DIR=${local}`)) return [];
    return [{ pid: Number(pid), command: command.replaceAll('\0', ' ') }];
  };
  const found = await Promise.all(pids.map((pid) => read(pid).catch(() => [])));
  return found.flat();
}

function run(args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, args, { env });
  const written = { stdout: '', stderr: '' };
  const waiting = new Set<() => void>();
  const take = (stream: 'stdout' | 'stderr') => (text: string) => {
    written[stream] += text;
    for (const check of waiting) check();
  };
  child.stdout.setEncoding('utf8').on('data', take('stdout'));
  child.stderr.setEncoding('utf8').on('data', take('stderr'));
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 0));
  });
  const all = () => written.stdout + written.stderr;
  return {
    process: child,
    /** Its output so far. */
    output: () => ({ ...written }),
    /** Resolves with the output once it matches; rejects if the process exits first. */
    until: (pattern: RegExp) =>
      new Promise<string>((resolve, reject) => {
        const check = () => {
          if (!pattern.test(all())) return;
          waiting.delete(check);
          resolve(all());
        };
        waiting.add(check);
        check();
        ended.then((end) => reject(new Error(`ended with ${end} before ${pattern}:\n${all()}`)));
      }),
    ended,
  };
}

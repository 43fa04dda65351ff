import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('../../../../..', import.meta.url));
const WORKER = 'services/access-api/dist/worker-main.js';
const fixture = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const running = new Set<ChildProcess>();

/** A process of the stack, reached over its internal listener. */
export interface StackProcess {
  /** Its ports by the name of the listener. */
  readonly ports: Readonly<Record<string, number>>;
  /** SIGKILL, as a crash would. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** A key: its text and its id. */
export interface IssuedKey {
  readonly apiKey: string;
  readonly keyId: string;
}

/** An account and its keys. */
export interface IssuedAccount {
  readonly accountId: string;
  readonly keys: readonly IssuedKey[];
}

/** What an account is to be like. */
export interface AccountWish {
  readonly plan: string;
  readonly keys: readonly {
    readonly scopes?: readonly string[];
    readonly expiresInSeconds?: number;
  }[];
}

/** Compiles what is started below from its build. */
export function build(): void {
  const compiler = 'node_modules/typescript/bin/tsc';
  const projects = ['services/access-api', 'services/data-api'];
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-b', ...projects], {
    cwd: REPOSITORY,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The services do not compile:\n${stdout}`);
}

/** The worker that drains the ledger and opens its buckets. */
export async function startWorker(environment: NodeJS.ProcessEnv): Promise<StackProcess> {
  const worker = await start([WORKER], { ...environment, WORKER_INTERNAL_PORT: '0' });
  while (!(await fetch(`http://127.0.0.1:${worker.ports.internal}/ready`)).ok) await delay(20);
  return worker;
}

/** data-api as a process of its own whose holds last `holdMs`. */
export function startDataApiProcess(
  environment: NodeJS.ProcessEnv,
  holdMs: number,
): Promise<StackProcess> {
  return start([fixture('data-api.mjs'), String(holdMs)], environment);
}

/** Makes accounts and issues their keys, as an operator would. */
export async function issueKeys(
  environment: NodeJS.ProcessEnv,
  wishes: readonly AccountWish[],
): Promise<IssuedAccount[]> {
  const child = spawn(process.execPath, [fixture('issue-keys.mjs')], {
    cwd: REPOSITORY,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(wishes));
  return JSON.parse(await text(child.stdout));
}

/** Ends what a failed test has left running. */
export function killProcesses(): void {
  for (const child of running) child.kill('SIGKILL');
}

async function start(args: string[], environment: NodeJS.ProcessEnv): Promise<StackProcess> {
  const child = spawn(process.execPath, args, {
    cwd: REPOSITORY,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  };
  const ports = await new Promise<Record<string, number>>((resolve, reject) => {
    let output = '';
    const hear = (chunk: Buffer): void => {
      output += chunk.toString();
      const said = /"ports":(\{[^}]*\})/.exec(output)?.[1];
      if (said !== undefined) resolve(JSON.parse(said));
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', () => reject(new Error(`${args[0]} ended: ${output}`)));
  });
  return { ports, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') };
}

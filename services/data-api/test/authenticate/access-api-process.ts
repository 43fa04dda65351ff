import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { testRsaKey } from '@vcds/test-kit';

export const SERVICE_TOKEN_SECRET = 'a-service-secret-of-enough-characters';
const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url));
const MAIN = 'services/access-api/dist/main.js';
const CLI = 'services/access-api/dist/admin/cli.js';
const run = promisify(execFile);
const running = new Set<ChildProcess>();

/** access-api as it is deployed: a process of its own, reached over HTTP. */
export interface AccessApiProcess {
  readonly internalUrl: string;
  readonly publicUrl: string;
  /** Everything it has logged. */
  readonly log: () => string;
  /** Runs an operator's command; its line of JSON. */
  admin(...words: string[]): Promise<Record<string, string>>;
  stop(): Promise<void>;
}

/** What access-api signs tokens with here, as LEGACY_SIGNING_KEY has it. */
export const SIGNING_KEY = testRsaKey().pem;

/** Builds access-api if need be, starts it on a database and a Redis, waits until it is ready. */
export async function startAccessApiProcess(
  databaseUrl: string,
  redisUrl: string,
  internalPort: number,
  signingKey = SIGNING_KEY,
): Promise<AccessApiProcess> {
  build();
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    SERVICE_TOKEN_SECRET,
    CODE_SECRET: SERVICE_TOKEN_SECRET,
    LEGACY_SIGNING_KEY: signingKey,
    ACCESS_API_PORT: '0',
    DRAIN_MS: '0',
    ACCESS_API_INTERNAL_PORT: String(internalPort),
  };
  const child = spawn(process.execPath, [MAIN], { cwd: REPOSITORY, env, stdio: 'pipe' });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const log = await listening(child);
  const internalUrl = `http://127.0.0.1:${internalPort}`;
  while (!(await fetch(`${internalUrl}/ready`)).ok) await delay(20);
  const { public: publicPort } = JSON.parse(/"ports":(\{[^}]*\})/.exec(log())?.[1] ?? '{}');
  return {
    internalUrl,
    publicUrl: `http://127.0.0.1:${publicPort}`,
    log,
    admin: async (...words) => {
      const { stdout } = await run(process.execPath, [CLI, ...words], { cwd: REPOSITORY, env });
      return JSON.parse(stdout);
    },
    stop: async () => {
      if (child.exitCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    },
  };
}

/** Ends what a failed test has left running; for `afterAll`. */
export function killAccessApiProcesses(): void {
  for (const child of running) child.kill('SIGKILL');
}

function build(): void {
  const compiler = 'node_modules/typescript/bin/tsc';
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-b', 'services/access-api'], {
    cwd: REPOSITORY,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`access-api does not compile:\n${stdout}`);
}

function listening(child: ChildProcess): Promise<() => string> {
  let output = '';
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`access-api ended: ${output}`)));
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('is listening')) resolve(() => output);
    });
  });
}

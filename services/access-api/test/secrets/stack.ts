import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  createTestDatabase,
  createTestRedisServer,
  freePort,
  type TestDatabase,
  type TestRedisServer,
  testRsaKey,
} from '@vcds/test-kit';
import { type SendgridServer, startSendgridServer } from '../mail/sendgrid-server.ts';

const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url));
const PROCESSES = [
  ['ACCESS_API_INTERNAL_PORT', 'services/access-api/dist/main.js'],
  ['WORKER_INTERNAL_PORT', 'services/access-api/dist/worker-main.js'],
  ['DATA_API_INTERNAL_PORT', 'services/data-api/dist/main.js'],
] as const;

/** The secrets of the operator. */
export const OPERATOR_SECRETS = {
  SERVICE_TOKEN_SECRET: 'service-secret-w8Ht2mZpQ4vXc7RbN1sK',
  CODE_SECRET: 'code-secret-j5Ld9yGfT3kUe6MnB0qP-and-more',
  CURSOR_SECRET: 'cursor-secret-a7Sx4oVhW2cJi8ErD1zF',
  SENDGRID_API_KEY: 'SG.nR6bY1tCq3Zm.x9KpLw5VfHs8Ud2Jg',
} as const;

/** All processes of the product, on stores of their own, logging all they can. */
export interface SecretsStack {
  readonly accessUrl: string;
  readonly dataUrl: string;
  readonly database: TestDatabase;
  readonly redis: TestRedisServer;
  readonly mail: SendgridServer;
  /** The private key in PEM. */
  readonly signingKey: string;
  /** Everything the processes have written. */
  output(): string;
  /** Runs one of the operator's commands; its line of JSON. */
  admin(input: string, ...words: string[]): Promise<Record<string, string>>;
  close(): Promise<void>;
}

export async function openStack(): Promise<SecretsStack> {
  build();
  const [database, redis, mail] = await Promise.all([
    createTestDatabase(),
    createTestRedisServer({ durable: true }),
    startSendgridServer(),
  ]);
  const signingKey = testRsaKey().pem;
  const [accessPort, dataPort] = [await freePort(), await freePort()];
  const accessUrl = `http://127.0.0.1:${accessPort}`;
  const ports = await Promise.all(PROCESSES.map(async ([name]) => [name, await freePort()]));
  const internal: Record<string, number> = Object.fromEntries(ports);
  const env = {
    PATH: process.env.PATH,
    LOG_LEVEL: 'trace',
    DATABASE_URL: database.urlOf('vcds_data_api'),
    ACCESS_DATABASE_URL: database.urlOf('vcds_access_api'),
    REDIS_URL: redis.url,
    LEGACY_SIGNING_KEY: signingKey,
    MX_CHECK: 'off',
    MAIL_TRANSPORT: 'sendgrid',
    MAIL_FROM: 'keys@example.com',
    SENDGRID_BASE_URL: mail.url,
    ACCESS_API_PUBLIC_URL: accessUrl,
    ACCESS_API_PORT: String(accessPort),
    ACCESS_INTERNAL_URL: `http://127.0.0.1:${internal.ACCESS_API_INTERNAL_PORT}`,
    DATA_API_PORT: String(dataPort),
    ...OPERATOR_SECRETS,
    ...Object.fromEntries(ports.map(([name, port]) => [name, String(port)])),
  };
  let output = '';
  const collect = (child: ChildProcess): ChildProcess => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output += String(chunk);
      });
    }
    return child;
  };
  const children = PROCESSES.map(([, main]) =>
    collect(spawn(process.execPath, [main], { cwd: REPOSITORY, env, stdio: 'pipe' })),
  );
  const close = async (): Promise<void> => {
    for (const child of children) await end(child);
    await mail.close();
    await redis.drop();
    await database.drop();
  };
  try {
    for (const port of Object.values(internal)) await ready(port, children);
  } catch (error) {
    await close();
    throw new Error(output, { cause: error });
  }
  return {
    ...{ accessUrl, database, redis, mail, signingKey, close },
    dataUrl: `http://127.0.0.1:${dataPort}`,
    output: () => output,
    admin: async (input, ...words) => {
      const cli = ['services/access-api/dist/admin/cli.js', ...words];
      const child = spawn(process.execPath, cli, { cwd: REPOSITORY, env, stdio: 'pipe' });
      child.stderr.on('data', (chunk) => {
        output += String(chunk);
      });
      child.stdin.end(input);
      return JSON.parse(await text(child.stdout));
    },
  };
}

function build(): void {
  const compiler = 'node_modules/typescript/bin/tsc';
  const projects = ['services/access-api', 'services/data-api'];
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-b', ...projects], {
    cwd: REPOSITORY,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The services do not compile:\n${stdout}`);
}

async function ready(port: number, children: readonly ChildProcess[]): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined);
    if (answer?.ok) return;
    if (children.some(({ exitCode }) => exitCode !== null)) throw new Error('A process ended.');
    await delay(50);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}

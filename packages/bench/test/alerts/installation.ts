import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import {
  type IssuedKey,
  type Product,
  spawnService,
  startDurableProduct,
  startPrimary,
  startStandby,
  type TestRedisServer,
  type TestServer,
  type TestStandby,
  testFolder,
} from '@vcds/test-kit';
import { repositoryRoot, withClient } from '@vcds/test-kit/bench';
import { Redis } from 'ioredis';
import pg from 'pg';
import { type Monitoring, startMonitoring } from './monitoring.ts';

/** A session named `culprit`. */
export interface Session {
  readonly pid: number;
  run(statement: string): Promise<unknown>;
  end(): Promise<void>;
}

/** One process of each program, PostgreSQL with a replica, Redis, a provider of mail, and Prometheus. */
export interface Installation {
  readonly product: Product<TestRedisServer>;
  readonly primary: TestServer;
  readonly replica: TestStandby;
  readonly redis: Redis;
  readonly monitoring: Monitoring;
  readonly keys: readonly IssuedKey[];
  /** Status of a call, with the key of an account. */
  call(path: string, account?: number): Promise<number>;
  /** The rows of a query as the owner of everything. */
  query(text: string): Promise<readonly Record<string, unknown>[]>;
  /** The rows of the block `sql NAME` of docs/operations.md. */
  page(name: string): Promise<readonly Record<string, unknown>[]>;
  /** A session that has run these statements and stays open. */
  session(...statements: readonly string[]): Promise<Session>;
  /** The folder of the data of the replica. */
  replicaFolder(): Promise<string>;
  /** Imports a startup of this key and name. */
  ingest(key: string, name: string): Promise<void>;
  /** Whether the provider of mail accepts messages. */
  mail: { isAccepting: boolean };
  close(): Promise<void>;
}

const ACCOUNTS = 20;
const STARTUPS = 300;

/** Starts all of it with data. */
export async function startInstallation(): Promise<Installation> {
  const primary = await startPrimary();
  const replica = await startStandby(primary);
  const mail = { isAccepting: true };
  const provider = createServer((_, response) => {
    response.writeHead(mail.isAccepting ? 202 : 400).end();
  });
  await once(provider.listen(0, '127.0.0.1'), 'listening');
  const { port } = provider.address() as { port: number };
  const product = await startDurableProduct({
    programs: ['access-api', 'data-api', 'worker', 'data-worker'],
    database: primary,
    environment: {
      ...{ DATABASE_REPLICA_URL: replica.urlOf('vcds_data_api'), ACCOUNT_CONNECTIONS: '3' },
      ...{ STATEMENT_TIMEOUT_MS: '10000', REPLICA_MAX_LAG_MS: '2000' },
      ...{ MAIL_TRANSPORT: 'sendgrid', MAIL_FROM: 'a@example.com', SENDGRID_API_KEY: 'none' },
      ...{ SENDGRID_BASE_URL: `http://127.0.0.1:${port}`, TRAIN_SCHEDULE: '*/5 * * * * *' },
      PREDICT_STAGES_SCHEDULE: 'off',
    },
  });
  const importer = { IMPORT_DATABASE_URL: primary.urlOf('vcds_importer') };
  await run('packages/demo-data/dist/cli.js', importer, ['--startups', String(STARTUPS)]);
  const accounts = await product.issue(
    ...Array.from({ length: ACCOUNTS }, () => ({ plan: 'scale', keys: [{}] })),
  );
  const keys = accounts.flatMap((account) => account.keys);
  const folder = await testFolder('vcds-alerts-');
  const targets: Record<string, string> = {};
  for (const [job, process] of Object.entries(product.processes)) {
    targets[job] = `127.0.0.1:${(await process.ports).internal}`;
  }
  const redis = new Redis(product.redis.url, { maxRetriesPerRequest: 1 });
  redis.on('error', () => undefined);
  const monitoring = await startMonitoring(folder, targets, product.redis.url);
  const page = await readFile(join(repositoryRoot, 'docs/operations.md'), 'utf8');
  const query = (text: string) =>
    withClient(primary.url, async (client) => (await client.query(text)).rows);
  return {
    ...{ product, primary, replica, redis, monitoring, keys, mail, query },
    call: async (path, account = 0) => {
      const headers = { 'X-Api-Key': keys[account]?.apiKey ?? '' };
      const response = await fetch(`${product.dataUrl}/v2${path}`, { headers });
      await response.arrayBuffer();
      return response.status;
    },
    page: (name) => {
      const [, block] = new RegExp(`^\`\`\`sql ${name}\n([\\s\\S]*?)^\`\`\``, 'm').exec(page) ?? [];
      if (block === undefined) throw new Error(`docs/operations.md has no block sql ${name}.`);
      return query(block);
    },
    session: async (...statements) => {
      const client = new pg.Client({ connectionString: primary.url, application_name: 'culprit' });
      client.on('error', () => undefined);
      await client.connect();
      for (const statement of statements) await client.query(statement);
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const run = (text: string) => client.query(text);
      return { pid: rows[0]?.pid ?? 0, run, end: () => client.end() };
    },
    replicaFolder: () =>
      withClient(replica.url, async (client) => {
        const { rows } = await client.query("SELECT current_setting('data_directory') AS folder");
        return String(rows[0].folder);
      }),
    ingest: async (key, name) => {
      const line = { op: 'upsert', type: 'startup', source: 'alerts', key, Name: name };
      const file = join(folder, `${key}.ndjson`);
      await writeFile(file, `${JSON.stringify(line)}\n`);
      await run('packages/importer/dist/cli.js', importer, [file]);
    },
    close: async () => {
      monitoring.close();
      redis.disconnect();
      provider.close();
      await product.close();
      await replica.drop();
    },
  };
}

/** Runs a command to its end. @throws Error with its output. */
async function run(
  module: string,
  environment: NodeJS.ProcessEnv,
  args: readonly string[],
): Promise<void> {
  const command = spawnService(module, environment, args);
  const status = await new Promise((resolve) => command.child.once('close', resolve));
  if (status !== 0) throw new Error(`${module}: ${command.output()}`);
}

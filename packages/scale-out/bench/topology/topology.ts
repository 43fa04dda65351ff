import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createTestDatabase,
  createTestRedisCluster,
  createTestSentinelGroup,
  freePort,
  type Operator,
  openOperator,
  PRODUCT_SECRET,
  type ProgramName,
  spawnService,
  type TestDatabase,
  type TestRedisCluster,
  type TestSentinelGroup,
} from '@vcds/test-kit';
import { createMember, type Member } from './member.ts';
import { assertHaproxy, type HaproxyServer, startProxy } from './proxy.ts';

/** PostgreSQL, with what else belongs to it: a replica, a pooler. */
export interface TopologyDatabase extends Omit<TestDatabase, 'drop'> {
  /** Variables of the processes in addition to those of the primary. */
  readonly variables?: NodeJS.ProcessEnv;
  drop(): Promise<void>;
}

export interface TopologyOptions {
  /** Default: a primary alone. Another one adds a replica or a pooler by its variables. */
  readonly openDatabase?: () => Promise<TopologyDatabase>;
  /** Invented startups. Default 2,000. */
  readonly startups?: number;
  /** Variables of all processes. */
  readonly environment?: NodeJS.ProcessEnv;
}

/**
 * The product scaled out on this machine: three data-api and two access-api behind haproxy, two
 * mail workers, two data workers, a Redis Cluster of six nodes, a queue with three Sentinels.
 */
export interface Topology extends Operator {
  readonly database: TopologyDatabase;
  readonly cluster: TestRedisCluster;
  readonly queue: TestSentinelGroup;
  readonly proxy: HaproxyServer;
  /** All processes of the product. */
  readonly members: readonly Member[];
  membersOf(program: ProgramName): readonly Member[];
  /** The public addresses, of haproxy. */
  readonly dataUrl: string;
  readonly accessUrl: string;
  readonly mailFolder: string;
  close(): Promise<void>;
}

export const DRAIN_MS = 2_000;
const NODE_TIMEOUT_MS = 5_000;
const COUNTS: readonly (readonly [ProgramName, number])[] = [
  ['access-api', 2],
  ['worker', 2],
  ['data-api', 3],
  ['data-worker', 2],
];
const VARIABLES = {
  'data-api': ['DATA_API_PORT', 'DATA_API_INTERNAL_PORT'],
  'access-api': ['ACCESS_API_PORT', 'ACCESS_API_INTERNAL_PORT'],
  worker: [undefined, 'WORKER_INTERNAL_PORT'],
  'data-worker': [undefined, 'DATA_WORKER_INTERNAL_PORT'],
  facets: [undefined, 'FACETS_INTERNAL_PORT'],
} as const;

/** Starts all of it, with data, and resolves once haproxy has every process. */
export async function startTopology(options: TopologyOptions = {}): Promise<Topology> {
  assertHaproxy();
  const opened: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const closeOne of opened.splice(0).reverse()) await closeOne();
  };
  const kept = async <T extends { drop(): Promise<unknown> }>(opening: Promise<T>): Promise<T> => {
    const resource = await opening;
    opened.push(() => resource.drop());
    return resource;
  };
  try {
    const openDatabase: () => Promise<TopologyDatabase> =
      options.openDatabase ?? createTestDatabase;
    const database = await kept(openDatabase());
    const cluster = await kept(createTestRedisCluster({ nodeTimeoutMs: NODE_TIMEOUT_MS }));
    const queue = await kept(createTestSentinelGroup());
    const folder = await mkdtemp(join(tmpdir(), 'vcds-scale-out-'));
    opened.push(() => rm(folder, { recursive: true }));
    await importData(database, options.startups ?? 2_000);
    const [dataUrl, accessUrl, keyCheckUrl] = await publicUrls();
    const environment = {
      ...productVariables(database, cluster, queue, folder),
      DATA_API_PUBLIC_URL: dataUrl,
      ACCESS_API_PUBLIC_URL: accessUrl,
      ACCESS_INTERNAL_URL: keyCheckUrl,
      ...database.variables,
      ...options.environment,
    };
    const { members, addresses } = await createMembers(environment);
    const proxy = await startProxy(
      {
        DATA_API_BIND: new URL(dataUrl).host,
        ACCESS_API_BIND: new URL(accessUrl).host,
        KEY_CHECK_BIND: new URL(keyCheckUrl).host,
        ...addresses,
      },
      folder,
    );
    opened.push(() => proxy.close());
    const operator = openOperator(environment);
    opened.push(() => Promise.all(members.map((member) => member.kill())));
    await Promise.all(members.map((member) => member.start()));
    for (const { name, program } of members) {
      if (VARIABLES[program][0] !== undefined) await proxy.untilUp(name);
    }
    return {
      ...operator,
      ...{ database, cluster, queue, proxy, members, dataUrl, accessUrl, mailFolder: folder },
      membersOf: (program) => members.filter((member) => member.program === program),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function importData(database: TopologyDatabase, startups: number): Promise<void> {
  const command = spawnService(
    'packages/demo-data/dist/cli.js',
    { IMPORT_DATABASE_URL: database.urlOf('vcds_importer') },
    ['--startups', String(startups)],
  );
  const status = await new Promise((resolve) => command.child.once('close', resolve));
  if (status !== 0) throw new Error(`The data cannot be imported: ${command.output()}`);
}

async function publicUrls(): Promise<readonly [string, string, string]> {
  const url = async () => `http://127.0.0.1:${await freePort()}`;
  return [await url(), await url(), await url()];
}

/** The environment of a deployment behind one load balancer, except that it has no TLS. */
function productVariables(
  database: TopologyDatabase,
  cluster: TestRedisCluster,
  queue: TestSentinelGroup,
  mailFolder: string,
): NodeJS.ProcessEnv {
  return {
    DATABASE_URL: database.urlOf('vcds_data_api'),
    DATA_WORKER_DATABASE_URL: database.urlOf('vcds_data_worker'),
    ACCESS_DATABASE_URL: database.urlOf('vcds_access_api'),
    REDIS_URL: cluster.url,
    QUEUE_REDIS_URL: queue.url,
    SERVICE_TOKEN_SECRET: PRODUCT_SECRET,
    CODE_SECRET: PRODUCT_SECRET,
    CURSOR_SECRET: PRODUCT_SECRET,
    MAIL_TRANSPORT: 'file',
    MAIL_DIR: mailFolder,
    TRUST_PROXY: '1',
    REQUIRE_HTTPS: 'false',
    DRAIN_MS: String(DRAIN_MS),
    // The load has few accounts.
    ACCOUNT_CONNECTIONS: '10',
    TRAIN_SCHEDULE: 'off',
    PREDICT_STAGES_SCHEDULE: 'off',
  };
}

async function createMembers(environment: NodeJS.ProcessEnv) {
  const members: Member[] = [];
  const addresses: Record<string, string> = {};
  for (const [program, count] of COUNTS) {
    for (let number = 1; number <= count; number++) {
      const name = `${program}-${number}`;
      const internal = await freePort();
      const [publicVariable, internalVariable] = VARIABLES[program];
      const ports: NodeJS.ProcessEnv = { [internalVariable]: String(internal) };
      if (publicVariable !== undefined) {
        const port = await freePort();
        const server = name.toUpperCase().replaceAll('-', '_');
        ports[publicVariable] = String(port);
        addresses[server] = `127.0.0.1:${port}`;
        addresses[`${server}_INTERNAL`] = `127.0.0.1:${internal}`;
        addresses[`${server}_PROBE`] = String(internal);
      }
      members.push(createMember(name, program, internal, { ...environment, ...ports }));
    }
  }
  return { members, addresses };
}

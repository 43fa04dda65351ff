import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createTestRedisCluster,
  createTestSentinelGroup,
  freePort,
  type Operator,
  openOperator,
  type ProgramName,
  spawnService,
  type TestRedisCluster,
  type TestSentinelGroup,
} from '@vcds/test-kit/bench';
import { type Databases, startDatabases } from './databases.ts';
import { createMember, type Member } from './member.ts';
import { assertHaproxy, type HaproxyServer, startProxy } from './proxy.ts';
import { SECRETS } from './secrets.ts';

/**
 * The product scaled out on this machine: three data-api and two access-api behind haproxy, two
 * mail workers, two data workers, a PostgreSQL with a streaming replica and a
 * PgBouncer, a Redis Cluster of six nodes, a queue with three Sentinels.
 */
export interface Topology extends Operator {
  readonly databases: Databases;
  readonly cluster: TestRedisCluster;
  readonly queue: TestSentinelGroup;
  readonly proxy: HaproxyServer;
  /** All processes of the product. */
  readonly members: readonly Member[];
  membersOf(program: ProgramName): readonly Member[];
  /** Sets variables, which the processes read at their next start. */
  change(variables: NodeJS.ProcessEnv): void;
  /**
   * Restarts every process, one of each program at a time. @throws Error if one does not end with
   * the exit status 0.
   */
  rollingRestart(): Promise<void>;
  /** The public addresses, of haproxy. */
  readonly dataUrl: string;
  readonly accessUrl: string;
  readonly mailFolder: string;
  close(): Promise<void>;
}

const DRAIN_MS = 2_000;
const NODE_TIMEOUT_MS = 5_000;
const STARTUPS = 2_000;
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
} as const;
const isServed = (program: ProgramName): boolean => VARIABLES[program][0] !== undefined;

/** Starts all of it, with data, and resolves once haproxy has every process. */
export async function startTopology(): Promise<Topology> {
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
    const databases = await kept(startDatabases());
    const cluster = await kept(createTestRedisCluster({ nodeTimeoutMs: NODE_TIMEOUT_MS }));
    const queue = await kept(createTestSentinelGroup());
    const mailFolder = await mkdtemp(join(tmpdir(), 'vcds-scale-out-'));
    opened.push(() => rm(mailFolder, { recursive: true }));
    await importData(databases);
    const [dataUrl, accessUrl, keyCheckUrl] = await publicUrls();
    const environment: NodeJS.ProcessEnv = {
      ...databases.variables,
      ...{ REDIS_URL: cluster.url, QUEUE_REDIS_URL: queue.url },
      ...{ DATA_API_PUBLIC_URL: dataUrl, ACCESS_API_PUBLIC_URL: accessUrl },
      ...{ ACCESS_INTERNAL_URL: keyCheckUrl, MAIL_DIR: mailFolder },
      ...SETTINGS,
    };
    const { members, addresses } = await createMembers(environment);
    const proxy = await startProxy(
      {
        DATA_API_BIND: new URL(dataUrl).host,
        ACCESS_API_BIND: new URL(accessUrl).host,
        KEY_CHECK_BIND: new URL(keyCheckUrl).host,
        ...addresses,
      },
      mailFolder,
    );
    opened.push(() => proxy.close());
    opened.push(() => Promise.all(members.map((member) => member.kill())));
    await Promise.all(members.map((member) => member.start()));
    for (const { name, program } of members) if (isServed(program)) await proxy.untilUp(name);
    return {
      ...openOperator(environment),
      ...{ databases, cluster, queue, proxy, members, dataUrl, accessUrl, mailFolder, close },
      membersOf: (program) => members.filter((member) => member.program === program),
      change: (variables) => void Object.assign(environment, variables),
      rollingRestart: () => rollingRestart(members, proxy),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function rollingRestart(members: readonly Member[], proxy: HaproxyServer): Promise<void> {
  const restart = async (member: Member): Promise<void> => {
    const status = await member.stop();
    if (status !== 0) throw new Error(`${member.name} ended with ${status}: ${member.output()}`);
    await member.start();
    if (isServed(member.program)) await proxy.untilUp(member.name);
  };
  for (let number = 1; members.some(({ name }) => name.endsWith(`-${number}`)); number++) {
    await Promise.all(members.filter(({ name }) => name.endsWith(`-${number}`)).map(restart));
  }
}

async function importData({ primary }: Databases): Promise<void> {
  const command = spawnService(
    'packages/demo-data/dist/cli.js',
    { IMPORT_DATABASE_URL: primary.urlOf('vcds_importer') },
    ['--startups', String(STARTUPS)],
  );
  const status = await new Promise((resolve) => command.child.once('close', resolve));
  if (status !== 0) throw new Error(`The data cannot be imported: ${command.output()}`);
}

async function publicUrls(): Promise<readonly [string, string, string]> {
  const url = async () => `http://127.0.0.1:${await freePort()}`;
  return [await url(), await url(), await url()];
}

/** The environment of a deployment behind one load balancer, except that it has no TLS. */
const SETTINGS: NodeJS.ProcessEnv = {
  ...SECRETS.old,
  MAIL_TRANSPORT: 'file',
  TRUST_PROXY: '1',
  REQUIRE_HTTPS: 'false',
  DRAIN_MS: String(DRAIN_MS),
  // The load has few accounts.
  ACCOUNT_CONNECTIONS: '10',
  TRAIN_SCHEDULE: 'off',
  PREDICT_STAGES_SCHEDULE: 'off',
};

/** @param environment is read at every start, so that it may be changed. */
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
      members.push(createMember(name, program, internal, () => ({ ...environment, ...ports })));
    }
  }
  return { members, addresses };
}

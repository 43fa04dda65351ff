import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  eventually,
  killServices,
  type Operator,
  openDataFolder,
  openOperator,
  openTestServers,
  type ProgramName,
  type ServiceProcess,
  spawnService,
  urlOfRole,
} from '@vcds/test-kit/bench';
import { Redis } from 'ioredis';
import type { Target } from '../load/calls.ts';
import { SECRETS } from '../topology/secrets.ts';

/** A process of the deployment under observation. */
export interface ObservedProcess {
  readonly name: ProgramName;
  readonly pid: number;
  readonly internalUrl: string;
  /** The WebSocket of its inspector. */
  readonly inspectorUrl: string;
}

/** The product on one machine: a process of each program, PostgreSQL with autovacuum, Redis. */
export interface Deployment extends Target, Operator {
  readonly processes: readonly ObservedProcess[];
  /** Connection string of the superuser of PostgreSQL. */
  readonly databaseUrl: string;
  readonly importerUrl: string;
  readonly redisUrl: string;
  close(): Promise<void>;
}

const PROGRAMS: readonly ProgramName[] = ['access-api', 'worker', 'data-api', 'data-worker'];

/** Jobs that a data worker without models runs at once. They change records. */
const FIRST_JOBS = ['train-models', 'predict-stages'];
const FIRST_JOBS_MS_MAX = 1_200_000;

/**
 * Starts it, and resolves once every process is ready and the first runs of the jobs have ended.
 *
 * @param data a folder of `npm run bench -- corpus`, whose records it changes; '': a new database
 * @param startups of the demonstration data in a new database
 */
export async function startDeployment(data: string, startups: number): Promise<Deployment> {
  const servers = await openTestServers();
  const folder = data === '' ? undefined : await openDataFolder(data);
  const mailFolder = await mkdtemp(join(tmpdir(), 'vcds-soak-'));
  const close = async (): Promise<void> => {
    killServices();
    await folder?.close();
    await servers.close();
    await rm(mailFolder, { recursive: true, force: true });
  };
  try {
    const databaseUrl = folder?.url ?? (await servers.createDatabase({ migrated: true }));
    const importerUrl = urlOfRole(databaseUrl, 'vcds_importer');
    if (folder === undefined) await importDemoData(importerUrl, startups);
    const redisUrl = await servers.startRedisServer({ durable: true });
    const ports = await Promise.all(Array.from({ length: 3 }, () => servers.freePort()));
    const [dataUrl = '', accessUrl = '', keyCheckUrl = ''] = ports.map(
      (port) => `http://127.0.0.1:${port}`,
    );
    const environment: NodeJS.ProcessEnv = {
      ...SECRETS.old,
      ...{ REDIS_URL: redisUrl, MAIL_TRANSPORT: 'file', MAIL_DIR: mailFolder },
      DATABASE_URL: urlOfRole(databaseUrl, 'vcds_data_api'),
      DATA_WORKER_DATABASE_URL: urlOfRole(databaseUrl, 'vcds_data_worker'),
      ACCESS_DATABASE_URL: urlOfRole(databaseUrl, 'vcds_access_api'),
      ...{ DATA_API_PUBLIC_URL: dataUrl, ACCESS_API_PUBLIC_URL: accessUrl },
      ACCESS_INTERNAL_URL: keyCheckUrl,
      ...{ DATA_API_PORT: new URL(dataUrl).port, ACCESS_API_PORT: new URL(accessUrl).port },
      ACCESS_API_INTERNAL_PORT: new URL(keyCheckUrl).port,
      NODE_OPTIONS: '--inspect=127.0.0.1:0',
    };
    const processes: ObservedProcess[] = [];
    for (const name of PROGRAMS) {
      processes.push(await observe(name, spawnService(name, environment)));
    }
    await untilJobsEnded(redisUrl);
    return {
      ...openOperator(environment),
      ...{ processes, databaseUrl, importerUrl, redisUrl, mailFolder, dataUrl, accessUrl, close },
      databases: { primary: { url: databaseUrl } },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function untilJobsEnded(redisUrl: string): Promise<void> {
  const redis = new Redis(redisUrl);
  const haveEnded = async () =>
    !(await redis.hmget('{jobs}:last-successes', ...FIRST_JOBS)).includes(null);
  try {
    await eventually(haveEnded, { timeoutMs: FIRST_JOBS_MS_MAX, intervalMs: 1_000 });
  } finally {
    redis.disconnect();
  }
}

async function observe(name: ProgramName, service: ServiceProcess): Promise<ObservedProcess> {
  const internalUrl = await service.ready();
  const inspectorUrl = /ws:\/\/127\.0\.0\.1:\S+/.exec(service.output())?.[0];
  if (inspectorUrl === undefined) throw new Error(`${name} has no inspector`);
  return { name, pid: service.child.pid ?? 0, internalUrl, inspectorUrl };
}

/** Runs a command of the product to its end. @returns what it wrote. */
export async function runCommand(
  module: string,
  environment: NodeJS.ProcessEnv,
  args: readonly string[],
): Promise<string> {
  const command = spawnService(module, environment, args);
  const status = await new Promise((resolve) => command.child.once('close', resolve));
  if (status !== 0) throw new Error(`${module} ended with ${status}: ${command.output()}`);
  return command.output();
}

async function importDemoData(importerUrl: string, startups: number): Promise<void> {
  const environment = { IMPORT_DATABASE_URL: importerUrl };
  const args = ['--startups', String(startups)];
  await runCommand('packages/demo-data/dist/cli.js', environment, args);
}

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
  killServices,
  openOperator,
  openTestServers,
  type ProgramName,
  spawnService,
  type TestServers,
  testRsaKey,
  withClient,
} from '@vcds/test-kit/bench';
import { CURSOR_SECRET } from '../data-api.ts';
import type { Lap } from './server.ts';

const SECRET = 'the-service-secret-of-a-bench-run';

/** A data API in a separate process. */
export interface MeasuredServer {
  /** The root of its API. */
  readonly url: string;
  /** Its process. */
  readonly pid: number;
  /** The figures since the last lap. */
  lap(): Promise<Lap>;
}

/** The records of a bed: a number of generated startups, or those of a database. */
export type BedRecords = { readonly startups?: number } | { readonly databaseUrl: string };

/** PostgreSQL with startups, a durable Redis, access-api and the worker, as in production. */
export async function openMeteringBed(records: BedRecords = {}) {
  const servers = await openTestServers();
  const children: ChildProcess[] = [];
  const close = async (): Promise<void> => {
    killServices();
    for (const child of children) child.kill('SIGKILL');
    await servers.close();
  };
  try {
    const settings = {
      DATABASE_URL: await databaseOf(records, servers),
      REDIS_URL: await servers.startRedisServer({ durable: true }),
      SERVICE_TOKEN_SECRET: SECRET,
      CODE_SECRET: SECRET,
      CURSOR_SECRET,
      LEGACY_SIGNING_KEY: testRsaKey().pem,
      LOG_LEVEL: 'info',
    };
    const { admin, issue } = openOperator(settings);
    const started: StartedProcess[] = [];
    const start = async (name: ProgramName, environment: NodeJS.ProcessEnv) => {
      const startedMs = performance.now();
      const { child, ports, ready } = spawnService(name, environment);
      const internalUrl = await ready();
      const pid = child.pid ?? 0;
      started.push({ name, pid, startMs: performance.now() - startedMs });
      return { ports: await ports, internalUrl, pid };
    };
    const { internalUrl: ACCESS_INTERNAL_URL } = await start('access-api', settings);
    await start('worker', settings);
    const environment = { PATH: process.env.PATH, ...settings, ACCESS_INTERNAL_URL };
    return {
      /** The environment of the services' processes. */
      environment,
      /** Starts a measured server with its own entry. */
      startServer: async (kind: 'metered' | 'unmetered'): Promise<MeasuredServer> => {
        const child = fork(fileURLToPath(new URL('server.js', import.meta.url)), [kind], {
          env: environment,
        });
        children.push(child);
        const [url] = await once(child, 'message');
        const lap = async (): Promise<Lap> => {
          const answer = once(child, 'message');
          child.send('lap');
          return (await answer)[0];
        };
        return { url, pid: child.pid ?? 0, lap };
      },
      /** Starts data-api itself with further settings. */
      startDataApi: async (more: NodeJS.ProcessEnv) => {
        const { ports, pid, internalUrl } = await start('data-api', { ...environment, ...more });
        return { root: `http://127.0.0.1:${ports.public}/v2`, pid, internalUrl };
      },
      /** Starts another program of the product. */
      startProcess: async (name: ProgramName): Promise<void> => {
        await start(name, environment);
      },
      /** The programs of the product that run. */
      processes: (): readonly StartedProcess[] => started,
      /** Runs an admin command. @returns its line of JSON. */
      admin,
      /** Keys of new accounts on a plan, one each. */
      issueKeys: async (plan: string, count: number): Promise<string[]> => {
        const specs = Array.from({ length: count }, () => ({ plan, keys: [{}] }));
        return (await issue(...specs)).flatMap(({ keys }) => keys.map(({ apiKey }) => apiKey));
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A program of the product, and how long it took until it was ready. */
interface StartedProcess {
  readonly name: ProgramName;
  readonly pid: number;
  readonly startMs: number;
}

async function databaseOf(records: BedRecords, servers: TestServers): Promise<string> {
  if ('databaseUrl' in records) return records.databaseUrl;
  const url = await servers.createDatabase({ migrated: true });
  await fillStartups(url, records.startups ?? 20_000);
  return url;
}

const fillStartups = (databaseUrl: string, startups: number): Promise<unknown> =>
  withClient(databaseUrl, async (client) => {
    await client.query(`
      INSERT INTO venture.startup (id, name, website, domain, description, founded,
        total_raised_reported, tags, addresses, members_count, source)
      SELECT md5('startup' || i)::uuid, 'Startup ' || i, 'https://startup' || i || '.example',
        'startup' || i || '.example', 'Makes widgets for people, number ' || i || '.',
        1990 + i % 35, i * 10007::bigint, '{Fintech,Robots}',
        (ARRAY['[]', '[{"City": "Paris", "Country": "France"}]'])[1 + i % 2]::jsonb,
        i * 97 % 11000, 'bench'
      FROM generate_series(1, ${startups}) AS i`);
    await client.query('ANALYZE');
  });

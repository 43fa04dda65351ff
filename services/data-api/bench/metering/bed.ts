import { type ChildProcess, execFile, fork, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openTestServers } from '@vcds/test-kit/servers';
import pg from 'pg';
import type { Lap } from './server.ts';

const SECRET = 'the-service-secret-of-a-bench-run';
/** Relative to the compiled file. */
const ACCESS = fileURLToPath(new URL('../../../../../access-api/dist/', import.meta.url));

const DATA_API = fileURLToPath(new URL('../../../main.js', import.meta.url));

/** A data API in a separate process. */
export interface MeasuredServer {
  readonly url: string;
  /** The figures since the last lap. */
  lap(): Promise<Lap>;
}

/** PostgreSQL with startups, a durable Redis, access-api and the worker, as in production. */
export interface MeteringBed {
  /** The environment of the services' processes. */
  readonly environment: NodeJS.ProcessEnv;
  startServer(kind: 'metered' | 'unmetered'): Promise<MeasuredServer>;
  /** Starts data-api itself with further settings; the root of its public listener. */
  startDataApi(settings: NodeJS.ProcessEnv): Promise<string>;
  /** Runs an admin command. @returns its line of JSON. */
  admin(...words: string[]): Promise<Record<string, string>>;
  close(): Promise<void>;
}

/** @param startups the number of startups. */
export async function openMeteringBed(startups = 20_000): Promise<MeteringBed> {
  const servers = await openTestServers();
  const children: ChildProcess[] = [];
  const close = async (): Promise<void> => {
    for (const child of children) child.kill('SIGKILL');
    await servers.close();
  };
  try {
    const databaseUrl = await servers.createDatabase({ migrated: true });
    const redisUrl = await servers.startRedisServer({ durable: true });
    await fillStartups(databaseUrl, startups);
    const settings = {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      SERVICE_TOKEN_SECRET: SECRET,
      CODE_SECRET: SECRET,
      CURSOR_SECRET: SECRET,
      LEGACY_SIGNING_KEY: newSigningKey(),
      LOG_LEVEL: 'info',
      ACCESS_API_PORT: '0',
      DRAIN_MS: '0',
      ACCESS_API_INTERNAL_PORT: '0',
      WORKER_INTERNAL_PORT: '0',
    };
    const { internal: accessPort } = await startReady(children, `${ACCESS}main.js`, settings);
    await startReady(children, `${ACCESS}worker-main.js`, settings);
    const environment = { ...settings, ACCESS_INTERNAL_URL: `http://127.0.0.1:${accessPort}` };
    return {
      environment,
      startServer: (kind) => startServer(children, kind, environment),
      startDataApi: async (more) => {
        const ports = { DATA_API_PORT: '0', DATA_API_INTERNAL_PORT: '0' };
        const env = { ...environment, ...ports, ...more };
        const started = await startReady(children, DATA_API, env);
        return `http://127.0.0.1:${started.public}/v2`;
      },
      admin: async (...words) => {
        const args = [`${ACCESS}admin/cli.js`, ...words];
        return JSON.parse(
          (await promisify(execFile)(process.execPath, args, { env: settings })).stdout,
        );
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function newSigningKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

async function startServer(
  children: ChildProcess[],
  kind: string,
  environment: NodeJS.ProcessEnv,
): Promise<MeasuredServer> {
  const entry = fileURLToPath(new URL('server.js', import.meta.url));
  const child = fork(entry, [kind], { env: environment });
  children.push(child);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    url: `http://127.0.0.1:${port}`,
    lap: async () => {
      const answer = once(child, 'message');
      child.send('lap');
      const [lap] = (await answer) as [Lap];
      return lap;
    },
  };
}

interface Ports {
  readonly public: number;
  readonly internal: number;
}

/** Starts a service and waits until it is ready. */
async function startReady(
  children: ChildProcess[],
  entry: string,
  env: NodeJS.ProcessEnv,
): Promise<Ports> {
  const child = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    const written = /"ports":({[^}]*})/.exec(output)?.[1];
    if (written === undefined) continue;
    child.stdout.resume();
    const ports = JSON.parse(written) as Ports;
    while (!(await fetch(`http://127.0.0.1:${ports.internal}/ready`)).ok) await delay(50);
    return ports;
  }
  throw new Error(`${entry} ended: ${output}`);
}

async function fillStartups(databaseUrl: string, startups: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
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
  await client.end();
}

import { readFile } from 'node:fs/promises';
import { bucketOfAccount, bucketTag } from '@vcds/credentials';
import { createLogger, createRedis, type RedisClient, redisReady } from '@vcds/service-kit';
import {
  eventually,
  type Operator,
  type ServiceProcess,
  spawnService,
  startDurableProduct,
  type TestRedisServer,
} from '@vcds/test-kit';
import pg from 'pg';
import { THREAD_ARGUMENTS } from '../../../../../packages/facet-engine/test/support/open-engine.ts';
import { type DataApiOptions, readDataApiConfig, startDataApi } from '../../../src/index.ts';

/** A response and its credits headers: undefined without the header. */
export interface Metered {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
  readonly charged: number | undefined;
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  readonly reset: number | undefined;
}

/** A data-api and its client. */
export interface Caller {
  get(
    apiKey: string | undefined,
    path: string,
    more?: { readonly signal?: AbortSignal; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<Metered>;
  /** A request by another method. */
  send(method: 'POST' | 'DELETE', apiKey: string, path: string): Promise<Metered>;
  /** Root of the host, below which are `/v2` and `/mcp`. */
  readonly url: string;
  readonly internalUrl: string;
  stop(): Promise<void>;
}

/** A charge of the ledger. */
export interface StoredCharge {
  readonly op: string;
  readonly key_id: string;
  readonly endpoint: string;
  readonly request_id: string;
  readonly period: number;
  readonly charged: number;
}

/** PostgreSQL, Redis, access-api and the worker, as in a deployment. */
export interface Stack extends Operator {
  readonly databaseUrl: string;
  readonly sql: pg.Pool;
  /** The server of Redis, which a test can kill, and a client of it. */
  readonly server: TestRedisServer;
  readonly redis: RedisClient;
  /** access-api. */
  readonly access: ServiceProcess;
  /** data-api in this process. */
  dataApi(options?: DataApiOptions, environment?: NodeJS.ProcessEnv): Promise<Caller>;
  /** data-api in a process of its own. */
  dataApiProcess(holdMs: number): Promise<Caller & { kill(): Promise<unknown> }>;
  /** Every charge of an account, once its bucket of Redis is drained. */
  charges(accountId: string): Promise<readonly StoredCharge[]>;
  close(): Promise<void>;
}

export async function openStack(): Promise<Stack> {
  const product = await startDurableProduct();
  const { database, redis: server, processes } = product;
  if (processes['access-api'] === undefined) throw new Error('access-api was not started.');
  const sql = new pg.Pool({ connectionString: database.url, max: 3 });
  sql.on('error', () => {});
  await sql.query(await readFile(new URL('../../support/seed.sql', import.meta.url), 'utf8'));
  await sql.query('ANALYZE');
  const logger = createLogger({ service: 'test', level: 'silent' });
  // Longer than Redis hangs in any test.
  const redis = createRedis({ url: server.url, name: 'test', logger, commandTimeoutMs: 20_000 });
  await redisReady(redis);
  const environment = {
    ...product.environment,
    // The threads of the columnar engine run compiled code.
    FACET_ENGINE: 'sql',
    // Tests make many concurrent calls of one account.
    ACCOUNT_CONNECTIONS: '10',
    ACCESS_API_PUBLIC_URL: 'https://access.example.com',
    FREE_WORK_PERCENT: '100',
    DATA_API_PORT: '0',
    DRAIN_MS: '0',
    DATA_API_INTERNAL_PORT: '0',
  };
  const started: (() => Promise<unknown>)[] = [];
  return {
    databaseUrl: database.url,
    sql,
    server,
    redis,
    access: processes['access-api'],
    admin: product.admin,
    issue: product.issue,
    output: product.output,
    dataApi: async (options = {}, more = {}) => {
      const config = readDataApiConfig({ ...environment, ...more });
      const service = await startDataApi(config, {
        ...{ logger, threadArguments: THREAD_ARGUMENTS },
        ...options,
      });
      const stop = () => service.stop();
      started.push(stop);
      return callerOf(service.ports, stop);
    },
    dataApiProcess: async (holdMs) => {
      const program = 'services/data-api/test/credits/support/data-api.mjs';
      const child = spawnService(program, environment, [String(holdMs)]);
      const stop = async () => void (await child.end());
      started.push(stop);
      return { ...callerOf(await child.ports, stop), kill: () => child.end('SIGKILL') };
    },
    charges: async (accountId) => {
      const stream = `${bucketTag(bucketOfAccount(accountId))}:ledger`;
      await eventually(async () => (await redis.xlen(stream)) === 0);
      const text = 'SELECT * FROM access.charge WHERE account_id = $1 ORDER BY charged_at';
      return (await sql.query<StoredCharge>(text, [accountId])).rows;
    },
    close: async () => {
      for (const stop of started) await stop();
      redis.disconnect();
      await sql.end();
      await product.close();
    },
  };
}

function callerOf(ports: Readonly<Record<string, number>>, stop: () => Promise<void>): Caller {
  const url = `http://127.0.0.1:${ports.public}`;
  const send = async (path: string, init: RequestInit): Promise<Metered> => {
    const answer = await fetch(`${url}/v2${path}`, init);
    const text = await answer.text();
    const number = (name: string): number | undefined => {
      const value = answer.headers.get(name);
      return value === null ? undefined : Number(value);
    };
    return {
      status: answer.status,
      body: text === '' ? undefined : JSON.parse(text),
      headers: answer.headers,
      charged: number('x-credits-charged'),
      limit: number('x-ratelimit-limit'),
      remaining: number('x-ratelimit-remaining'),
      reset: number('x-ratelimit-reset'),
    };
  };
  return {
    get: (apiKey, path, { headers, ...more } = {}) =>
      send(path, {
        headers: apiKey === undefined ? { ...headers } : { ...headers, 'X-Api-Key': apiKey },
        ...more,
      }),
    send: (method, apiKey, path) => send(path, { method, headers: { 'X-Api-Key': apiKey } }),
    url,
    internalUrl: `http://127.0.0.1:${ports.internal}`,
    stop,
  };
}

/** The sum of the credits of charges. */
export function sumOf(charges: readonly { readonly charged: number }[]): number {
  return charges.reduce((sum, { charged }) => sum + charged, 0);
}

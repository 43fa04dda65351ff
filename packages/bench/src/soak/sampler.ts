import { readdirSync, readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Outcome } from '../load/load.ts';
import { quantile } from '../support/figures.ts';
import type { Deployment, ObservedProcess } from './deployment.ts';
import { readHeap } from './inspector.ts';
import { countKeys, GROWING_KEYS } from './redis-keys.ts';
import type { Bound } from './series.ts';

const MEGABYTE = 1_000_000;
const PAGE_BYTES = 4_096;

/** The subjects of the samples by the beginning of their names, and by how much each may grow. */
export const SUBJECTS = {
  'resident memory, MB': { share: 0.1, amount: 15 },
  'heap after collection, MB': { share: 0.05, amount: 2 },
  handles: { share: 0, amount: 6 },
  'files and sockets': { share: 0, amount: 12 },
  'event loop lag p99, ms': { share: 0.5, amount: 20 },
  'p50, ms': { share: 0.25, amount: 5 },
  'p99, ms': { share: 0.5, amount: 50 },
  'connections to PostgreSQL': { share: 0, amount: 4 },
  'table, MB': { share: 0.1, amount: 2 },
  'dead rows that autovacuum should have removed': { share: 0.25, amount: 5_000, resetMinutes: 5 },
  'rows waiting': { share: 0, amount: 200 },
  'Redis, MB': { share: 0.1, amount: 2 },
  'Redis keys': { share: 0.25, amount: 200 },
  'Redis connections': { share: 0, amount: 4 },
} as const satisfies Readonly<Record<string, Bound>>;

export type Subject = keyof typeof SUBJECTS;

/** One value: of what, of which process, kind of call or table. */
export interface Reading {
  readonly subject: Subject;
  readonly of: string;
  readonly value: number;
}

/** Reads the state of a deployment. */
export interface Sampler {
  /** @param outcomes of the calls since the last sample */
  read(outcomes: readonly Outcome[]): Promise<readonly Reading[]>;
  close(): Promise<void>;
}

/** Tables in which a row waits until a background job has read it. */
const QUEUES = ['venture.signal_outbox', 'venture.facet_change'];
/** Sizes with indexes, and dead rows above the threshold of autovacuum; partitions of a table as one. */
const TABLES = `
  SELECT coalesce(parent.relname, t.relname) AS name, sum(pg_total_relation_size(t.oid)) AS bytes,
    sum(greatest(0, s.n_dead_tup - 50 - 0.2 * s.n_live_tup)) AS dead
  FROM pg_class t
  JOIN pg_namespace n ON n.oid = t.relnamespace
  LEFT JOIN pg_inherits i ON i.inhrelid = t.oid
  LEFT JOIN pg_class parent ON parent.oid = i.inhparent
  LEFT JOIN pg_stat_all_tables s ON s.relid = t.oid
  WHERE t.relkind = 'r' AND n.nspname IN ('venture', 'venture_import', 'access', 'access_partition')
  GROUP BY 1`;
const CONNECTIONS = `SELECT usename AS name, count(*) AS value FROM pg_stat_activity
  WHERE datname = current_database() AND usename LIKE 'vcds%' AND usename <> 'vcds_importer'
  GROUP BY 1`;

/** @param growing tables that get rows by design; their sizes are left out. */
export async function openSampler(
  { databaseUrl, redisUrl, processes }: Deployment,
  growing: readonly string[],
): Promise<Sampler> {
  const sql = new pg.Client({ connectionString: databaseUrl });
  // An error of the run closes the server first, and is the one to report.
  sql.on('error', () => undefined);
  await sql.connect();
  const redis = new Redis(redisUrl);
  const rows = async (text: string): Promise<readonly Record<string, string>[]> =>
    (await sql.query(text)).rows;

  const ofPostgres = async (): Promise<readonly Reading[]> => {
    const tables = await rows(TABLES);
    const sizes = tables.filter(({ name = '' }) => !growing.includes(name));
    const queues: Reading[] = [];
    for (const name of QUEUES) {
      const [counted] = await rows(`SELECT count(*) AS value FROM ${name}`);
      queues.push(reading('rows waiting', name, counted?.value));
    }
    return [
      ...sizes.map(({ name, bytes }) => reading('table, MB', name, Number(bytes) / MEGABYTE)),
      reading(
        'dead rows that autovacuum should have removed',
        'all tables',
        sum(tables.map(({ dead }) => Number(dead))),
      ),
      ...(await rows(CONNECTIONS)).map(({ name, value }) =>
        reading('connections to PostgreSQL', name, value),
      ),
      ...queues,
    ];
  };
  const ofRedis = async (): Promise<readonly Reading[]> => {
    const info = await redis.info();
    const value = (name: string) =>
      info
        .split('\r\n')
        .find((line) => line.startsWith(`${name}:`))
        ?.slice(name.length + 1);
    return [
      reading('Redis, MB', 'dataset', Number(value('used_memory_dataset')) / MEGABYTE),
      reading('Redis connections', 'all', value('connected_clients')),
      ...(await keysOf(redis)),
    ];
  };
  return {
    read: async (outcomes) => [
      ...(await Promise.all(processes.map(ofProcess))).flat(),
      ...(await ofPostgres()),
      ...(await ofRedis()),
      ...ofCalls(outcomes),
    ],
    close: async () => {
      redis.disconnect();
      await sql.end();
    },
  };
}

async function keysOf(redis: Redis): Promise<readonly Reading[]> {
  const counts = await countKeys(redis);
  const kept = [...counts].filter(([kind]) => !GROWING_KEYS.has(kind));
  return kept.map(([kind, count]) => reading('Redis keys', kind, count));
}

async function ofProcess(observed: ObservedProcess): Promise<readonly Reading[]> {
  const { name, pid, internalUrl, inspectorUrl } = observed;
  // The metric of the time since it was read last: before, without the collection of garbage.
  const lagSeconds = await readLag(internalUrl);
  const { heapBytes, handles } = await readHeap(inspectorUrl);
  await readLag(internalUrl);
  const resident = Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * PAGE_BYTES;
  return [
    reading('resident memory, MB', name, resident / MEGABYTE),
    reading('heap after collection, MB', name, heapBytes / MEGABYTE),
    reading('handles', name, handles),
    reading('files and sockets', name, readdirSync(`/proc/${pid}/fd`).length),
    reading('event loop lag p99, ms', name, lagSeconds * 1_000),
  ];
}

async function readLag(internalUrl: string): Promise<number> {
  const metrics = await (await fetch(`${internalUrl}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_p99_seconds\S* (\S+)$/m.exec(metrics)?.[1]);
}

function ofCalls(outcomes: readonly Outcome[]): readonly Reading[] {
  return [
    reading('p99, ms', 'all calls', quantile(latenciesOf(outcomes), 0.99)),
    ...kindsOf(outcomes).map((kind) =>
      reading('p50, ms', kind, quantile(latenciesOf(outcomes, kind), 0.5)),
    ),
  ];
}

/** The kinds of calls, sorted. */
export function kindsOf(outcomes: readonly Outcome[]): readonly string[] {
  return [...new Set(outcomes.map(({ kind }) => kind))].sort();
}

/** The latencies of the calls with a response, of a kind or all. */
export function latenciesOf(outcomes: readonly Outcome[], of?: string): readonly number[] {
  return outcomes
    .filter(({ kind, status }) => status !== undefined && (of === undefined || kind === of))
    .map(({ latencyMs }) => latencyMs);
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

function reading(subject: Subject, of: string | undefined, value: unknown): Reading {
  return { subject, of: of ?? '', value: Number(value) };
}

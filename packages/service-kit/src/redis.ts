import { Cluster, type ClusterNode, Redis, type RedisOptions } from 'ioredis';
import type { Registry } from 'prom-client';
import type { Logger } from './logger.ts';
import { createOutageLog } from './outage-log.ts';
import { guardCommands } from './redis-circuit.ts';

/** A client of one Redis, a Sentinel group or a Cluster. */
export type RedisClient = Redis | Cluster;

export interface RedisSettings {
  /**
   * `redis://` or `rediss://`; a comma-separated list of nodes is a Cluster;
   * `redis+sentinel://[user:password@]host:port[,host:port…]/group[/db]` (or `rediss+sentinel`).
   */
  readonly url: string;
  /** The name in CLIENT LIST and in log lines. */
  readonly name: string;
  readonly logger: Logger;
  /** Timeout of a command. Default 1,000. */
  readonly commandTimeoutMs?: number;
  /** Reconnect after this long without data; only for connections that are never idle. */
  readonly socketTimeoutMs?: number;
  /**
   * Keep commands during an outage, without a time limit, and send them after reconnecting. For
   * queue workers, which must not lose an acknowledgement.
   */
  readonly hasOfflineQueue?: boolean;
  /** Receives the metrics of the circuit breaker. */
  readonly registry?: Registry;
}

const COMMAND_MS_MAX = 1_000;
const CONNECT_TIMEOUT_MS = 3_000;
const RECONNECT_MS_MAX = 500;
const DISCONNECT_MS_MAX = 300;
/** A fail-over is noticed this soon, also if the failed node keeps its connections open. */
const SLOTS_REFRESH_MS = 1_000;
/** Of a Cluster: 0: a command of a lost connection is not sent again. */
const FAIL_FAST_CLUSTER = {
  maxRedirections: 5,
  retryDelayOnFailover: 0,
  retryDelayOnClusterDown: 50,
} as const;
const FAIL_FAST = {
  autoResendUnfulfilledCommands: false,
  enableOfflineQueue: false,
  // 0: pending commands are rejected as soon as a connection is lost.
  maxRetriesPerRequest: 0,
} as const;
const OFFLINE_QUEUE = {
  autoResendUnfulfilledCommands: true,
  enableOfflineQueue: true,
  maxRetriesPerRequest: null,
} as const;

/**
 * A Redis client that fails fast and never retries a command: no offline queue, nothing resent
 * after a lost connection, a timeout for every command, and a circuit breaker that rejects commands
 * while Redis does not respond. `hasOfflineQueue` is the opposite. The client reconnects at most
 * half a second apart. It is returned before it is connected: see `redisReady`.
 */
export function createRedis(settings: RedisSettings): RedisClient {
  const { url, name, logger, registry, commandTimeoutMs = COMMAND_MS_MAX } = settings;
  const client = open(url, {
    connectionName: name,
    ...(settings.hasOfflineQueue ? OFFLINE_QUEUE : FAIL_FAST),
    commandTimeout: settings.hasOfflineQueue ? settings.commandTimeoutMs : commandTimeoutMs,
    connectTimeout: CONNECT_TIMEOUT_MS,
    disconnectTimeout: DISCONNECT_MS_MAX,
    socketTimeout: settings.socketTimeoutMs,
  });
  const outages = createOutageLog();
  client.on('error', (error: Error) => outages.warn(logger, 'redis error', error, { redis: name }));
  if (settings.hasOfflineQueue) return client;
  return guardCommands(client, { name, logger, commandTimeoutMs, registry });
}

/** Resolves once the client is connected; rejects after `timeoutMs`, or if it is closed. */
export async function redisReady(client: RedisClient, timeoutMs = 60_000): Promise<void> {
  if (client.status === 'ready') return;
  await new Promise<void>((resolve, reject) => {
    const settled = (outcome: () => void) => (): void => {
      clearTimeout(timer);
      client.off('ready', onReady);
      client.off('end', onEnd);
      outcome();
    };
    const onReady = settled(resolve);
    const onEnd = settled(() => reject(new Error('The connection to Redis was closed.')));
    const onTimeout = settled(() =>
      reject(new Error(`Redis is not reachable after ${timeoutMs} ms.`)),
    );
    const timer = setTimeout(onTimeout, timeoutMs);
    client.once('ready', onReady);
    client.once('end', onEnd);
  });
}

/** The servers with data of their own: one, or the primaries of a Cluster. */
export function primariesOf(client: RedisClient): readonly Redis[] {
  return client instanceof Cluster ? client.nodes('master') : [client];
}

/**
 * Deletes all data, of a Cluster that of each primary. Before or after a restore of PostgreSQL: the
 * balances of an empty Redis are computed from the ledger.
 */
export async function emptyRedis(client: RedisClient): Promise<void> {
  // ASYNC: an answer at once, however much it is.
  for (const primary of primariesOf(client)) await primary.flushdb('ASYNC');
}

/** Closes a client after its pending commands. */
export async function closeRedis(client: RedisClient): Promise<void> {
  try {
    if (client.status === 'ready') await client.quit();
  } catch {
    // The connection was lost in the meantime.
  } finally {
    client.disconnect();
  }
}

type ConnectionOptions = Omit<RedisOptions, 'replyMapping' | 'retryStrategy'>;

function open(url: string, options: ConnectionOptions): RedisClient {
  if (/^rediss?\+sentinel:\/\//.test(url)) {
    return new Redis({ ...options, ...sentinelOptions(url), retryStrategy: backOff });
  }
  const nodes = url.split(',').map((node) => node.trim());
  const [first = url] = nodes;
  if (nodes.length === 1) return new Redis(first, { ...options, retryStrategy: backOff });
  const { username, password, tls } = clusterOptions(first);
  return new Cluster(nodes.map(clusterNode), {
    enableOfflineQueue: options.enableOfflineQueue === true,
    clusterRetryStrategy: backOff,
    slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
    slotsRefreshInterval: SLOTS_REFRESH_MS,
    ...(options.enableOfflineQueue === true ? {} : FAIL_FAST_CLUSTER),
    redisOptions: { ...options, ...username, ...password, ...tls },
  });
}

function backOff(attempt: number): number {
  return Math.min(50 * 2 ** Math.min(attempt, 10), RECONNECT_MS_MAX);
}

function clusterNode(node: string): ClusterNode {
  const { hostname, port } = new URL(node.includes('://') ? node : `redis://${node}`);
  return { host: hostname, port: port === '' ? 6379 : Number(port) };
}

function clusterOptions(node: string) {
  const url = new URL(node.includes('://') ? node : `redis://${node}`);
  return {
    username: url.username === '' ? {} : { username: decodeURIComponent(url.username) },
    password: url.password === '' ? {} : { password: decodeURIComponent(url.password) },
    tls: url.protocol === 'rediss:' ? { tls: {} } : {},
  };
}

function sentinelOptions(url: string): ConnectionOptions {
  const parts =
    /^(rediss?)\+sentinel:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/]+)\/([^/?]+)(?:\/(\d+))?$/.exec(
      url,
    );
  if (parts === null) {
    throw new Error(
      'A Sentinel URL has the form redis+sentinel://host:port[,host:port…]/group[/db].',
    );
  }
  const [, scheme, username, password, hosts = '', group = '', db] = parts;
  return {
    sentinels: hosts.split(',').map((host) => {
      const { hostname, port } = new URL(`redis://${host}`);
      return { host: hostname, port: port === '' ? 26_379 : Number(port) };
    }),
    name: decodeURIComponent(group),
    ...(username ? { username: decodeURIComponent(username) } : {}),
    ...(password ? { password: decodeURIComponent(password) } : {}),
    ...(db === undefined ? {} : { db: Number(db) }),
    ...(scheme === 'rediss' ? { tls: {}, enableTLSForSentinelMode: true } : {}),
  };
}

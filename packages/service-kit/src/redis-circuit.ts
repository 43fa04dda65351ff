import { once } from 'node:events';
import { Cluster, Command, type Redis, ReplyError } from 'ioredis';
import { Counter, Gauge, type Registry } from 'prom-client';
import { CircuitOpenError, createCircuit } from './circuit.ts';
import type { Logger } from './logger.ts';
import { beginCommand } from './tracing/tracer.ts';
import { shared } from './within.ts';

export interface RedisCircuitOptions {
  /** The client's name in log lines and metrics. */
  readonly name: string;
  readonly logger: Logger;
  /** The time limit of a command of the client. */
  readonly commandTimeoutMs: number;
  readonly registry?: Registry | undefined;
}

const PROBE_KEY_MS = 10_000;
const CONNECT_MS_MAX = 250;
/** A timer may end this much early by another clock. */
const TIMER_MS = 5;
const CONNECTING: ReadonlySet<string> = new Set(['wait', 'connecting', 'connect']);
const NOT_SENT = 'Redis does not respond; the command was not sent.';

/** The command was not sent, because there is no connection. */
export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError';
}

/** The connection was lost before the reply: Redis may have executed the command. */
export class ReplyLostError extends Error {
  override readonly name = 'ReplyLostError';
}

/** Members of a client that send commands and are not guarded. */
const UNGUARDED: ReadonlySet<string | symbol> = new Set(['quit', 'multi', 'pipeline']);

/**
 * A client with a circuit breaker before its commands; of a Cluster, one before each node. After
 * three consecutive commands without a reply in time, commands are rejected at once with
 * `CircuitOpenError`, and not sent, until Redis replies to a write that is sent in the background; an
 * error reply counts. A probe without a reply reconnects: the connection may be half-open. Without a
 * connection a command is rejected with `NotConnectedError`.
 *
 * Pipelines and transactions of the client are not guarded.
 */
export function guardCommands<C extends Redis | Cluster>(
  client: C,
  options: RedisCircuitOptions,
): C {
  const guardOf = nodeGuards(options, client instanceof Cluster);
  const commands = new Set<string | symbol>([...client.getBuiltinCommands(), 'call']);
  const members = new Map<string | symbol, unknown>();
  return new Proxy(client, {
    get: (target, name) => {
      const found: unknown = members.get(name) ?? Reflect.get(target, name, target);
      if (typeof found !== 'function' || members.has(name)) return found;
      const isCommand = isScript(name) || (commands.has(name) && !UNGUARDED.has(name));
      const member = isCommand
        ? (...args: unknown[]) => {
            const node = target instanceof Cluster ? nodeFor(target, name, args) : target;
            const send = (): Promise<unknown> => Reflect.apply(found, target, args);
            return node === undefined ? send() : guardOf(node as Redis)(String(name), send);
          }
        : found.bind(target);
      members.set(name, member);
      return member;
    },
  });
}

/** A script that `defineScript` has made a command of the client. */
function isScript(name: string | symbol): boolean {
  return typeof name === 'string' && name.startsWith('script:');
}

/** The node of a cluster that has the first key of a command; undefined if that is not known. */
function nodeFor(
  cluster: Cluster,
  name: string | symbol,
  args: readonly unknown[],
): Redis | undefined {
  const [first = '', ...rest] = args as string[];
  const command = isScript(name)
    ? new Command('evalsha', ['', first, ...rest])
    : name === 'call'
      ? new Command(first, rest)
      : new Command(String(name), [first, ...rest]);
  const key = cluster.slots[command.getSlot()]?.[0];
  return cluster.nodes().find(({ options }) => `${options.host}:${options.port}` === key);
}

type Guard = (name: string, send: () => Promise<unknown>) => Promise<unknown>;

function nodeGuards(options: RedisCircuitOptions, isOfCluster: boolean): (node: Redis) => Guard {
  const metrics = metricsIn(options.registry);
  const guards = new WeakMap<Redis, Guard>();
  return (node) => {
    const guard = guards.get(node) ?? guardNode(node, options, isOfCluster, metrics);
    guards.set(node, guard);
    return guard;
  };
}

function guardNode(
  redis: Redis,
  options: RedisCircuitOptions,
  isOfCluster: boolean,
  metrics: Metrics | undefined,
): Guard {
  const { name: client, commandTimeoutMs } = options;
  const { host = '', port = 0 } = redis.options;
  const circuit = nodeCircuit(redis, options, metrics);
  const connected = shared(async () => {
    if (redis.status === 'wait') redis.connect().catch(() => undefined);
    const signal = AbortSignal.timeout(CONNECT_MS_MAX);
    await once(redis, 'ready', { signal }).catch(() => undefined);
  });
  return async (name, send) => {
    // A node of a cluster connects at its first command, and again after it was lost.
    if (isOfCluster && !circuit.isOpen && CONNECTING.has(redis.status)) await connected();
    const isConnected = redis.status === 'ready';
    if (circuit.isOpen || !isConnected) {
      const { isOpen } = circuit;
      if (isOpen) metrics?.rejected.inc({ client });
      // Not in this iteration of the event loop: a caller that retries at once must not keep the
      // reply to the probe from being read.
      await new Promise(setImmediate);
      throw isOpen ? new CircuitOpenError(NOT_SENT) : new NotConnectedError(NOT_SENT);
    }
    holdWrites(redis);
    const operation = name.startsWith('script:') ? 'EVALSHA' : name.toUpperCase();
    const end = beginCommand(operation, {
      ...{ 'db.system.name': 'redis', 'db.operation.name': operation },
      ...{ 'server.address': host, 'server.port': port },
    });
    try {
      const { reply, error } = await circuit.run(() => exchanged(send, commandTimeoutMs));
      if (error !== undefined) throw error;
      end?.();
      return reply;
    } catch (error) {
      end?.(error);
      throw error;
    }
  };
}

function nodeCircuit(redis: Redis, options: RedisCircuitOptions, metrics: Metrics | undefined) {
  const { name: client, logger, commandTimeoutMs } = options;
  const line = { redis: client, host: redis.options.host, port: redis.options.port };
  const circuit = createCircuit({
    name: `Redis (${client})`,
    probe: async () => {
      if (redis.status !== 'ready') throw new NotConnectedError('Redis is not connected.');
      const set = () => redis.set(`vcds:probe:${client}`, '1', 'PX', PROBE_KEY_MS);
      const { error } = await exchanged(set, commandTimeoutMs).catch((timedOut: unknown) => {
        redis.disconnect(true);
        throw timedOut;
      });
      if (error instanceof ReplyLostError) throw error;
    },
    onOpen: () => {
      metrics?.open.inc({ client });
      logger.warn(line, 'redis does not respond; rejecting commands until it does');
    },
    onClose: () => {
      metrics?.open.dec({ client });
      logger.info(line, 'redis responds again');
    },
  });
  redis.once('end', () => {
    if (circuit.isOpen) metrics?.open.dec({ client });
    circuit.stop();
  });
  return circuit;
}

interface Outcome {
  readonly reply?: unknown;
  readonly error?: unknown;
}

/** The reply, the error reply, or `ReplyLostError`; rejects if there is none of them in time. */
async function exchanged(send: () => Promise<unknown>, commandTimeoutMs: number): Promise<Outcome> {
  const sentAtMs = performance.now();
  try {
    return { reply: await send() };
  } catch (error) {
    if (error instanceof ReplyError) return { error };
    if (performance.now() - sentAtMs >= commandTimeoutMs - TIMER_MS) throw error;
    const message = 'The connection to Redis was lost before the reply.';
    return { error: new ReplyLostError(message, { cause: error }) };
  }
}

// Sends the commands of one iteration of the event loop together: one system call in place of many,
// and Redis reads and answers them at once.
function holdWrites({ stream }: Redis): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => stream.uncork());
}

interface Metrics {
  readonly open: Gauge<'client'>;
  readonly rejected: Counter<'client'>;
}

const metricsByRegistry = new WeakMap<Registry, Metrics>();

// The clients of a process share them.
function metricsIn(registry: Registry | undefined): Metrics | undefined {
  if (registry === undefined) return undefined;
  const known = metricsByRegistry.get(registry);
  if (known !== undefined) return known;
  const registers = [registry];
  const labelNames = ['client'] as const;
  const metrics = {
    open: new Gauge({
      name: 'vcds_redis_circuits_open',
      help: 'Connections to an unresponsive Redis; the client rejects their commands unsent.',
      labelNames,
      registers,
    }),
    rejected: new Counter({
      name: 'vcds_redis_commands_rejected_total',
      help: 'Commands that were not sent because Redis did not respond.',
      labelNames,
      registers,
    }),
  };
  metricsByRegistry.set(registry, metrics);
  return metrics;
}

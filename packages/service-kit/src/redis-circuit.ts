import { Cluster, Command, type Redis } from 'ioredis';
import { Counter, Gauge, type Registry } from 'prom-client';
import { CircuitOpenError, createCircuit } from './circuit.ts';
import type { Logger } from './logger.ts';
import { beginCommand, isTracing } from './tracing/tracer.ts';

export interface RedisCircuitOptions {
  /** The client's name in log lines and metrics. */
  readonly name: string;
  readonly logger: Logger;
  readonly registry?: Registry | undefined;
}

const PROBE_KEY_MS = 10_000;
const LOST = 'The connection to Redis was lost before the reply.';
const NOT_SENT = 'Redis does not respond; the command was not sent.';

/**
 * Puts a circuit breaker before the commands of a client; of a Cluster, one before each node. After
 * three consecutive commands without a reply in time, it rejects commands at once with
 * `CircuitOpenError`, and does not send them, until Redis replies to a write that is sent in the
 * background; an error reply counts. A probe without a reply reconnects: the connection may be
 * half-open. A Cluster also rejects commands for a node that has no connection with that error.
 */
export function guardCommands(client: Redis | Cluster, options: RedisCircuitOptions): void {
  const metrics = metricsIn(options.registry);
  if (client instanceof Cluster) {
    nameUnsent(client);
    for (const node of client.nodes()) guardNode(node, options, metrics);
    client.on('+node', (node: Redis) => guardNode(node, options, metrics));
  } else {
    guardNode(client, options, metrics);
  }
}

/** Commands that a node has received and not replied to. */
const unanswered = new WeakSet<Command>();
// Errors of ioredis for a command without a connection. It sends a command with the first again.
const CLOSED = 'Connection is closed.';
const REDIRECTED = 'Too many Cluster redirections';

/** Rejects a command with `CircuitOpenError` if no node has received it. */
function nameUnsent(cluster: Cluster): void {
  const send = cluster.sendCommand.bind(cluster);
  cluster.sendCommand = (command, ...rest) => {
    const { reject } = command;
    command.reject = (error) => {
      const isUnsent = error.message.startsWith(REDIRECTED) && !unanswered.has(command);
      reject.call(command, isUnsent ? new CircuitOpenError(NOT_SENT, { cause: error }) : error);
    };
    return send(command, ...rest);
  };
}

function guardNode(redis: Redis, options: RedisCircuitOptions, metrics: Metrics | undefined): void {
  const { name, logger } = options;
  if (isTracing()) traceCommands(redis);
  const send = redis.sendCommand.bind(redis);
  const line = { redis: name, host: redis.options.host, port: redis.options.port };
  const probe = async (): Promise<void> => {
    if (redis.status !== 'ready') throw new NotReadyError();
    const args = [`vcds:probe:${name}`, '1', 'PX', String(PROBE_KEY_MS)];
    try {
      await send(new Command('set', args));
    } catch (error) {
      // An error reply shows that Redis responds; any other error is one of the connection.
      if (error instanceof Error && error.name === 'ReplyError') return;
      if (isTimeOut(error)) redis.disconnect(true);
      throw new NotReadyError('Redis did not reply to the probe.', { cause: error });
    }
  };
  const circuit = createCircuit({
    name: `Redis (${name})`,
    probe,
    isOutage: (error) => isTimeOut(error) || error instanceof NotReadyError,
    onOpen: () => {
      metrics?.open.inc({ client: name });
      logger.warn(line, 'redis does not respond; rejecting commands until it does');
    },
    onClose: () => {
      metrics?.open.dec({ client: name });
      logger.info(line, 'redis responds again');
    },
  });
  redis.once('end', () => {
    if (circuit.isOpen) metrics?.open.dec({ client: name });
    circuit.stop();
  });
  redis.sendCommand = (command, stream) => {
    const rejectSoon = (rejectCommand: Command['reject']): void => {
      metrics?.rejected.inc({ client: name });
      // Not in this iteration of the event loop: a caller that retries at once must not keep the
      // reply to the probe from being read.
      setImmediate(() => rejectCommand.call(command, new CircuitOpenError(NOT_SENT)));
    };
    if (redis.status !== 'ready') {
      // The client itself rejects all commands except those of its handshake.
      const { reject } = command;
      command.reject = (error) => {
        if (circuit.isOpen && isNotWritable(error)) rejectSoon(reject);
        else reject.call(command, error);
      };
      return send(command, stream);
    }
    if (circuit.isOpen) {
      rejectSoon(command.reject);
      return command.promise;
    }
    holdWrites(redis);
    circuit.run(() => replied(command, () => send(command, stream))).catch(() => undefined);
    return command.promise;
  };
}

// Sends the commands of one iteration of the event loop together: one system call in place of many,
// and Redis reads and answers them at once.
function holdWrites({ stream }: Redis): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => stream.uncork());
}

// A span has the name of a command, never its keys and values.
function traceCommands(redis: Redis): void {
  const send = redis.sendCommand.bind(redis);
  const { host, port } = redis.options;
  const server = { 'server.address': host ?? '', 'server.port': port ?? 0 };
  redis.sendCommand = (command, stream) => {
    const operation = command.name.toUpperCase();
    const end = beginCommand(operation, {
      ...{ 'db.system.name': 'redis', 'db.operation.name': operation },
      ...server,
    });
    if (end !== undefined) command.promise.then(() => end(), end);
    return send(command, stream);
  };
}

/**
 * Resolves once this node has replied, also with an error, and rejects if it has not in time. The
 * promise of the command does not show that: a Cluster resends a command that was redirected.
 */
function replied(command: Command, send: () => unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    const { resolve: resolveCommand, reject: rejectCommand } = command;
    command.resolve = (result) => {
      resolve();
      resolveCommand.call(command, result);
    };
    command.reject = (error) => {
      if (isTimeOut(error)) reject(error);
      else resolve();
      if (error.name === 'ReplyError') unanswered.delete(command);
      // A Cluster must not send it again: the lost node may have executed it.
      const isLost = error.message === CLOSED && unanswered.has(command);
      rejectCommand.call(command, isLost ? new Error(LOST, { cause: error }) : error);
    };
    unanswered.add(command);
    send();
  });
}

/** There is no connection for a probe. */
class NotReadyError extends Error {
  override readonly name = 'NotReadyError';
}

function isTimeOut(error: unknown): boolean {
  return error instanceof Error && error.message === 'Command timed out';
}

function isNotWritable(error: Error): boolean {
  return error.message.includes('enableOfflineQueue options is false');
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

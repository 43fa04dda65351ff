import { Cluster, Command, type Redis } from 'ioredis';
import { Counter, Gauge, type Registry } from 'prom-client';
import { CircuitOpenError, createCircuit } from './circuit.ts';
import type { Logger } from './logger.ts';

export interface RedisCircuitOptions {
  /** The client's name, in log lines and metrics. */
  readonly name: string;
  readonly logger: Logger;
  readonly registry?: Registry | undefined;
}

const PROBE_KEY_MS = 10_000;

/**
 * Puts a circuit breaker before the commands of a client; of a Cluster, one before each node. After
 * three commands in a row without an answer in time, commands are rejected at once with
 * `CircuitOpenError`, and not sent, until a write sent in the background is answered, whatever the
 * answer. A probe that is not answered either gives up the connection, which may be half-open.
 */
export function guardCommands(client: Redis | Cluster, options: RedisCircuitOptions): void {
  const metrics = metricsIn(options.registry);
  if (client instanceof Cluster) {
    for (const node of client.nodes()) guardNode(node, options, metrics);
    client.on('+node', (node: Redis) => guardNode(node, options, metrics));
  } else {
    guardNode(client, options, metrics);
  }
}

function guardNode(redis: Redis, options: RedisCircuitOptions, metrics: Metrics | undefined): void {
  const { name, logger } = options;
  const send = redis.sendCommand.bind(redis);
  const line = { redis: name, host: redis.options.host, port: redis.options.port };
  const probe = async (): Promise<void> => {
    if (redis.status !== 'ready') throw new NotReadyError();
    const args = [`vcds:probe:${name}`, '1', 'PX', String(PROBE_KEY_MS)];
    try {
      await send(new Command('set', args));
    } catch (error) {
      // An error Redis answers is an answer; anything else is of a connection that is of no use.
      if (error instanceof Error && error.name === 'ReplyError') return;
      if (isTimeOut(error)) redis.disconnect(true);
      throw new NotReadyError('The probe was not answered.', { cause: error });
    }
  };
  const circuit = createCircuit({
    name: `Redis (${name})`,
    probe,
    isOutage: (error) => isTimeOut(error) || error instanceof NotReadyError,
    onOpen: () => {
      metrics?.open.inc({ client: name });
      logger.warn(line, 'redis does not answer; commands are refused until it does');
    },
    onClose: () => {
      metrics?.open.dec({ client: name });
      logger.info(line, 'redis answers again');
    },
  });
  redis.once('end', () => {
    if (circuit.isOpen) metrics?.open.dec({ client: name });
    circuit.stop();
  });
  redis.sendCommand = (command, stream) => {
    const refuse = (rejectCommand: Command['reject']): void => {
      metrics?.refused.inc({ client: name });
      // Not in this turn of the event loop: a caller that repeats at once must not keep the answer
      // to the probe from being read.
      const error = new CircuitOpenError('Redis did not answer the last commands.');
      setImmediate(() => rejectCommand.call(command, error));
    };
    if (redis.status !== 'ready') {
      // The client itself rejects all but the commands of its handshake.
      const { reject } = command;
      command.reject = (error) => {
        if (circuit.isOpen && isNotWritable(error)) refuse(reject);
        else reject.call(command, error);
      };
      return send(command, stream);
    }
    if (circuit.isOpen) {
      refuse(command.reject);
      return command.promise;
    }
    circuit.run(() => answered(command, () => send(command, stream))).catch(() => undefined);
    return command.promise;
  };
}

/**
 * Settles once this node has answered, by whatever it was, or rejects once it has not in time. The
 * promise of the command does not say that: a Cluster sends a command that was redirected again.
 */
function answered(command: Command, send: () => unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    const { resolve: resolveCommand, reject: rejectCommand } = command;
    command.resolve = (result) => {
      resolve();
      resolveCommand.call(command, result);
    };
    command.reject = (error) => {
      if (isTimeOut(error)) reject(error);
      else resolve();
      rejectCommand.call(command, error);
    };
    send();
  });
}

/** The connection a probe would use is not there. */
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
  readonly refused: Counter<'client'>;
}

const metricsByRegistry = new WeakMap<Registry, Metrics>();

// Shared by the clients of a process.
function metricsIn(registry: Registry | undefined): Metrics | undefined {
  if (registry === undefined) return undefined;
  const known = metricsByRegistry.get(registry);
  if (known !== undefined) return known;
  const registers = [registry];
  const labelNames = ['client'] as const;
  const metrics = {
    open: new Gauge({
      name: 'vcds_redis_circuits_open',
      help: 'Connections to Redis that do not answer: their commands are refused at once.',
      labelNames,
      registers,
    }),
    refused: new Counter({
      name: 'vcds_redis_commands_refused_total',
      help: 'Commands that were not sent because Redis did not answer the ones before.',
      labelNames,
      registers,
    }),
  };
  metricsByRegistry.set(registry, metrics);
  return metrics;
}

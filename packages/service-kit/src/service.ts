import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from './logger.ts';
import { within } from './within.ts';

/** From the end of the drain until the process exits, for all processes (docs/configuration.md). */
export const STOP_MS_MAX = 35_000;
/** Timeout of closing one resource. */
const CLOSE_MS_MAX = 3_000;
const FINISH_MS_MAX = 25_000;
const IDLE_SWEEP_MS = 50;

/** A port that a service listens on. */
export interface Listener {
  readonly name: string;
  readonly server: Server;
  readonly host: string;
  /** 0 selects any free port. */
  readonly port: number;
  /** The variable that sets the port, for the error message. */
  readonly variable: string;
  /** `internal` listeners are closed after the public ones. Default `public`. */
  readonly role?: 'public' | 'internal';
}

/** A pool, a client or a loop that is closed when the service stops. */
export interface Resource {
  readonly name: string;
  readonly close: () => unknown;
  /** Timeout of `close`. Default 3 s. */
  readonly closeMsMax?: number;
}

export interface ServiceOptions {
  readonly name: string;
  readonly logger: Logger;
  readonly listeners: readonly Listener[];
  /** Closed one after another, in this order, after the last listener. */
  readonly resources?: readonly Resource[];
  /**
   * How long calls are accepted after the stop has begun, so that load balancers read 503 from
   * `/ready` before a connection fails. Default 0.
   */
  readonly drainMs?: number;
  /** After that, how long running requests may take to finish. Default 25 s. */
  readonly finishMsMax?: number;
  /** After the drain, how long running requests and resources may take in all. Default 32 s. */
  readonly stopMsMax?: number;
}

export interface Service {
  /** The port of each listener, by name. */
  readonly ports: Readonly<Record<string, number>>;
  readonly isStopping: () => boolean;
  /** Drains, stops accepting, waits for running requests, closes the resources, within bounds. */
  readonly stop: () => Promise<void>;
}

/** A port cannot be opened; the message is a sentence for the operator. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/**
 * Starts the listeners; internal ones first, so that probes work from the beginning.
 *
 * @throws ListenError if a port cannot be opened; everything is closed then.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { name, logger, listeners, resources = [] } = options;
  const { drainMs = 0, finishMsMax = FINISH_MS_MAX } = options;
  // Traces are sent last.
  const { stopMsMax = STOP_MS_MAX - CLOSE_MS_MAX } = options;
  const inOrder = [...listeners.filter(isInternal), ...listeners.filter((l) => !isInternal(l))];
  const ports: Record<string, number> = {};
  try {
    for (const listener of inOrder) ports[listener.name] = await listen(listener);
  } catch (error) {
    await Promise.all(inOrder.map(({ server }) => closeServer(server, 0)));
    await closeResources(resources, logger, stopMsMax);
    throw error;
  }
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    for (const { server } of listeners) closeConnections(server);
    if (drainMs > 0) await delay(drainMs);
    const endsAtMs = performance.now() + stopMsMax;
    const publics = listeners.filter((listener) => !isInternal(listener));
    await Promise.all(publics.map(({ server }) => closeServer(server, finishMsMax)));
    const internals = listeners.filter(isInternal);
    await Promise.all(internals.map(({ server }) => closeServer(server, CLOSE_MS_MAX)));
    await closeResources(resources, logger, endsAtMs - performance.now());
    logger.info('stopped');
  };
  logger.info({ ports }, `${name} is listening`);
  return {
    ports,
    isStopping: () => stopped !== undefined,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

/**
 * On SIGTERM and SIGINT, stops the service and exits; a second signal exits at once. Accepts a
 * service that is still starting, so that no signal is missed.
 */
export function stopOnSignals(starting: Service | Promise<Service>, logger: Logger): void {
  let isAsked = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isAsked) process.exit(1);
    isAsked = true;
    logger.info({ signal }, 'stopping');
    Promise.resolve(starting)
      .then((service) => service.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          logger.fatal({ error }, 'could not stop cleanly');
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

function isInternal(listener: Listener): boolean {
  return listener.role === 'internal';
}

function listen({ server, host, port, name, variable }: Listener): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new ListenError(sentence(error, name, host, port, variable), { cause: error })),
    );
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function sentence(
  error: NodeJS.ErrnoException,
  name: string,
  host: string,
  port: number,
  variable: string,
): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} for ${name} is already in use. Stop the process that uses it, or set ${variable}.`;
    case 'EACCES':
      return `Port ${port} for ${name} is not permitted for this user. Set ${variable}.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${name} cannot listen on ${host}: this machine does not have that address.`;
    default:
      return `${name} cannot listen on ${host}:${port}: ${error.message}`;
  }
}

// Each further response closes its connection, so that clients connect to another instance.
function closeConnections(server: Server): void {
  server.prependListener('request', (_request, response) => {
    response.setHeader('Connection', 'close');
  });
}

// Idle keep-alive connections are closed repeatedly: one becomes idle after each response.
async function closeServer(server: Server, finishMsMax: number): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), finishMsMax);
  server.closeIdleConnections();
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}

/** Closes each resource in turn; past `msMax` in all, the rest is closed without waiting. */
async function closeResources(
  resources: readonly Resource[],
  logger: Logger,
  msMax: number,
): Promise<void> {
  const endsAtMs = performance.now() + msMax;
  for (const { name, close, closeMsMax = CLOSE_MS_MAX } of resources) {
    const waitMs = Math.max(0, Math.min(closeMsMax, endsAtMs - performance.now()));
    try {
      await within(waitMs, close(), 'took too long to close');
    } catch (error) {
      logger.warn({ resource: name, error }, 'a resource failed to close');
    }
  }
}

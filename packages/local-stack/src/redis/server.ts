import { mkdir, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import type { Guardian } from '../processes/guardian.ts';
import { startProcess } from '../processes/managed-process.ts';
import { stopStaleServer } from '../processes/server-process.ts';
import { untilReady } from '../processes/until-ready.ts';
import type { RedisProgram } from './program.ts';
import { configurationFile, redisProcess } from './server-process.ts';

export interface RedisOptions {
  readonly program: RedisProgram;
  /** Contains the configuration and, if durable, the append-only files. */
  readonly folder: string;
  readonly port: number;
  /** Without one, any program on this machine can connect: for tests only. */
  readonly password?: string;
  /** Durable: an append-only file, flushed every second. Disposable: nothing on disk. */
  readonly purpose: 'durable' | 'disposable';
  /** Number of databases; default 16. */
  readonly databases?: number;
  /** Additional lines of the configuration file. */
  readonly configuration?: readonly string[];
  /** Start a Sentinel instead of a server with data. */
  readonly isSentinel?: boolean;
  readonly logFile: string;
  readonly guardian: Guardian;
}

export type RedisServer = Awaited<ReturnType<typeof startRedis>>;

/** Loading a large append-only file can take long. */
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 15_000;
const PING_TIMEOUT_MS = 2_000;

/**
 * Starts Redis on 127.0.0.1, with a password and without eviction, and waits until it has loaded its
 * data. A server of a killed run that still uses the same folder is stopped first: two servers would
 * write to the same append-only files. Its `url` has the form `redis://[:password@]127.0.0.1:port`.
 * @throws Error with the end of the server's log if it does not become ready.
 */
export async function startRedis(options: RedisOptions) {
  await mkdir(options.folder, { recursive: true });
  await stopStaleServer(redisProcess(options.folder));
  const configuration = configurationFile(options.folder);
  await writeFile(configuration, configurationOf(options), { mode: 0o600 });
  const server = await startProcess({
    name: 'Redis',
    command: options.program.command,
    args: [configuration, ...(options.isSentinel === true ? ['--sentinel'] : [])],
    env: { PATH: process.env.PATH, LC_ALL: 'C', ...options.program.env },
    cwd: options.folder,
    logFile: options.logFile,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: STOP_TIMEOUT_MS,
    guardian: options.guardian,
  });
  await untilReady(server, {
    probe: async () => {
      const reply = await ping(options.port, options.password);
      if (reply.includes('+PONG')) return undefined;
      return { reason: reply.trim() || 'no connection', isFinal: reply.includes('WRONGPASS') };
    },
    timeoutMs: START_TIMEOUT_MS,
  });
  const credentials = options.password === undefined ? '' : `:${options.password}@`;
  const url = `redis://${credentials}127.0.0.1:${options.port}`;
  return { ...server, url, port: options.port };
}

function configurationOf(options: RedisOptions): string {
  const { folder, port, password, purpose, databases, configuration } = options;
  const persistence =
    purpose === 'durable'
      ? ['appendonly yes', 'appendfsync everysec', 'save ""']
      : ['appendonly no', 'save ""'];
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    ...(password === undefined ? [] : [`requirepass ${password}`]),
    `dir ${quoted(folder)}`,
    `pidfile ${quoted(redisProcess(folder).pidFile)}`,
    // A title would replace the command line, and be cut at 255 characters.
    'set-proc-title no',
    'daemonize no',
    `databases ${databases ?? 16}`,
    'maxmemory-policy noeviction',
    'logfile ""',
    ...persistence,
    ...(configuration ?? []),
    '',
  ].join('\n');
}

function quoted(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** The server's reply to AUTH and PING; empty without a connection. */
function ping(port: number, password?: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1', timeout: PING_TIMEOUT_MS });
    let reply = '';
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      reply += text;
    });
    socket.on('timeout', () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve(reply));
    const authentication = password === undefined ? '' : `AUTH ${password}\r\n`;
    socket.write(`${authentication}PING\r\nQUIT\r\n`);
  });
}

import { mkdir, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Guardian } from '../processes/guardian.ts';
import {
  describeEnd,
  lastLines,
  type ManagedProcess,
  startProcess,
} from '../processes/managed-process.ts';
import type { RedisProgram } from './program.ts';

export interface RedisOptions {
  readonly program: RedisProgram;
  /** Holds the configuration and, when durable, the append-only files. */
  readonly folder: string;
  readonly port: number;
  /** Without one, any program on this machine may use it: for tests only. */
  readonly password?: string;
  /** Durable: append-only file, flushed every second. Disposable: nothing on disk. */
  readonly purpose: 'durable' | 'disposable';
  /** How many numbered databases; default 16. */
  readonly databases?: number;
  /** More lines for the configuration file. */
  readonly configuration?: readonly string[];
  readonly logFile: string;
  readonly guardian: Guardian;
}

export interface RedisServer extends ManagedProcess {
  /** `redis://[:password@]127.0.0.1:port` */
  readonly url: string;
  readonly port: number;
}

/** Reading a large append-only file back takes a while. */
const startTimeoutMs = 60_000;
const stopTimeoutMs = 15_000;
const pollMs = 20;
const answerTimeoutMs = 2_000;

/**
 * Starts Redis on 127.0.0.1, protected by a password, never evicting a key, and waits until
 * it has loaded its data.
 * @throws Error with the server's last words when it does not come up.
 */
export async function startRedis(options: RedisOptions): Promise<RedisServer> {
  await mkdir(options.folder, { recursive: true });
  const configuration = join(options.folder, 'redis.conf');
  await writeFile(configuration, configurationOf(options), { mode: 0o600 });
  const server = await startProcess({
    name: 'Redis',
    command: options.program.command,
    args: [configuration],
    env: { PATH: process.env.PATH, LC_ALL: 'C', ...options.program.env },
    cwd: options.folder,
    logFile: options.logFile,
    stopSignal: 'SIGTERM',
    stopTimeoutMs,
    guardian: options.guardian,
  });
  await untilAnswering(server, options);
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
    `dir "${folder.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`,
    'daemonize no',
    `databases ${databases ?? 16}`,
    'maxmemory-policy noeviction',
    'logfile ""',
    ...persistence,
    ...(configuration ?? []),
    '',
  ].join('\n');
}

async function untilAnswering(server: ManagedProcess, options: RedisOptions): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    const answer = await ping(options.port, options.password);
    if (answer.includes('+PONG')) return;
    if (!server.isRunning()) {
      const words = (await lastLines(server.logFile, 8)).join('\n');
      throw new Error(`Redis ${describeEnd(await server.ended)} while starting:\n${words}`);
    }
    if (Date.now() > deadline || answer.includes('WRONGPASS')) {
      await server.stop();
      throw new Error(`Redis does not answer (${answer.trim() || 'no connection'}).`);
    }
    await delay(pollMs);
  }
}

/** What the server says to AUTH and PING; empty when there is no connection. */
function ping(port: number, password?: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1', timeout: answerTimeoutMs });
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      answer += text;
    });
    socket.on('timeout', () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve(answer));
    const authentication = password === undefined ? '' : `AUTH ${password}\r\n`;
    socket.write(`${authentication}PING\r\nQUIT\r\n`);
  });
}

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { eventually, repositoryRoot } from '@vcds/test-kit/bench';

const CONFIGURATION = join(repositoryRoot, 'infra/haproxy/haproxy.cfg');
const PROGRAM = process.env.VCDS_HAPROXY || 'haproxy';

/** The haproxy of `infra/haproxy`, in a process. */
export interface HaproxyServer {
  /** Resolves once it sends requests to this server, such as `data-api-1`. */
  untilUp(server: string): Promise<void>;
  /** Replaces its worker process, and resolves when the new one has all these servers. */
  reload(servers: readonly string[]): Promise<void>;
  /** Its log: requests that failed, and changes of the servers. */
  readonly output: () => string;
  close(): Promise<void>;
}

/** @throws Error with a sentence for the operator if haproxy cannot be started. */
export function assertHaproxy(): void {
  try {
    execFileSync(PROGRAM, ['-v'], { stdio: 'ignore' });
  } catch (cause) {
    throw new Error(
      `${PROGRAM} does not run: install haproxy 2.6 or newer (apt-get install haproxy), or set ` +
        'VCDS_HAPROXY to its path.',
      { cause },
    );
  }
}

/**
 * Starts haproxy with the configuration of the project, and resolves once it listens.
 *
 * @param variables that replace the addresses in it.
 * @param folder for its socket.
 * @throws Error with its output if it ends.
 */
export async function startProxy(
  variables: NodeJS.ProcessEnv,
  folder: string,
): Promise<HaproxyServer> {
  assertHaproxy();
  const socket = join(folder, 'haproxy.sock');
  const child = spawn(PROGRAM, ['-W', '-db', '-f', CONFIGURATION], {
    env: { PATH: process.env.PATH, HAPROXY_ADMIN: socket, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += String(chunk);
    });
  }
  const closed = once(child, 'close');
  await Promise.race([
    eventually(() => ask(socket, 'show info')),
    closed.then(() => Promise.reject(new Error(`haproxy ended: ${output}`))),
  ]);
  const untilUp = async (server: string): Promise<void> => {
    await eventually(async () => (await statusOf(socket, server)).startsWith('UP'));
  };
  return {
    untilUp,
    reload: async (servers) => {
      const before = await ask(socket, 'show info');
      child.kill('SIGUSR2');
      await eventually(async () => pidIn(await ask(socket, 'show info')) !== pidIn(before));
      for (const server of servers) await untilUp(server);
    },
    output: () => output,
    close: closeWith(child, closed),
  };
}

function closeWith(child: ChildProcess, closed: Promise<unknown>): () => Promise<void> {
  const onExit = (): void => void child.kill('SIGKILL');
  process.once('exit', onExit);
  return async () => {
    child.kill('SIGTERM');
    await closed;
    process.off('exit', onExit);
  };
}

function pidIn(info: string): string | undefined {
  return /^Pid: (\d+)$/m.exec(info)?.[1];
}

const NAME = 1;
const STATUS = 17;

/** The worst status of a server in all backends. */
async function statusOf(socket: string, server: string): Promise<string> {
  const rows = (await ask(socket, 'show stat')).split('\n').map((line) => line.split(','));
  const found = rows.filter((row) => row[NAME] === server).map((row) => row[STATUS] ?? '');
  return found.find((status) => !status.startsWith('UP')) ?? found[0] ?? 'unknown';
}

async function ask(socket: string, command: string): Promise<string> {
  const connection = createConnection(socket);
  connection.end(`${command}\n`);
  return text(connection);
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { untilReady } from '../credits/worker-process.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const REGISTER = '/api/v1/auth/register';
const running = new Set<ChildProcess>();

/** access-api as it is deployed, and the port of its public listener. */
export interface AccessProcess {
  readonly child: ChildProcess;
  readonly port: number;
  /** Sends SIGKILL; resolves once the process has ended. */
  kill(): Promise<void>;
}

/**
 * Registers an address and calls `onAnswer` when the first byte of the answer arrives, before
 * anything else runs in this process.
 *
 * @throws Error unless the answer is 202 with status `sent`.
 */
export async function register(
  { port }: AccessProcess,
  address: string,
  onAnswer: () => void = () => undefined,
): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port });
  const body = JSON.stringify({ email: address });
  let answer = '';
  socket.on('data', (chunk) => {
    onAnswer();
    answer += chunk.toString();
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(
    `POST ${REGISTER} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n` +
      `X-Forwarded-For: ${newClient()}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  await once(socket, 'close');
  const isSent = answer.startsWith('HTTP/1.1 202') && answer.includes('"status":"sent"');
  if (!isSent) throw new Error(`Register answered: ${answer.slice(0, 400)}`);
}

/** Starts the built access-api with these variables and no others; resolves once it is ready. */
export async function startAccessApi(environment: NodeJS.ProcessEnv): Promise<AccessProcess> {
  const env = {
    PATH: process.env.PATH,
    TRUST_PROXY: '1',
    REQUIRE_HTTPS: 'false',
    ACCESS_API_PORT: '0',
    DRAIN_MS: '0',
    ACCESS_API_INTERNAL_PORT: '0',
    MX_CHECK: 'off',
    ...environment,
  };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let output = '';
  const ports = await new Promise<{ port: number; internal: string }>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const [port, internal] = ['public', 'internal'].map(
        (name) => new RegExp(`"${name}":(\\d+)`).exec(output)?.[1],
      );
      if (port !== undefined && internal !== undefined) resolve({ port: Number(port), internal });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => reject(new Error(`access-api ended: ${output.slice(-2_000)}`)));
  });
  await untilReady(`http://127.0.0.1:${ports.internal}`);
  return {
    child,
    port: ports.port,
    kill: async () => {
      const exit = once(child, 'exit');
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/** Ends what a failed test has left running. */
export function killAccessProcesses(): void {
  for (const child of running) child.kill('SIGKILL');
}

let clients = 0;
/** No network sends more registrations than one may. */
function newClient(): string {
  clients += 1;
  return `10.1.${clients >> 8}.${clients & 255}`;
}

import { once } from 'node:events';
import { connect } from 'node:net';
import { type ServiceProcess, spawnService } from '@vcds/test-kit';

const REGISTER = '/api/v1/auth/register';

/** access-api as it is deployed, and the port of its public listener. */
export interface AccessProcess extends ServiceProcess {
  readonly port: number;
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
  const service = spawnService('access-api', {
    TRUST_PROXY: '1',
    REQUIRE_HTTPS: 'false',
    ...environment,
  });
  await service.ready();
  const { public: port = 0 } = await service.ports;
  return { ...service, port };
}

let clients = 0;
/** No network sends more registrations than one may. */
function newClient(): string {
  clients += 1;
  return `10.1.${clients >> 8}.${clients & 255}`;
}

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { fastFolder } from './run.ts';
import { openTestServers, type TestServers } from './servers.ts';

/** Serves one set of test servers to the worker processes of a test run. */
export interface Broker {
  /** Address and secret in one; for `BROKER_VARIABLE`. */
  readonly url: string;
  close(): Promise<void>;
}

/** One call: what to do, and with what. */
export interface BrokerCall {
  readonly action: Exclude<keyof TestServers, 'close'>;
  readonly argument?: unknown;
}

/**
 * No statistics of the planner that depend on when a worker came by; and with hundreds of databases
 * the launcher would start several workers a second.
 */
const SETTINGS = { autovacuum: 'off' };

/** Opens a broker on a free port of 127.0.0.1. Servers start when a test first asks. */
export async function openBroker(environment: NodeJS.ProcessEnv = process.env): Promise<Broker> {
  const servers = await openTestServers(environment, await fastFolder(), SETTINGS);
  const secret = randomBytes(16).toString('hex');
  const http = createServer((request, response) => {
    // A connection a call: one kept open could be closed here just as the next call takes it.
    response.setHeader('Connection', 'close');
    answer(servers, secret, request, response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      response.writeHead(500).end(JSON.stringify({ message }));
    });
  });
  // The first call may have to download Redis.
  http.requestTimeout = 0;
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP address was given');
  return {
    url: `http://127.0.0.1:${address.port}/${secret}`,
    close: async () => {
      http.closeAllConnections();
      http.close();
      await servers.close();
    },
  };
}

async function answer(
  servers: TestServers,
  secret: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const given = Buffer.from(request.url ?? '');
  const expected = Buffer.from(`/${secret}`);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    response.writeHead(403).end('{}');
    return;
  }
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const call: BrokerCall = JSON.parse(Buffer.concat(parts).toString());
  const action: (argument: never) => Promise<unknown> = servers[call.action];
  const result = await action(call.argument as never);
  response.writeHead(200).end(JSON.stringify({ result: result ?? null }));
}

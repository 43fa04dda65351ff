/** A program of the bench `beside`: floods a loopback address for a time. */
import { createConnection } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { generateApiKey } from '@vcds/credentials';
import { Agent, request } from 'undici';
import { EXPENSIVE_PATHS } from './expensive-paths.ts';

/** The requests of a flood. */
export interface Flood {
  readonly kind:
    | 'unknown keys'
    | 'no key'
    | 'initialize'
    | 'errors'
    | 'pages'
    | 'pipelined'
    | 'expensive calls';
  /** Root of the attacked host; loopback only. */
  readonly origin: string;
  /** A key of the free plan. */
  readonly key: string;
  readonly connections: number;
  /** Requests a second, whether responses arrive or not; 0: as fast as the responses arrive. */
  readonly perSecond: number;
  /** Addresses that they come from, 127.0.1.1 and the next; 0: the one of the callers. */
  readonly addresses: number;
  readonly seconds: number;
}

const MEMBERS = 6_500;
const GIVE_UP_MS = 5_000;
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    clientInfo: { name: 'x', version: '1' },
    capabilities: {
      experimental: Object.fromEntries(
        Array.from({ length: MEMBERS }, (_, i) => [i.toString(36), {}]),
      ),
    },
  },
});

const flood = JSON.parse(process.argv[2] ?? '{}') as Flood;
// Clients on other machines do not use the processor time of the servers.
if (flood.kind === 'expensive calls') setPriority(19);
if (new URL(flood.origin).hostname !== '127.0.0.1') throw new Error('Only loopback is attacked.');
const statuses = new Map<string, number>();
const endsAtMs = performance.now() + flood.seconds * 1_000;
const count = (status: string): unknown => statuses.set(status, (statuses.get(status) ?? 0) + 1);
await (flood.kind === 'pipelined' ? pipelined() : flood.perSecond > 0 ? sentAtRate() : flooded());
process.stdout.write(JSON.stringify(Object.fromEntries(statuses)));
process.exit(0);

/** Each connection sends when its response has arrived. */
async function flooded(): Promise<void> {
  const agent = new Agent({ connections: flood.connections, pipelining: 1 });
  const client = async (): Promise<void> => {
    for (let sent = 0; performance.now() < endsAtMs; sent++) await send(agent, sent);
  };
  const clients = Array.from({ length: flood.connections }, client);
  await Promise.race([Promise.all(clients), delay(flood.seconds * 1_000 + 500)]);
}

/** Sends at the rate without waiting for responses, and gives up what has none within five seconds. */
async function sentAtRate(): Promise<void> {
  const { connections, addresses, perSecond } = flood;
  const agents = Array.from({ length: Math.max(1, addresses) }, (_, index) => {
    const localAddress = `127.0.${1 + (index >> 7)}.${1 + (index & 127)}`;
    return new Agent({
      connections: Math.ceil(connections / Math.max(1, addresses)),
      pipelining: 1,
      connect: addresses === 0 ? {} : { localAddress },
    });
  });
  const startedMs = performance.now();
  for (let sent = 0; performance.now() < endsAtMs; await delay(1)) {
    const due = ((performance.now() - startedMs) / 1_000) * perSecond;
    for (; sent < due; sent++) {
      void send(agents[sent % agents.length] as Agent, sent, AbortSignal.timeout(GIVE_UP_MS));
    }
  }
}

async function send(agent: Agent, turn: number, signal?: AbortSignal): Promise<void> {
  try {
    const { statusCode, body } = await request(flood.origin + pathOf(turn), {
      dispatcher: agent,
      signal,
      ...sentWith(),
    });
    await body.dump();
    count(String(statusCode));
  } catch (error) {
    const given = signal?.aborted ? 'given up' : undefined;
    count(given ?? (error instanceof Error && 'code' in error ? String(error.code) : 'error'));
    if (signal === undefined) await delay(10);
  }
}

function pathOf(turn: number): string {
  switch (flood.kind) {
    case 'initialize':
      return '/mcp';
    case 'errors':
      return '/v2/startups?$nope=1';
    case 'pages':
      return '/account';
    case 'expensive calls':
      return `/v2${EXPENSIVE_PATHS[turn % EXPENSIVE_PATHS.length]}`;
    default:
      return '/v2/startups';
  }
}

function sentWith(): Omit<NonNullable<Parameters<typeof request>[1]>, 'dispatcher'> {
  const headers = { 'x-api-key': flood.kind === 'unknown keys' ? generateApiKey() : flood.key };
  if (flood.kind === 'no key' || flood.kind === 'pages') return {};
  if (flood.kind !== 'initialize') return { headers };
  const accept = 'application/json, text/event-stream';
  return {
    method: 'POST',
    headers: { ...headers, accept, 'content-type': 'application/json' },
    body: INITIALIZE,
  };
}

/** Sends thousands of requests on each connection without reading a response. */
async function pipelined(): Promise<void> {
  const host = new URL(flood.origin);
  const batch = 'GET /v2/startups HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_000);
  const connect = async (): Promise<void> => {
    while (performance.now() < endsAtMs) {
      const socket = createConnection(Number(host.port), host.hostname);
      socket.on('error', () => undefined).on('data', () => undefined);
      socket.write(batch);
      await Promise.race([new Promise((resolve) => socket.once('close', resolve)), delay(1_000)]);
      count(socket.destroyed ? 'closed' : 'open');
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: flood.connections }, connect));
}

// Tests docs/spec/find.md 20.5.
import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { eventually } from '@vcds/test-kit';
import type { Rules } from '../../src/outbound-http/connector.ts';
import { createClient } from '../../src/outbound-http/outbound-client.ts';
import { OutboundError } from '../../src/outbound-http/outbound-error.ts';
import { isPublicAddress } from '../../src/outbound-http/public-address.ts';
import { BAD_URLS, DNS_ANSWERS, LOCAL_NAMES, OTHER_HOSTS, URLS_OF_THIS_MACHINE } from './tricks.ts';

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((each) => each?.address === '::1');

/** Stands for a public address: the redirecting server listens on it. */
const START = '127.0.0.2';

/** Listens on every address of this machine, IPv4 and IPv6, and counts connections. */
const trap = createServer((socket) => {
  trapped += 1;
  socket.on('error', () => undefined);
  socket.once('data', () => {
    received += 1;
  });
  socket.end('HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\ntrapped');
});
let trapped = 0;
let received = 0;
let trapPort = 0;

let location = '';
const start = createHttpServer((request, response) => {
  if (request.url !== '/') response.end('page');
  else response.writeHead(302, { location }).end();
});
let startPort = 0;

/** The connections of one call of a client. */
interface Connections {
  count: number;
}

/**
 * The call in whose asynchronous context a socket connects. Sockets of other test files of the same
 * process, such as a Redis client that connects again, have none.
 */
const calls = new AsyncLocalStorage<Connections>();
const socketConnect = Socket.prototype.connect;

beforeAll(async () => {
  Socket.prototype.connect = function connect(this: Socket, ...args: unknown[]): Socket {
    const call = calls.getStore();
    if (call !== undefined) call.count += 1;
    return Reflect.apply(socketConnect, this, args);
  };
  await new Promise<void>((resolve) => trap.listen(0, resolve));
  await new Promise<void>((resolve) => start.listen(0, START, resolve));
  trapPort = (trap.address() as AddressInfo).port;
  startPort = (start.address() as AddressInfo).port;
});
afterEach(() => {
  trapped = 0;
  received = 0;
});
afterAll(() => {
  Socket.prototype.connect = socketConnect;
  trap.close();
  start.close();
});

/** A client that may use the ports of the tests; by default with the rules of the product. */
function client(rules: Partial<Rules> = {}) {
  return createClient(
    { userAgent: 'test', timeoutMs: 60_000, connectMs: 60_000 },
    {
      isAllowed: isPublicAddress,
      resolve: () => Promise.reject(new Error('not resolved')),
      ports: new Set([80, 443, trapPort, startPort]),
      ...rules,
    },
  );
}

const withPort = (url: string): string => url.replaceAll('{port}', String(trapPort));

async function reasonOf(url: string, rules?: Partial<Rules>): Promise<string> {
  const error = await client(rules)
    .fetchPage(withPort(url))
    .catch((thrown: unknown) => thrown);
  if (error instanceof OutboundError) return error.reason;
  throw new Error(`no OutboundError: ${JSON.stringify(error)}`);
}

/** The reason of the error, and how many connections the call made. */
async function triedOf(url: string, rules?: Partial<Rules>) {
  const connections: Connections = { count: 0 };
  const reason = await calls.run(connections, () => reasonOf(url, rules));
  return { reason, connections: connections.count, trapped };
}

const hosts = (names: readonly string[]) => names.map((name) => `http://${name}:{port}/`);

describe('no connection is made', () => {
  test.each([
    ...[...URLS_OF_THIS_MACHINE, ...hosts(OTHER_HOSTS), ...hosts(LOCAL_NAMES)].map(
      (url) => [url, 'address_not_public'] as const,
    ),
    ...BAD_URLS.map((url) => [url, 'bad_url'] as const),
  ])('to %j: %s', async (url, reason) => {
    expect(await triedOf(url)).toEqual({ reason, connections: 0, trapped: 0 });
  });

  test.each(DNS_ANSWERS)('to a name with $answers', async ({ answers }) => {
    const resolve = async () => answers;
    for (const scheme of ['http', 'https']) {
      expect(await triedOf(`${scheme}://acme.example:{port}/`, { resolve })).toEqual({
        reason: 'address_not_public',
        connections: 0,
        trapped: 0,
      });
    }
  });

  test.each([
    ...[...URLS_OF_THIS_MACHINE, ...hosts(OTHER_HOSTS), ...hosts(LOCAL_NAMES)].filter(
      // A header has no line ends; relative to a URL, the slashes that are missing are a path.
      (url) => !/[\r\n]/.test(url) && /^https?:[\\/]{2}/i.test(url),
    ),
    ...['//127.0.0.1:{port}/', '\\\\127.0.0.1:{port}/', '/\\127.0.0.1:{port}/', '//[::1]:{port}'],
  ])('after a redirect to %j', async (url) => {
    location = Buffer.from(withPort(url)).toString('latin1');
    const rules = {
      isAllowed: (address: string) => address === START || isPublicAddress(address),
      resolve: async () => [START],
    };
    expect(await triedOf(`http://acme.example:${startPort}/`, rules)).toEqual({
      reason: 'address_not_public',
      connections: 1,
      trapped: 0,
    });
  });

  test('to a name that DNS gives no address for, or too many', async () => {
    const answers = Array.from({ length: 65 }, (_, index) => `93.184.215.${index}`);
    for (const resolve of [async () => [], async () => answers]) {
      expect(await triedOf('http://acme.example/', { resolve })).toEqual({
        reason: 'unreachable',
        connections: 0,
        trapped: 0,
      });
    }
  });
});

describe('an address that changes between look-ups', () => {
  const isAllowed = (address: string): boolean => address === START;

  test('is looked up once for a connection', async () => {
    const resolve = jest.fn(async () => [START]).mockResolvedValueOnce([START]);
    resolve.mockResolvedValue(['127.0.0.1']);
    const connections: Connections = { count: 0 };
    const page = await calls.run(connections, () =>
      client({ isAllowed, resolve }).fetchPage(`http://acme.example:${startPort}/page`),
    );
    expect(page.body.toString()).toBe('page');
    expect(resolve).toHaveBeenCalledTimes(1);
    expect(connections.count).toBe(1);
  });

  test('is checked again after a redirect to the same name', async () => {
    const resolve = jest.fn(async () => ['127.0.0.1']).mockResolvedValueOnce([START]);
    location = withPort('http://acme.example:{port}/');
    expect(await reasonOf(`http://acme.example:${startPort}/`, { isAllowed, resolve })).toBe(
      'address_not_public',
    );
    expect(resolve).toHaveBeenCalledTimes(2);
    expect(trapped).toBe(0);
  });
});

test('the next address of a host is tried if one does not connect', async () => {
  const resolve = jest.fn(async () => ['127.0.0.3', START]);
  const page = await client({ isAllowed: () => true, resolve }).fetchPage(
    `http://acme.example:${startPort}/page`,
  );
  expect(page.body.toString()).toBe('page');
  expect(resolve).toHaveBeenCalledTimes(1);
});

describe('the trap', () => {
  const isAllowed = (): boolean => true;

  test.each(URLS_OF_THIS_MACHINE.filter((url) => hasIpv6 || !url.includes('[')))(
    'is reached without the check by %j',
    async (url) => {
      await client({ isAllowed })
        .fetchPage(withPort(url))
        .catch(() => undefined);
      await eventually(() => trapped === 1);
    },
  );

  test.each(
    DNS_ANSWERS.filter(
      ({ answers, reaches }) => reaches && (hasIpv6 || !/:/.test(answers[0] ?? '')),
    ),
  )('is reached without the check by a name with $answers', async ({ answers }) => {
    await client({ isAllowed, resolve: async () => answers })
      .fetchPage(withPort('http://acme.example:{port}/'))
      .catch(() => undefined);
    await eventually(() => trapped === 1);
  });

  test('gets no request if the peer has another address than the one that was checked', async () => {
    // The system connects 0.0.0.0 to 127.0.0.1.
    expect(await reasonOf('http://0.0.0.0:{port}/', { isAllowed })).toBe('address_not_public');
    expect(
      await client({ isAllowed }).fetchPage(withPort('http://127.0.0.1:{port}/')),
    ).toBeTruthy();
    await eventually(() => trapped === 2);
    expect(received).toBe(1);
  });
});

// Tests docs/spec/errors.md 11.4.
// Tests docs/spec/limits.md 12.3.
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@vcds/test-kit';
import {
  createHttpServer,
  createInternalApp,
  createLogger,
  createMetrics,
  type Route,
  sendJson,
} from '../src/index.ts';
import { SECURITY_HEADERS } from '../src/security-headers.ts';
import { fixtureApp } from './fixture-app.ts';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

async function listening(
  app: Parameters<typeof createHttpServer>[0],
  limits?: Parameters<typeof createHttpServer>[1],
): Promise<Server> {
  const server = createHttpServer(app, limits).listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return server;
}

function open(server: Server): Socket {
  return connect((server.address() as AddressInfo).port, '127.0.0.1');
}

/** The statuses of all responses until the server closes the connection. */
async function statuses(socket: Socket): Promise<number[]> {
  const responses = await text(socket);
  socket.destroy();
  return [...responses.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
}

const CHUNKED = 'Host: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';

/** A route that responds when the test releases it. */
function gatedApp() {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const routes: readonly Route[] = [
    {
      method: 'GET',
      path: '/v2/slow',
      handler: async (_request, response) => {
        arrive();
        await released;
        sendJson(response, 200, { slow: true });
      },
    },
  ];
  const { app } = fixtureApp({}, routes);
  return { app, arrived, release: () => release() };
}

describe('an incomplete or malformed request', () => {
  test.each(['in the same packet', 'later'])(
    'garbage after a chunked POST to an unknown path (%s) gets no second response',
    async (when) => {
      const socket = open(await listening(fixtureApp().app));
      const head = `POST /v2/nothing HTTP/1.1\r\n${CHUNKED}`;
      if (when === 'in the same packet') {
        socket.write(`${head}garbage\r\n\r\n`);
        expect(await statuses(socket)).toEqual([404]);
        return;
      }
      socket.write(head);
      const [first] = (await once(socket, 'data')) as [Buffer];
      expect(String(first)).toContain('HTTP/1.1 404');
      socket.write('garbage\r\n\r\n');
      expect(await statuses(socket)).toEqual([]);
    },
  );

  test('garbage in a body that is being read is one 400 from the route', async () => {
    const { app, lines } = fixtureApp();
    const socket = open(await listening(app));
    socket.write(`POST /v2/echo HTTP/1.1\r\n${CHUNKED}`);
    socket.write('5\r\n[1,2,\r\ngarbage\r\n');
    expect(await statuses(socket)).toEqual([400]);
    expect(JSON.parse(lines.join('').trim())).toMatchObject({ route: '/v2/echo', status: 400 });
  });

  test.each([
    ['garbage', 'garbage\r\n\r\n', 400],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
    ['headers too large', `GET / HTTP/1.1\r\nX: ${'y'.repeat(300_000)}\r\n\r\n`, 431],
  ])('a valid call followed by %s gets its response first', async (_what, behind, status) => {
    const { app, arrived, release } = gatedApp();
    const server = await listening(app);
    const broken = once(server, status === 405 ? 'connect' : 'clientError');
    const socket = open(server);
    socket.write(`GET /v2/slow HTTP/1.1\r\nHost: x\r\n\r\n${behind}`);
    await Promise.all([arrived, broken]);
    release();
    expect(await statuses(socket)).toEqual([200, status]);
  });

  test('garbage gets an error with the headers of every response', async () => {
    const socket = open(await listening(fixtureApp().app));
    socket.write('garbage\r\n\r\n');
    const response = await text(socket);
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
      expect(response).toContain(`\r\n${name}: ${value}\r\n`);
    }
    expect(response).toContain('\r\nCache-Control: no-store\r\n');
  });

  test('a malformed HEAD request gets the headers of the error and no body', async () => {
    const socket = open(await listening(fixtureApp().app));
    socket.write('HEAD /v2/\u0001 HTTP/1.1\r\nHost: x\r\n\r\n');
    const [head, body] = (await text(socket)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(head).toMatch(/Content-Length: [1-9]/);
    expect(body).toBe('');
  });

  test('a client that disconnects within its body is logged as 499, without an error', async () => {
    const { app, lines, text: logged } = fixtureApp();
    const server = await listening(app);
    for (const disconnect of ['destroy', 'resetAndDestroy', 'end'] as const) {
      lines.length = 0;
      const arrived = once(server, 'request');
      const socket = open(server);
      socket.write(`POST /v2/echo HTTP/1.1\r\n${CHUNKED}5\r\n[1,2,\r\n`);
      await arrived;
      socket[disconnect]();
      await eventually(() => lines.length > 0, { intervalMs: 5 });
      expect(JSON.parse(logged().trim())).toMatchObject({ level: 'info', status: 499 });
      socket.destroy();
    }
  });

  test('a chunked body above the limit is 413', async () => {
    const socket = open(await listening(fixtureApp().app));
    socket.write(`POST /v2/echo HTTP/1.1\r\nConnection: close\r\n${CHUNKED}`);
    socket.write(`8000\r\n${'x'.repeat(0x8000)}\r\n0\r\n\r\n`);
    expect(await statuses(socket)).toEqual([413]);
  });

  test('two Host headers are 400', async () => {
    const socket = open(await listening(fixtureApp().app));
    socket.write('GET /v2/things/1 HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n');
    expect(await statuses(socket)).toEqual([400]);
  });
});

describe('the target of a request', () => {
  const internalApp = () =>
    createInternalApp({
      logger: createLogger({ service: 'fixture', sink: { write: () => undefined } }),
      metrics: createMetrics('fixture'),
      checks: {},
    });

  /** Sends the target as it is and reads the response, which has the form of every response. */
  async function respond(app: Parameters<typeof createHttpServer>[0], target: string) {
    const [method, path] = target.startsWith('OPTIONS ') ? target.split(' ') : ['GET', target];
    const socket = open(await listening(app));
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    socket.destroy();
    expect(head).toMatch(/\r\nX-Request-Id: \S{36}\r\n/);
    expect(head).toContain('\r\nContent-Type: application/json');
    return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
  }

  const invalid = [
    'http://[',
    'http://[::1/v2/things/1',
    'http://x:99999/v2/things/1',
    'http://x:y/v2/things/1',
    'http://%zz/v2/things/1',
    'http:///v2/things/1',
    'https://',
    `http://${'x'.repeat(513)}/v2/things/1`,
    `http://xn--${'x'.repeat(100_000)}/v2/things/1`,
    '*x',
    '*?x=1',
  ].map((target) => ({ start: target.slice(0, 30), target }));

  test.each(invalid)('$start is 400 from both apps, and logged and counted', async ({ target }) => {
    const { app, metrics, lines } = fixtureApp();
    const rejected = { status: 400, body: { error: { code: 'bad_request' } } };
    expect(await respond(app, target)).toMatchObject(rejected);
    expect(await respond(internalApp(), target)).toMatchObject(rejected);
    await eventually(() => lines.length > 0, { intervalMs: 5 });
    expect(JSON.parse(lines.join('').trim())).toMatchObject({ route: 'unknown', status: 400 });
    expect(await metrics.registry.metrics()).toMatch(/_count\{[^}]*route="unknown"[^}]*\} 1/);
  });

  test.each([
    ['?x', 400],
    ['#', 400],
    ['\\[', 400],
    ['x/v2/things/1', 400],
    ['http:/v2/things/1', 400],
    ['http://x\\y/v2/things/1', 400],
    ['/%', 400],
    ['//%', 400],
    ['*', 404],
    ['OPTIONS *', 404],
    ['//[', 404],
    ['//[#', 404],
    ['//x:99999/live', 404],
    ['/\\[', 404],
    ['/#\\[', 404],
    ['http://x', 404],
    ['http://x//[', 404],
  ])('%s gets the error body with status %i from both apps', async (target, status) => {
    expect((await respond(fixtureApp().app, target)).status).toBe(status);
    expect((await respond(internalApp(), target)).status).toBe(status);
  });

  test.each([
    'http://x/v2/things/search?a=%2F&b=//',
    'HTTP://user:pass@[::1]:80/v2/things/search?a=%2F&b=//#c',
    'http://example.com:8080/v2/things/search?a=%2F&b=//#?c',
  ])('the path and query of %s are served as sent', async (target) => {
    const { status, body } = await respond(fixtureApp().app, target);
    expect([status, body]).toEqual([200, { a: '/', b: '//' }]);
    const internal = await respond(internalApp(), target.replace(/v2.*/, 'live'));
    expect(internal).toEqual({ status: 200, body: { live: true } });
  });
});

describe('time limits', () => {
  // Far below those of a service, so that the tests end only if the limits work.
  const soon = { headers: 200, request: 400, response: 200 };

  test.each([
    ['headers', 'GET /v2/things/1 HTTP/1.1\r\nHost: x\r\n'],
    [
      'a body',
      'POST /v2/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n[1',
    ],
  ])('%s that do not arrive in time are 408', async (_what, bytes) => {
    const socket = open(await listening(fixtureApp().app, soon));
    socket.write(bytes);
    expect(await statuses(socket)).toEqual([408]);
  });

  test('a client that does not read its response is disconnected', async () => {
    const { app, lines } = fixtureApp();
    const server = await listening(app, { ...soon, headers: 10_000, request: 10_000 });
    const accepted = once(server, 'connection');
    const socket = open(server).pause();
    socket.write('GET /v2/big?bytes=50000000 HTTP/1.1\r\nHost: x\r\n\r\n');
    const [serverSide] = (await accepted) as [Socket];
    await once(serverSide, 'close');
    await eventually(() => lines.length > 0, { intervalMs: 5 });
    expect(JSON.parse(lines.join('').trim())).toMatchObject({ route: '/v2/big', status: 499 });
    socket.destroy();
  });

  test('a connection whose client reads its responses outlives the limit for one', async () => {
    const server = await listening(fixtureApp().app, { ...soon, response: 1_000 });
    const socket = open(server);
    const get = 'GET /v2/things/1 HTTP/1.1\r\nHost: x\r\n\r\n';
    for (const pauseMs of [0, 600, 600]) {
      await delay(pauseMs);
      socket.write(get);
      const [response] = (await once(socket, 'data')) as [Buffer];
      expect(String(response)).toContain('HTTP/1.1 200');
    }
    socket.destroy();
  });
});

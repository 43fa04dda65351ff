import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createHttpServer, type Route, sendJson } from '../src/index.ts';
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

/** The status lines of everything that is answered until the server closes the connection. */
async function statuses(socket: Socket): Promise<number[]> {
  const answers = await text(socket);
  socket.destroy();
  return [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
}

const CHUNKED = 'Host: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';

/** A route that answers when the test lets it. */
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

describe('a request that breaks off or is broken', () => {
  test.each(['with it', 'later'])(
    'garbage behind a chunked POST to an unknown path (%s) gets no second answer',
    async (when) => {
      const socket = open(await listening(fixtureApp().app));
      const head = `POST /v2/nothing HTTP/1.1\r\n${CHUNKED}`;
      if (when === 'with it') {
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

  test('garbage within a body that is being read is one 400, by the route', async () => {
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
  ])('a good call with %s behind it gets its answer first', async (_what, behind, status) => {
    const { app, arrived, release } = gatedApp();
    const server = await listening(app);
    const broken = once(server, status === 405 ? 'connect' : 'clientError');
    const socket = open(server);
    socket.write(`GET /v2/slow HTTP/1.1\r\nHost: x\r\n\r\n${behind}`);
    await Promise.all([arrived, broken]);
    release();
    expect(await statuses(socket)).toEqual([200, status]);
  });

  test('a body whose client leaves half-way is 499 in the log and no error', async () => {
    const { app, lines, text: logged } = fixtureApp();
    const server = await listening(app);
    for (const leave of ['destroy', 'resetAndDestroy', 'end'] as const) {
      lines.length = 0;
      const arrived = once(server, 'request');
      const socket = open(server);
      socket.write(`POST /v2/echo HTTP/1.1\r\n${CHUNKED}5\r\n[1,2,\r\n`);
      await arrived;
      socket[leave]();
      while (lines.length === 0) await delay(5);
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

describe('time limits', () => {
  // Far below those of a service, so that only limits that act in time let the tests end.
  const soon = { headers: 200, request: 400, answer: 200 };

  test.each([
    ['headers', 'GET /v2/things/1 HTTP/1.1\r\nHost: x\r\n'],
    [
      'a body',
      'POST /v2/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n[1',
    ],
  ])('%s that do not end in time are 408', async (_what, bytes) => {
    const socket = open(await listening(fixtureApp().app, soon));
    socket.write(bytes);
    expect(await statuses(socket)).toEqual([408]);
  });

  test('a client that does not read its answer is cut off', async () => {
    const { app, lines } = fixtureApp();
    const server = await listening(app, { ...soon, headers: 10_000, request: 10_000 });
    const accepted = once(server, 'connection');
    const socket = open(server).pause();
    socket.write('GET /v2/big?bytes=50000000 HTTP/1.1\r\nHost: x\r\n\r\n');
    const [taken] = (await accepted) as [Socket];
    await once(taken, 'close');
    while (lines.length === 0) await delay(5);
    expect(JSON.parse(lines.join('').trim())).toMatchObject({ route: '/v2/big', status: 499 });
    socket.destroy();
  });

  test('a connection whose answers are taken is kept beyond the limit for one', async () => {
    const server = await listening(fixtureApp().app, { ...soon, answer: 50 });
    const socket = open(server);
    const get = 'GET /v2/things/1 HTTP/1.1\r\nHost: x\r\n\r\n';
    for (const startedAt = performance.now(); performance.now() - startedAt < 150; ) {
      socket.write(get);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(String(answer)).toContain('HTTP/1.1 200');
    }
    socket.destroy();
  });
});

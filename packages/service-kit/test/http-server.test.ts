// Tests docs/spec/errors.md 11.4.
// Tests docs/spec/limits.md 12.3.
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@vcds/test-kit';
import { createHttpServer } from '../src/index.ts';
import { fixtureApp } from './fixture-app.ts';

let server: Server;

beforeAll(async () => {
  server = createHttpServer(fixtureApp().app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

function open(): Socket {
  return connect((server.address() as AddressInfo).port, '127.0.0.1');
}

/** Reads one response to its end; every response has these two headers. */
async function responseOn(socket: Socket): Promise<{ status: number; head: string; body: string }> {
  const response = await text(socket);
  socket.destroy();
  const [head = '', body = ''] = response.split('\r\n\r\n');
  expect(head).toContain('Content-Type: application/json');
  expect(head).toMatch(/X-Request-Id: \S{36}/);
  return { status: Number(head.split(' ')[1]), head, body };
}

async function errorOn(socket: Socket): Promise<{ status: number; code: string }> {
  const { status, body } = await responseOn(socket);
  return { status, code: JSON.parse(body).error.code };
}

/** Sends bytes unchanged and reads the error to its end. */
function exchange(bytes: string): Promise<{ status: number; code: string }> {
  const socket = open();
  socket.write(Buffer.from(bytes, 'utf8'));
  return errorOn(socket);
}

const get = (target: string, headers = ''): string =>
  `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`;

test('requests and responses have the prototypes of the app from the beginning', async () => {
  const { app } = fixtureApp();
  const own = createHttpServer(app).listen(0, '127.0.0.1');
  await once(own, 'listening');
  const found: unknown[] = [];
  own.prependListener('request', (request, response) => {
    found.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
  });
  const { port } = own.address() as AddressInfo;
  expect((await fetch(`http://127.0.0.1:${port}/v2/things/7`)).status).toBe(200);
  expect(found[0] === app.request && found[1] === app.response).toBe(true);
  own.closeAllConnections();
  own.close();
  await once(own, 'close');
});

describe('invalid HTTP gets the error body', () => {
  test.each([130_000, 200_000, 262_000, 400_000, 3_000_000])(
    'a URL of %i bytes is 414 url_too_long',
    async (bytes) => {
      const response = await exchange(get(`/v2/things/search?q=${'x'.repeat(bytes + 1_100)}`));
      expect(response).toEqual({ status: 414, code: 'url_too_long' });
    },
  );

  test('headers above 256 KiB are 431 headers_too_large', async () => {
    const headers = Array.from({ length: 400 }, (_, i) => `X-${i}: ${'y'.repeat(1_000)}\r\n`);
    expect(await exchange(get('/v2/things/1', headers.join('')))).toEqual({
      status: 431,
      code: 'headers_too_large',
    });
  });

  const HEADERS_TOO_LARGE = { status: 431, code: 'headers_too_large' };

  test.each([300_000, 3_000_000])(
    'a single header of %i bytes is 431 headers_too_large',
    async (bytes) => {
      const header = (name: string) => `${name}: ${'y'.repeat(bytes)}\r\n`;
      expect(await exchange(get('/v2/things/1', header('Cookie')))).toEqual(HEADERS_TOO_LARGE);
      expect(await exchange(get('/v2/things/1', `X: y\r\n${header('X-Y')}`))).toEqual(
        HEADERS_TOO_LARGE,
      );
    },
  );

  test.each([
    ['100 headers', Array.from({ length: 98 }, (_, i) => [`X-${i}`, 'y'] as const), 200],
    ['101 headers', Array.from({ length: 99 }, (_, i) => [`X-${i}`, 'y'] as const), 431],
    ['5,000 headers', Array.from({ length: 5_000 }, (_, i) => [`X-${i}`, 'y'] as const), 431],
    ['a key of 4 KiB', [['X-Api-Key', 'y'.repeat(4_096)] as const], 200],
    ['a longer key', [['X-Api-Key', 'y'.repeat(4_097)] as const], 431],
    ['a token of 16 KiB', [['Authorization', 'y'.repeat(16_384)] as const], 200],
    ['a longer token', [['Authorization', 'y'.repeat(16_385)] as const], 431],
    ['two lines of 600 bytes', Array(2).fill(['Accept-Encoding', 'y,'.repeat(300)]), 431],
    ...['baggage', 'x-amzn-oidc-data', 'x-forwarded-client-cert', 'cookie', 'forwarded'].map(
      (name) => [`${name} of 200 KiB`, [[name, 'y'.repeat(204_800)] as const], 200] as const,
    ),
    ['Accept-Encoding of 1 KiB', [['Accept-Encoding', 'y'.repeat(1_024)] as const], 200],
    ['a longer Accept-Encoding', [['Accept-Encoding', 'y,'.repeat(124_000)] as const], 431],
    ['a longer Accept', [['accept', 'y'.repeat(1_025)] as const], 431],
  ])('%s: %#', async (_, headers, status) => {
    const socket = open();
    socket.write(
      get('/v2/things/1', headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')),
    );
    const response = await responseOn(socket);
    expect(response.status).toBe(status);
    if (status === 431) expect(JSON.parse(response.body).error.code).toBe('headers_too_large');
  });

  const UPGRADE = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n';
  const POSTED = 'Content-Type: application/json\r\nContent-Length: 2\r\n';
  test.each([
    ['an upgrade to HTTP/2', `GET /v2/things/1 HTTP/1.1\r\nHost: x\r\n${UPGRADE}\r\n`, 200],
    [
      'an upgrade with a body',
      `POST /v2/echo HTTP/1.1\r\nHost: x\r\n${UPGRADE}${POSTED}\r\n[]`,
      200,
    ],
    ['an expectation without a body', get('/v2/things/1', 'Expect: 100-continue\r\n'), 200],
    ['an unknown expectation', get('/v2/things/1', 'Expect: 200-ok\r\n'), 200],
    ['a slash at the end', get('/v2/things/1/'), 200],
    ['two slashes', get('//v2//things/1'), 404],
    ['an encoded slash', get('/v2%2Fthings/1'), 404],
    ['another case', get('/V2/Things/1'), 404],
    ['parameters of a path', get('/v2/things;jsessionid=1/1'), 404],
    ['an absolute target', get('http://x/v2/things/1'), 200],
    ['XML accepted', get('/v2/things/1', 'Accept: application/xml\r\n'), 200],
    ['a range', get('/v2/things/1', 'Range: bytes=0-1\r\n'), 200],
    ['a condition', get('/v2/things/1', 'If-None-Match: *\r\n'), 200],
    ['gzip excluded', get('/v2/big?bytes=5000', 'Accept-Encoding: gzip;q=0\r\n'), 200],
  ])('answers %s in HTTP/1.1 and JSON', async (_, bytes, status) => {
    const socket = open();
    socket.write(bytes);
    let received = '';
    socket.on('data', (data) => {
      received += data;
    });
    await eventually(() => received.includes('Content-Length: '), { intervalMs: 1 });
    const [head = ''] = received.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '').split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toContain('Content-Type: application/json');
    expect(head).not.toMatch(/^Content-Encoding/m);
    socket.destroy();
  });

  test('a kept connection also distinguishes a URL and a header that is too long', async () => {
    const kept = 'GET /v2/things/1 HTTP/1.1\r\nHost: x\r\n\r\n';
    for (const [long, status] of [
      [get('/v2/things/1', `Cookie: ${'y'.repeat(300_000)}\r\n`), 431],
      [get(`/v2/things/1?q=${'x'.repeat(300_000)}`), 414],
    ] as const) {
      const socket = open();
      socket.write(kept);
      const [first] = await once(socket, 'data');
      expect(String(first)).toContain('HTTP/1.1 200 OK');
      socket.write(long);
      expect((await errorOn(socket)).status).toBe(status);
    }
  });

  test.each(['end', 'write'] as const)('a request line without end (%s) is 431', async (send) => {
    const socket = open();
    socket[send](`GET /v2/things/1?q=${'x'.repeat(300_000)}`);
    const { status, body } = await responseOn(socket);
    expect(status).toBe(431);
    expect(JSON.parse(body).error).toMatchObject({
      code: 'headers_too_large',
      message: expect.stringContaining('262144'),
    });
  });

  test('a request without Host is 400 bad_request; HTTP/1.0 does not need it', async () => {
    expect(await exchange('GET /v2/things/1 HTTP/1.1\r\nConnection: close\r\n\r\n')).toEqual({
      status: 400,
      code: 'bad_request',
    });
    const socket = open();
    socket.write('GET /v2/things/1 HTTP/1.0\r\n\r\n');
    expect((await responseOn(socket)).status).toBe(200);
  });

  test('CONNECT is 405 method_not_allowed with Allow', async () => {
    const socket = open();
    socket.write('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n');
    const { status, head, body } = await responseOn(socket);
    expect([status, JSON.parse(body).error.code]).toEqual([405, 'method_not_allowed']);
    expect(head).toMatch(/^Allow: GET, POST, OPTIONS$/m);
    expect(head).toMatch(/^Cache-Control: no-store$/m);
  });

  test('a CONNECT whose client disconnects does not affect the server', async () => {
    const accepted = once(server, 'connect');
    const socket = open();
    socket.write('CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n');
    const [, serverSide] = await accepted;
    const closed = new Promise((resolve) => serverSide.on('close', resolve));
    socket.resetAndDestroy();
    await closed;
    expect(await exchange('hello\r\n\r\n')).toEqual({ status: 400, code: 'bad_request' });
  });

  test('non-ASCII characters in a URL are 400 bad_request', async () => {
    expect(await exchange(get('/v2/things/search?q=Zürich'))).toEqual({
      status: 400,
      code: 'bad_request',
    });
  });

  test('a line that is not a request is 400 bad_request', async () => {
    expect(await exchange('hello\r\n\r\n')).toEqual({ status: 400, code: 'bad_request' });
  });
});

test.each([
  ['an unknown expectation', 'Expect: 200-ok\r\n'],
  ['an offer to change the protocol', 'Upgrade: websocket\r\nConnection: Upgrade\r\n'],
])('%s is ignored', async (_what, headers) => {
  const socket = open();
  socket.write(get('/v2/things/1', headers));
  const { status, body } = await responseOn(socket);
  expect([status, JSON.parse(body)]).toEqual([200, { id: '1' }]);
});

test('pipelined requests get their responses in order', async () => {
  const ids = Array.from({ length: 20 }, (_, i) => String(i));
  const row = ids.map((id) => `GET /v2/things/${id} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const socket = open();
  socket.write(`${row.join('')}${get('/v2/things/last')}`);
  const answers = await text(socket);
  expect([...answers.matchAll(/\{"id":"(\w+)"\}/g)].map(([, id]) => id)).toEqual([...ids, 'last']);
});

test('a URL just below the limit is valid', async () => {
  const port = (server.address() as AddressInfo).port;
  const response = await fetch(
    `http://127.0.0.1:${port}/v2/things/search?q=${'x'.repeat(130_000)}`,
  );
  expect(response.status).toBe(200);
  await response.text();
});

// Tests docs/spec/find.md 20.5.
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { atLength, eventually } from '@vcds/test-kit';
import {
  createOutboundClient,
  OutboundError,
  type OutboundReason,
} from '../../src/outbound-http/index.ts';
import { type Conversation, endless, type RawServer, startRawServer } from './support.ts';

const BYTES_MAX = 20_000;
/** Time limits of the cases that end by time. */
const SHORT_MS = 100;

let server: RawServer;
beforeAll(async () => {
  server = await startRawServer();
});
afterAll(() => server.stop());

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;
const ZEROS = Buffer.alloc(5_000_000);

const says =
  (...parts: (string | Buffer)[]): Conversation =>
  (socket) =>
    socket.end(Buffer.concat(parts.map((part) => Buffer.from(part))));

const writes =
  (text: string): Conversation =>
  (socket) => {
    socket.write(text);
  };

const thenEndless =
  (head: string, text: string | Buffer, everyMs?: number): Conversation =>
  (socket) => {
    socket.write(head);
    endless(text, everyMs)(socket);
  };

const encoded = (codings: string, body: Buffer): Conversation =>
  says(`${OK}content-encoding: ${codings}\r\ncontent-length: ${body.length}\r\n\r\n`, body);

const redirectsTo =
  (next: (count: number) => string): Conversation =>
  (socket, request) => {
    const count = Number(/^GET \/(\d*)/.exec(request)?.[1] ?? 0);
    says(`HTTP/1.1 302 Found\r\nlocation: ${next(count)}\r\ncontent-length: 0\r\n\r\n`)(
      socket,
      request,
    );
  };

const reset = (socket: Socket): void => {
  socket.resetAndDestroy();
};

const SLOW: readonly (readonly [string, Conversation])[] = [
  ['no response', () => undefined],
  ['a status line of a byte at a time', thenEndless('HTTP/1.1 200 ', 'O', 10)],
  ['headers of a byte at a time', thenEndless(`${OK}x: `, 'a', 10)],
  ['interim responses, slowly', endless('HTTP/1.1 103 Early Hints\r\n\r\n', 10)],
  ['a body of a byte at a time', thenEndless(`${OK}content-length: 9999\r\n\r\n`, 'a', 10)],
  ['chunks of a byte, slowly', thenEndless(CHUNKED, '1\r\na\r\n', 10)],
  ['a body that stops', writes(`${OK}content-length: 9999\r\n\r\nabc`)],
  ['a gzip body that stops', writes(`${OK}content-encoding: gzip\r\n\r\n`)],
  ['a chunk that stops', writes(`${CHUNKED}ff\r\nabc`)],
  ['chunk extensions, slowly', thenEndless(`${CHUNKED}1;`, 'a', 10)],
  ['trailers, slowly', thenEndless(`${CHUNKED}0\r\n`, 'a: b\r\n', 10)],
];

const LARGE: readonly (readonly [string, Conversation])[] = [
  ['an announced length above the limit', says(`${OK}content-length: 20001\r\n\r\n`, 'a')],
  ['a body without end', thenEndless(`${OK}\r\n`, 'a'.repeat(1_000))],
  ['chunks without end', thenEndless(CHUNKED, '3e8\r\n'.padEnd(1_005, 'a').concat('\r\n'))],
  ['chunks of one byte without end', thenEndless(CHUNKED, '1\r\na\r\n'.repeat(100))],
  ['interim responses without end', endless('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(50))],
  ['a chunk extension without end', thenEndless(`${CHUNKED}1;`, 'a'.repeat(1_000))],
  [
    'empty gzip members without end',
    thenEndless(`${OK}content-encoding: gzip\r\n\r\n`, gzipSync('')),
  ],
  ['a gzip bomb', encoded('gzip', gzipSync(ZEROS))],
  ['a deflate bomb', encoded('deflate', deflateSync(ZEROS))],
  ['a raw deflate bomb', encoded('deflate', deflateRawSync(ZEROS))],
  ['a brotli bomb', encoded('br', brotliCompressSync(ZEROS))],
  ['a bomb in a bomb', encoded('gzip, gzip', gzipSync(gzipSync(ZEROS)))],
  ['a bomb of brotli in gzip', encoded('br, gzip', gzipSync(brotliCompressSync(ZEROS)))],
];

const BROKEN: readonly (readonly [string, Conversation])[] = [
  ['no HTTP', says('SSH-2.0-OpenSSH_9.6\r\n')],
  ['HTTP/0.9', says('<html>hello</html>')],
  ['HTTP/2', says('HTTP/2 200\r\n\r\n')],
  ['a status that is no number', says('HTTP/1.1 2x0 OK\r\n\r\n')],
  ['a status of four digits', says('HTTP/1.1 2000 OK\r\n\r\n')],
  ['a header without colon', says(`${OK}nothing\r\n\r\n`)],
  ['a header name with a blank', says(`${OK}a b: c\r\n\r\n`)],
  ['a NUL in a header', says(`${OK}a: b\0c\r\n\r\n`)],
  ['a folded header of control characters', says(`${OK}a: b\r\n \x01\r\n\r\n`)],
  ['headers above 16 KiB', says(`${OK}${'a: bcdefghij\r\n'.repeat(2_000)}\r\n`)],
  ['one header above 16 KiB', says(`${OK}a: ${'b'.repeat(20_000)}\r\n\r\n`)],
  ['headers without end', thenEndless(OK, 'a: b\r\n'.repeat(100))],
  ['trailers without end', thenEndless(`${CHUNKED}0\r\n`, 'a: b\r\n'.repeat(100))],
  ['two lengths', says(`${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nab`)],
  [
    'a length and chunks',
    says(`${OK}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
  ],
  ['a negative length', says(`${OK}content-length: -1\r\n\r\n`)],
  ['a length that is no number', says(`${OK}content-length: 1e3\r\n\r\n`)],
  ['a length beyond 64 bits', says(`${OK}content-length: ${'9'.repeat(30)}\r\n\r\n`)],
  ['a chunk size that is no number', says(`${CHUNKED}zz\r\nabc\r\n`)],
  ['a chunk size beyond 64 bits', says(`${CHUNKED}${'f'.repeat(20)}\r\nabc\r\n`)],
  ['a chunk longer than its size', says(`${CHUNKED}1\r\nabc\r\n0\r\n\r\n`)],
  ['a body that ends early', says(`${OK}content-length: 10\r\n\r\nabc`)],
  ['chunks that end early', says(`${CHUNKED}3\r\nabc\r\n`)],
  ['gzip that is none', encoded('gzip', Buffer.from('<html>'))],
  ['gzip that ends early', encoded('gzip', gzipSync('hello hello hello').subarray(0, 20))],
  [
    'gzip with a wrong check sum',
    encoded('gzip', Buffer.concat([gzipSync('hello').subarray(0, -8), Buffer.alloc(8)])),
  ],
  ['brotli that is none', encoded('br', Buffer.from('<html>'))],
  ['deflate that is none', encoded('deflate', Buffer.from('<html>'))],
  ['an unknown coding', encoded('compress', Buffer.from('abc'))],
  ['a coding of a prototype', encoded('constructor', Buffer.from('abc'))],
  ['three codings', encoded('gzip, gzip, gzip', gzipSync(gzipSync(gzipSync('abc'))))],
];

const CLOSED: readonly (readonly [string, Conversation])[] = [
  ['a connection that closes without a response', (socket) => socket.end()],
  ['a connection that is reset', reset],
  ['only interim responses', says('HTTP/1.1 103 Early Hints\r\n\r\n')],
  ['100 Continue', says('HTTP/1.1 100 Continue\r\n\r\n')],
  [
    'a switch of protocols',
    says('HTTP/1.1 101 Switching\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'),
  ],
  ['a status line without end', says('HTTP/1.1 200 OK')],
];

const REDIRECTS: readonly (readonly [string, Conversation])[] = [
  ['a redirect to itself', redirectsTo(() => '/')],
  ['a redirect to itself with a fragment', redirectsTo(() => '#again')],
  ['a loop of two', redirectsTo((count) => `/${(count + 1) % 2}`)],
  ['a chain of more than five', redirectsTo((count) => `/${count + 1}`)],
];

const CASES: readonly (readonly [string, OutboundReason, Conversation, number])[] = [
  ...SLOW.map(([name, conversation]) => [name, 'timeout', conversation, SHORT_MS] as const),
  ...LARGE.map(([name, conversation]) => [name, 'too_large', conversation, 60_000] as const),
  ...BROKEN.map(([name, conversation]) => [name, 'bad_response', conversation, 60_000] as const),
  ...CLOSED.map(([name, conversation]) => [name, 'unreachable', conversation, 60_000] as const),
  ...REDIRECTS.map(
    ([name, conversation]) => [name, 'too_many_redirects', conversation, 60_000] as const,
  ),
];

test.each(CASES)('%s: %s', async (_, reason, conversation, timeoutMs) => {
  server.on('acme.example', conversation);
  const client = createOutboundClient({
    userAgent: 'test',
    testAddress: server.address,
    connectMs: 60_000,
  });
  const error = await client
    .fetchPage('http://acme.example/', { timeoutMs, bytesMax: BYTES_MAX })
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OutboundError);
  expect(error).toMatchObject({ reason });
  await eventually(() => server.sockets.size === 0);
});

test('all of them at once end with their reasons, again and again', async () => {
  const client = createOutboundClient({
    userAgent: 'test',
    testAddress: server.address,
    connectMs: 60_000,
  });
  for (const [index, [, , conversation]] of CASES.entries()) {
    server.on(`case-${index}.example`, conversation);
  }
  const fetchCase = async (index: number, timeoutMs: number) =>
    client
      .fetchPage(`http://case-${index}.example/`, { timeoutMs, bytesMax: BYTES_MAX })
      .catch((thrown: unknown) => thrown);
  for (let round = atLength(1, 100); round > 0; round -= 1) {
    const errors = await Promise.all(CASES.map(([, , , ms], index) => fetchCase(index, ms)));
    expect(errors).toMatchObject(CASES.map(([, reason]) => ({ reason })));
    await eventually(() => server.sockets.size === 0);
  }
});

describe('the time limit', () => {
  const client = (options: object) =>
    createOutboundClient({ userAgent: 'test', testAddress: server.address, ...options });

  test('includes DNS', async () => {
    const resolve = () => new Promise<never>(() => undefined);
    await expect(
      createOutboundClient({ userAgent: 'test', resolve, timeoutMs: SHORT_MS }).fetchPage(
        'http://acme.example/',
      ),
    ).rejects.toMatchObject({ reason: 'timeout' });
  });

  test('includes every redirect', async () => {
    server.on('acme.example', (socket, request) => {
      const isFirst = request.startsWith('GET / ');
      if (isFirst) redirectsTo(() => '/slow')(socket, request);
    });
    await expect(
      client({ timeoutMs: SHORT_MS }).fetchPage('http://acme.example/'),
    ).rejects.toMatchObject({ reason: 'timeout' });
  });

  test('includes what the caller does before a request', async () => {
    const beforeRequest = () => new Promise<never>(() => undefined);
    await expect(
      client({ timeoutMs: SHORT_MS }).fetchPage('http://acme.example/', { beforeRequest }),
    ).rejects.toMatchObject({ reason: 'timeout' });
  });

  test('of a connection ends a TLS handshake that gets no answer', async () => {
    server.on('', () => undefined);
    await expect(
      client({ connectMs: SHORT_MS }).fetchPage('https://acme.example/'),
    ).rejects.toMatchObject({ reason: 'unreachable' });
    await eventually(() => server.sockets.size === 0);
  });

  test('of a connection ends DNS that gets no answer', async () => {
    const resolve = () => new Promise<never>(() => undefined);
    await expect(
      createOutboundClient({ userAgent: 'test', resolve, connectMs: SHORT_MS }).fetchPage(
        'http://acme.example/',
      ),
    ).rejects.toMatchObject({ reason: 'unreachable' });
  });

  test('leaves the reason of the caller if the caller aborts', async () => {
    const reason = new Error('the client has left');
    const abort = new AbortController();
    server.on('acme.example', () => abort.abort(reason));
    await expect(
      client({}).fetchPage('http://acme.example/', { signal: abort.signal }),
    ).rejects.toBe(reason);
    await expect(
      client({}).fetchPage('http://acme.example/', { signal: abort.signal }),
    ).rejects.toBe(reason);
    await eventually(() => server.sockets.size === 0);
  });
});

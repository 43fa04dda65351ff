// Tests docs/spec/find.md 20.5.
import { readFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import * as zlib from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, testRsaKey } from '@vcds/test-kit';
import { createOutboundClient } from '../../src/outbound-http/index.ts';
import { createClient } from '../../src/outbound-http/outbound-client.ts';
import { type RawServer, startRawServer } from './support.ts';

const { gzipSync, deflateSync, deflateRawSync, brotliCompressSync } = zlib;
const TEXT = '<p>hello hello hello</p>';
const URL_OF_SITE = 'http://acme.example/';

let server: RawServer;
beforeAll(async () => {
  server = await startRawServer();
});
afterEach(() => {
  server.requests.length = 0;
});
afterAll(() => server.stop());

const fetchPage: ReturnType<typeof createOutboundClient>['fetchPage'] = (url, options) =>
  createOutboundClient({ userAgent: 'Robot/1 (+url)', testAddress: server.address }).fetchPage(
    url,
    options,
  );

function respond(head: string, body: string | Buffer = '', host = 'acme.example'): void {
  server.on(host, (socket) => {
    const bytes = Buffer.from(body);
    const length = `content-length: ${bytes.length}\r\n`;
    socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 ${head}\r\n${length}\r\n`, 'latin1'), bytes]));
  });
}

/** The lines of a request, without the first, in lower case. */
const linesOf = (request = ''): string[] =>
  request.trim().toLowerCase().split('\r\n').slice(1).sort();

describe('a page', () => {
  test('has its final URL, status, headers and body', async () => {
    server.on('acme.example', (socket, request) => {
      const isFirst = request.startsWith('GET / ');
      const head = isFirst ? '302 Found\r\nlocation: /a?b=c#d' : '203 Other\r\nX-A: 1\r\nx-a: 2';
      socket.end(`HTTP/1.1 ${head}\r\nset-cookie: a=b\r\ncontent-length: 2\r\n\r\nok`);
    });
    const page = await fetchPage('HTTP://ACME.example.:80/#top');
    expect(page).toEqual({
      finalUrl: 'http://acme.example/a?b=c',
      status: 203,
      headers: expect.objectContaining({ 'x-a': '1, 2', 'content-length': '2' }),
      body: Buffer.from('ok'),
      redirects: ['http://acme.example/'],
    });
    expect(page.headers).not.toHaveProperty('set-cookie');
    await eventually(() => server.sockets.size === 0);
  });

  const zstd: unknown = Reflect.get(zlib, 'zstdCompressSync');
  test.each([
    ['', Buffer.from(TEXT)],
    ['identity', Buffer.from(TEXT)],
    ['gzip', gzipSync(TEXT)],
    ['X-GZIP', gzipSync(TEXT)],
    ['gzip', Buffer.concat([gzipSync(TEXT.slice(0, 9)), gzipSync(TEXT.slice(9))])],
    ['deflate', deflateSync(TEXT)],
    ['deflate', deflateRawSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
    ['gzip, identity,br', brotliCompressSync(gzipSync(TEXT))],
    ...(typeof zstd === 'function' ? [['zstd', zstd(Buffer.from(TEXT))] as const] : []),
  ] as [string, Buffer][])('is decompressed from %j', async (codings, body) => {
    respond(`200 OK\r\ncontent-encoding: ${codings}`, body);
    expect((await fetchPage(URL_OF_SITE)).body.toString()).toBe(TEXT);
  });

  test.each(['gzip', 'br', 'unknown'])('may be empty in spite of the coding %s', async (coding) => {
    respond(`200 OK\r\ncontent-encoding: ${coding}`);
    expect((await fetchPage(URL_OF_SITE)).body).toHaveLength(0);
  });

  test.each(['', 'gzip'])('may have exactly as many bytes as the limit (%j)', async (coding) => {
    const body = coding === '' ? Buffer.from(TEXT) : gzipSync(TEXT);
    respond(`200 OK\r\ncontent-encoding: ${coding}`, body);
    const bytesMax = Math.max(TEXT.length, body.length);
    expect((await fetchPage(URL_OF_SITE, { bytesMax })).body.toString()).toBe(TEXT);
    await expect(fetchPage(URL_OF_SITE, { bytesMax: TEXT.length - 1 })).rejects.toMatchObject({
      reason: 'too_large',
    });
  });

  test.each([
    ['/ж', Buffer.from('/ж').toString('latin1'), '/%D0%B6'],
    ['a blank', '/a b', '/a%20b'],
    ['another scheme and host', 'HTTP://WWW.acme.example', 'http://www.acme.example/'],
    ['no scheme', '//www.acme.example/x', 'http://www.acme.example/x'],
    ['the first of two', '/1\r\nlocation: /2', '/1'],
  ])('is redirected by a Location with %s', async (_, location, expected) => {
    respond('200 OK', TEXT, 'www.acme.example');
    server.on('acme.example', (socket, request) => {
      const head = request.startsWith('GET / ') ? `301 Moved\r\nlocation: ${location}` : '200 OK';
      socket.end(Buffer.from(`HTTP/1.1 ${head}\r\ncontent-length: 0\r\n\r\n`, 'latin1'));
    });
    const { finalUrl } = await fetchPage(URL_OF_SITE);
    expect(finalUrl).toBe(new URL(expected, URL_OF_SITE).href);
  });

  test('may be the fifth redirect', async () => {
    server.on('acme.example', (socket, request) => {
      const count = Number(/^GET \/(\d*)/.exec(request)?.[1] ?? 0);
      const head = count < 5 ? `307 Moved\r\nlocation: /${count + 1}` : '200 OK';
      socket.end(`HTTP/1.1 ${head}\r\ncontent-length: 0\r\n\r\n`);
    });
    const { finalUrl, redirects } = await fetchPage(URL_OF_SITE);
    expect([finalUrl, redirects.length]).toEqual(['http://acme.example/5', 5]);
  });

  test('is the redirect itself if it has no Location', async () => {
    respond('302 Found', TEXT);
    expect(await fetchPage(URL_OF_SITE)).toMatchObject({ status: 302, redirects: [] });
  });
});

describe('a request', () => {
  test('has only the headers of the client', async () => {
    server.on('acme.example', (socket) => {
      socket.end('HTTP/1.1 302 Found\r\nlocation: http://b.example/\r\nset-cookie: a=b\r\n\r\n');
    });
    respond('200 OK', TEXT, 'b.example');
    await fetchPage('http://acme.example/?token=secret', { accept: 'text/html' });
    const own = ['accept-encoding: ', 'accept: text/html', 'connection: close', 'host: '];
    const expected = [...own, 'user-agent: robot/1 (+url)'];
    expect(server.requests).toHaveLength(2);
    for (const request of server.requests) {
      const lines = linesOf(request);
      expect(lines.map((line, index) => line.startsWith(expected[index] ?? '-'))).toEqual(
        expected.map(() => true),
      );
    }
  });

  test('uses no proxy of the environment', async () => {
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    const proxy = await startRawServer();
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.address.port}`;
    try {
      respond('200 OK', TEXT);
      expect((await fetchPage(URL_OF_SITE)).body.toString()).toBe(TEXT);
      expect(proxy.requests).toEqual([]);
    } finally {
      for (const [index, name] of names.entries()) {
        const value = before[index];
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      proxy.stop();
    }
  });

  test('can POST a body, and does not follow its redirect', async () => {
    respond('307 Moved\r\nlocation: http://b.example/', TEXT);
    const post = Buffer.from('{"a":1}');
    const headers = { 'content-type': 'application/json', 'x-signature': 'abc' };
    expect((await fetchPage(URL_OF_SITE, { post, headers })).status).toBe(307);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatch(/^POST \/ HTTP\/1\.1\r\n/);
    expect(server.requests[0]).toMatch(/x-signature: abc\r\n(.*\r\n)*\r\n\{"a":1\}$/);
  });

  test.each(['Cookie', 'authorization', 'Host', 'referer', 'transfer-encoding'])(
    'cannot have the header %s of the caller',
    async (name) => {
      await expect(fetchPage(URL_OF_SITE, { headers: { [name]: 'x' } })).rejects.toThrow(TypeError);
      expect(server.requests).toEqual([]);
    },
  );

  test('is announced to the caller with its URL, also after a redirect', async () => {
    server.on('acme.example', (socket, request) => {
      const head = request.startsWith('GET / ') ? '302 Found\r\nlocation: /next' : '200 OK';
      socket.end(`HTTP/1.1 ${head}\r\ncontent-length: 0\r\n\r\n`);
    });
    const announced: string[] = [];
    const beforeRequest = async ({ href }: URL): Promise<void> => {
      announced.push(href);
      if (href.endsWith('next')) throw new Error('not this one');
    };
    await expect(fetchPage(URL_OF_SITE, { beforeRequest })).rejects.toThrow('not this one');
    expect(announced).toEqual(['http://acme.example/', 'http://acme.example/next']);
    expect(server.requests).toHaveLength(1);
  });

  test('ends before its body if the caller rejects the head', async () => {
    server.on('acme.example', (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: 9\r\n\r\nabc');
    });
    const checkHead = ({ headers }: { headers: Readonly<Record<string, string>> }): void => {
      if (headers['content-type'] === 'image/png') throw new Error('an image');
    };
    await expect(fetchPage(URL_OF_SITE, { checkHead })).rejects.toThrow('an image');
    await eventually(() => server.sockets.size === 0);
  });

  test('is not sent twice to a server that responds before it and closes', async () => {
    let connections = 0;
    const eager = createServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined);
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
    });
    await new Promise<void>((resolve) => eager.listen(0, '127.0.0.1', resolve));
    const { port } = eager.address() as AddressInfo;
    const client = createOutboundClient({
      userAgent: 'test',
      testAddress: { address: '127.0.0.1', port },
    });
    await client.fetchPage(URL_OF_SITE).catch(() => undefined);
    eager.close();
    expect(connections).toBe(1);
  });

  test('does not reach a port that is closed', async () => {
    const closed = await startRawServer();
    closed.stop();
    const client = createOutboundClient({ userAgent: 'test', testAddress: closed.address });
    await expect(client.fetchPage(URL_OF_SITE)).rejects.toMatchObject({
      reason: 'unreachable',
      message: 'The site is not reachable (ECONNREFUSED).',
    });
  });
});

describe('a certificate', () => {
  const fixture = (name: string): string =>
    readFileSync(new URL(`./fixtures/${name}.pem`, import.meta.url), 'utf8');

  /** Fetches a host of a server with a certificate; `isTrusted`: of a known authority. */
  async function fetchOver(certificate: string, host: string, isTrusted = true) {
    const { pem } = testRsaKey(0);
    const cert = fixture(certificate);
    const https = createHttpsServer(
      { key: pem, cert, ALPNProtocols: ['h2', 'http/1.1'] },
      (request, response) => response.end(`HTTP/${request.httpVersion}`),
    );
    await new Promise<void>((resolve) => https.listen(0, '127.0.0.1', resolve));
    const { port } = https.address() as AddressInfo;
    const rules = {
      isAllowed: () => true,
      resolve: async () => ['127.0.0.1'],
      ports: new Set([port]),
      ...(isTrusted ? { ca: cert } : {}),
    };
    try {
      const client = createClient({ userAgent: 'test' }, rules);
      return (await client.fetchPage(`https://${host}:${port}/`)).body.toString();
    } finally {
      https.close();
    }
  }

  test('of the host is accepted, and HTTP/2 is not negotiated', async () => {
    expect(await fetchOver('acme', 'acme.example')).toBe('HTTP/1.1');
    expect(await fetchOver('acme', 'acme.example.')).toBe('HTTP/1.1');
  });

  test.each([
    ['of another host', 'acme', 'www.acme.example', true, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['of a literal address that it does not have', 'acme', '127.0.0.1', true, 'ALTNAME_INVALID'],
    ['that has expired', 'expired', 'acme.example', true, 'CERT_HAS_EXPIRED'],
    ['of an unknown authority', 'acme', 'acme.example', false, 'SELF_SIGNED_CERT'],
  ])('%s is rejected', async (_, certificate, host, isTrusted, code) => {
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      await expect(fetchOver(certificate, host, isTrusted)).rejects.toMatchObject({
        reason: 'unreachable',
        message: expect.stringContaining(code),
      });
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    }
  });
});

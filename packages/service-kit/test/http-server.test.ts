import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
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

/** Sends bytes as they are and reads the answer to its end. */
async function exchange(bytes: string): Promise<{ status: number; code: string }> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(Buffer.from(bytes, 'utf8'));
  const answer = await text(socket);
  socket.destroy();
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toContain('Content-Type: application/json');
  expect(head).toMatch(/X-Request-Id: \S{36}/);
  return { status: Number(head.split(' ')[1]), code: JSON.parse(body).error.code };
}

const get = (target: string, headers = ''): string =>
  `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`;

describe('what is hardly HTTP gets the one error body too', () => {
  test.each([130_000, 200_000, 262_000, 400_000, 3_000_000])(
    'a URL of %i bytes is 414 url_too_long',
    async (bytes) => {
      const answer = await exchange(get(`/v2/things/search?q=${'x'.repeat(bytes + 1_100)}`));
      expect(answer).toEqual({ status: 414, code: 'url_too_long' });
    },
  );

  test('headers above 256 KiB are 431 headers_too_large', async () => {
    const headers = Array.from({ length: 400 }, (_, i) => `X-${i}: ${'y'.repeat(1_000)}\r\n`);
    expect(await exchange(get('/v2/things/1', headers.join('')))).toEqual({
      status: 431,
      code: 'headers_too_large',
    });
  });

  test('raw non-ASCII characters in a URL are 400, asking for percent-encoding', async () => {
    expect(await exchange(get('/v2/things/search?q=Zürich'))).toEqual({
      status: 400,
      code: 'bad_request',
    });
  });

  test('a line that is no request is 400 bad_request', async () => {
    expect(await exchange('hello\r\n\r\n')).toEqual({ status: 400, code: 'bad_request' });
  });
});

test('a URL just below the bound is answered', async () => {
  const port = (server.address() as AddressInfo).port;
  const response = await fetch(
    `http://127.0.0.1:${port}/v2/things/search?q=${'x'.repeat(130_000)}`,
  );
  expect(response.status).toBe(200);
  await response.text();
});

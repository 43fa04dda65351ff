import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { inProcessFetch } from '../src/index.ts';

/** A server that does not listen, and its last response. */
function open() {
  const responses: ServerResponse[] = [];
  const server = createServer(async (request, response) => {
    responses.push(response);
    const { method, url, headers, socket } = request;
    if (url === '/wait') return;
    const sent = Buffer.concat(await request.toArray()).toString();
    const body = JSON.stringify({ method, url, headers, sent, from: socket.remoteAddress });
    response.writeHead(201, { 'X-Twice': ['a', 'b'] }).end(body.padEnd(Number(headers.size ?? 0)));
  });
  return { fetch: inProcessFetch(server, '192.0.2.1'), responses };
}

test('a request arrives as sent, from the given address, and its response comes back', async () => {
  const { fetch } = open();
  const response = await fetch('http://api.example/v2/things?a=%20b', {
    headers: { 'X-Key': 'k' },
  });
  expect([response.status, response.headers.get('x-twice')]).toEqual([201, 'a, b']);
  expect(await response.json()).toEqual({
    ...{ method: 'GET', url: '/v2/things?a=%20b', sent: '', from: '192.0.2.1' },
    headers: { 'x-key': 'k', host: 'api.example', connection: 'close' },
  });
});

test('the text of a POST arrives whole; any other body is rejected, not dropped', async () => {
  const { fetch, responses } = open();
  const text = '"é"'.repeat(100_000);
  const response = await fetch('http://x/things', { method: 'POST', body: text });
  expect(await response.json()).toMatchObject({ method: 'POST', sent: text });
  for (const body of [Buffer.from('a'), new URLSearchParams('a=b'), new Blob(['a'])]) {
    await expect(fetch('http://x/', { method: 'POST', body })).rejects.toThrow(TypeError);
  }
  expect(responses).toHaveLength(1);
});

test('large responses arrive whole, and many at once are not mixed up', async () => {
  const { fetch } = open();
  const sizes = [3_000_000, 1_000, 70_000, 1, 1_000_000];
  const texts = sizes.map(async (size) => {
    const response = await fetch(`http://x/${size}`, { headers: { size: String(size) } });
    const text = await response.text();
    return [JSON.parse(text).url, text.length >= size];
  });
  expect(await Promise.all(texts)).toEqual(sizes.map((size) => [`/${size}`, true]));
});

test('an aborted request disconnects the client', async () => {
  const { fetch, responses } = open();
  const gone = new AbortController();
  const left = fetch('http://x/wait', { signal: gone.signal });
  const rejected = expect(left).rejects.toThrow('abort');
  while (responses.length === 0) await new Promise(setImmediate);
  const [response] = responses;
  const closed = response && once(response, 'close');
  gone.abort();
  await rejected;
  await closed;
  expect(response?.writableFinished).toBe(false);
});

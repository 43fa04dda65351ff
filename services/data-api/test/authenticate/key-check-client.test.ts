import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import {
  digestOf,
  encodeKeyCheck,
  generateApiKey,
  KEY_CHECK_PARTIES,
  KEY_CHECK_PATH,
  verifyServiceToken,
} from '@vcds/credentials';
import { eventually, freePort, testClock } from '@vcds/test-kit';
import {
  createKeyCheckClient,
  type KeyCheckClient,
} from '../../src/authenticate/key-check-client.ts';

const SECRET = 'a-service-secret-of-enough-characters';
const clock = testClock();
const digest = digestOf(generateApiKey());
const UNKNOWN = encodeKeyCheck({ rejected: 'unknown' });
let server: Server | undefined;
let client: KeyCheckClient | undefined;

afterEach(() => {
  client?.close();
  server?.closeAllConnections();
  server?.close();
});

/** A client of a server that answers as told: what a network and a broken peer can do. */
async function against(handler: (request: IncomingMessage, response: ServerResponse) => void) {
  server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return clientOf((server.address() as AddressInfo).port);
}

function clientOf(port: number): KeyCheckClient {
  client = createKeyCheckClient({
    accessInternalUrl: `http://127.0.0.1:${port}`,
    serviceTokenSecret: SECRET,
    clock,
  });
  return client;
}

describe('asking about a key', () => {
  test('posts the digest under a service token that is believed', async () => {
    const seen: { url: string; body: string }[] = [];
    const { check } = await against(async (request, response) => {
      const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ');
      expect(scheme).toBe('Bearer');
      verifyServiceToken(token, SECRET, KEY_CHECK_PARTIES, clock);
      seen.push({ url: `${request.method} ${request.url}`, body: await text(request) });
      response.end(UNKNOWN);
    });
    expect(await check({ digest })).toEqual({ rejected: 'unknown' });
    expect(seen).toEqual([{ url: `POST ${KEY_CHECK_PATH}`, body: JSON.stringify({ digest }) }]);
  });

  test('keeps its connection from one question to the next', async () => {
    const ports = new Set<number | undefined>();
    const { check } = await against((request, response) => {
      ports.add(request.socket.remotePort);
      response.end(UNKNOWN);
    });
    for (let i = 0; i < 20; i++) await check({ digest });
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  test('asks once more when a kept connection was closed just as it was used', async () => {
    let questions = 0;
    const { check } = await against((request, response) => {
      questions += 1;
      if (questions === 2) request.socket.resetAndDestroy();
      else response.end(UNKNOWN);
    });
    await check({ digest });
    expect(await check({ digest })).toEqual({ rejected: 'unknown' });
    expect(questions).toBe(3);
  });

  test('sends a check twice at most when connections are reset', async () => {
    let questions = 0;
    const { check } = await against((request) => {
      questions += 1;
      request.socket.resetAndDestroy();
    });
    await expect(check({ digest })).rejects.toMatchObject({ code: expect.any(String) });
    expect(questions).toBe(2);
  });

  test.each([
    ['a 500', 500, UNKNOWN],
    ['a 401', 401, '{"error":{}}'],
    ['a redirect', 302, UNKNOWN],
    ['something else', 200, '<html>'],
    ['an empty answer', 200, ''],
    ['no principal', 200, '{"principal":{}}'],
    ['an endless answer', 200, 'x'.repeat(100_000)],
  ])('fails on %s, never lets in', async (_what, status, body) => {
    const { check } = await against((_request, response) => {
      response.statusCode = status;
      response.end(body);
    });
    await expect(check({ digest })).rejects.toThrow();
  });

  test('fails when the answer takes longer than two seconds', async () => {
    const { check } = await against(() => undefined);
    // Whatever keeps this process from its timers keeps it from both.
    const late = delay(4_000, 'too late', { ref: false });
    await expect(Promise.race([check({ digest }), late])).rejects.toThrow(
      'did not respond within 2000 ms',
    );
  });

  test('fails when nobody listens', async () => {
    const { check } = clientOf(await freePort());
    await expect(check({ digest })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('after three failures in a row nothing is asked until a probe is answered', async () => {
    let isAnswering = false;
    let questions = 0;
    const { check } = await against((_request, response) => {
      questions += 1;
      response.statusCode = isAnswering ? 200 : 503;
      response.end(UNKNOWN);
    });
    for (let i = 0; i < 3; i++) await expect(check({ digest })).rejects.toThrow('responded 503');
    const asked = questions;
    await Promise.all(
      Array.from({ length: 50 }, () =>
        expect(check({ digest })).rejects.toThrow('does not respond'),
      ),
    );
    expect(questions).toBe(asked);
    isAnswering = true;
    const answered = () =>
      check({ digest }).then(
        (answer) => answer,
        () => undefined,
      );
    await eventually(async () => (await answered()) !== undefined);
    expect(await check({ digest })).toEqual({ rejected: 'unknown' });
  });

  test('says when it was last answered; a probe is such an answer', async () => {
    const { probe, answeredAtMs } = await against((_request, response) => response.end(UNKNOWN));
    expect(answeredAtMs()).toBe(Number.NEGATIVE_INFINITY);
    await probe();
    expect(answeredAtMs()).toBe(clock.monotonicMs());
  });
});

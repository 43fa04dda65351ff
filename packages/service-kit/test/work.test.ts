// Tests docs/spec/limits.md 12.3, 12.4, 12.6.
import { once } from 'node:events';
import { IncomingMessage, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Registry } from 'prom-client';
import {
  contextOf,
  createHttpServer,
  createWorkGate,
  type EdgeSettings,
  type Route,
  sendJson,
  unauthorized,
} from '../src/index.ts';
import { createLoopMeter } from '../src/work/loop-meter.ts';
import { afterWork, waitMsOf } from '../src/work/processor-share.ts';
import { fixtureApp } from './fixture-app.ts';

describe('a share of a processor', () => {
  const share = { part: 0.1, burstMs: 500, blockedMsMax: 10_000 };

  test.each([
    // paid at, work, now → paid at, wait
    [0, 0, 0, 0, 0],
    [0, 500, 0, 5_000, 0],
    [0, 501, 0, 5_010, 10],
    [5_000, 100, 0, 6_000, 1_000],
    [5_000, 100, 2_000, 6_000, 0],
    [5_000, 0, 9_000, 9_000, 0],
    [0, 1e9, 0, 15_000, 10_000],
  ])('paid at %i ms, %i ms of work at %i: paid at %i, wait %i', (paid, work, now, next, wait) => {
    expect(afterWork(paid, work, now, share)).toBe(next);
    expect(waitMsOf(next, now, share)).toBe(wait);
  });

  test('lets no pattern of work use more than the burst, the share and its last work', () => {
    const step = fc.record({ pauseMs: fc.nat(5_000), workMs: fc.nat(300) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        let [nowMs, paidAtMs, doneMs] = [0, 0, 0];
        for (const { pauseMs, workMs } of steps) {
          nowMs += pauseMs;
          if (waitMsOf(paidAtMs, nowMs, share) > 0) continue;
          paidAtMs = afterWork(paidAtMs, workMs, nowMs, share);
          doneMs += workMs;
          expect(doneMs).toBeLessThanOrEqual(500 + nowMs * share.part + 300);
        }
      }),
    );
  });
});

describe('a meter of the event loop', () => {
  const measured = () => {
    const one = {
      ms: 0,
      add: (ms: number) => {
        one.ms += ms;
      },
    };
    return one;
  };

  test('the processor time of a turn of the event loop belongs to the requests that continued in it', async () => {
    let nowMs = 0;
    let processorMs = 0;
    const meter = createLoopMeter({ now: () => nowMs, processor: () => processorMs });
    const [a, b] = [measured(), measured()];
    meter.resume(a);
    nowMs += 7;
    meter.resume(b);
    nowMs += 2;
    processorMs += 4.5;
    await new Promise(setImmediate);
    nowMs += 1_000;
    meter.resume(a);
    expect([a.ms, b.ms]).toEqual([3.5, 1]);
  });

  test('short turns are measured without a read of the processor time in each, long ones exactly', async () => {
    let nowMs = 0;
    let processorMs = 0;
    let reads = 0;
    const processor = () => {
      reads += 1;
      return processorMs;
    };
    const meter = createLoopMeter({ now: () => nowMs, processor });
    const turn = async (of: ReturnType<typeof measured>, wallMs: number, ownMs: number) => {
      meter.resume(of);
      nowMs += wallMs;
      processorMs += ownMs;
      await new Promise(setImmediate);
    };
    const [short, long] = [measured(), measured()];
    for (let n = 0; n < 1_002; n += 1) await turn(short, 0.25, 0.25);
    expect(short.ms).toBeCloseTo(250.5);
    expect(reads).toBeLessThanOrEqual(26);
    await turn(long, 8, 2);
    expect(long.ms).toBeCloseTo(2);
  });
});

describe('the gate', () => {
  let server: Server | undefined;
  afterEach(async () => {
    server?.closeAllConnections();
    server?.close();
    if (server !== undefined) await once(server, 'close');
  });

  /** Starts an app whose free work takes 400 ms of the injected clock. X-Forwarded-For has the client. */
  async function open(inFlightMax = 256, settings: Partial<EdgeSettings> = {}) {
    let nowMs = 0;
    const waiting: (() => void)[] = [];
    const routes: Route[] = [
      { method: 'GET', path: '/free', handler: work(() => undefined) },
      { method: 'GET', path: '/paid', handler: work((request) => contextOf(request).work.paid()) },
      {
        method: 'GET',
        path: '/account/:id',
        takesKey: true,
        handler: work((request) => contextOf(request).work.assignTo(String(request.params.id))),
      },
      {
        method: 'GET',
        path: '/rejected',
        takesKey: true,
        handler: work(() => {
          throw unauthorized('unknown');
        }),
      },
      {
        method: 'GET',
        path: '/wait',
        handler: async (_request, response) => {
          await new Promise<void>((resolve) => waiting.push(resolve));
          sendJson(response, 200, {});
        },
      },
    ];
    const gate = createWorkGate({
      registry: new Registry(),
      clock: { wallMs: () => nowMs, monotonicMs: () => nowMs },
      limits: { inFlightMax, free: { part: 0.1, burstMs: 500, blockedMsMax: 10_000 } },
    });
    const { app, lines } = fixtureApp({ gate, trustProxy: '1', ...settings }, routes);
    server = createHttpServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const call = async (path: string, from = '192.0.2.1', headers = {}) => {
      const response = await fetch(root + path, {
        headers: { ...headers, 'X-Forwarded-For': from },
      });
      const { error } = (await response.json()) as { error?: { code: string } };
      return [response.status, error?.code, response.headers.get('retry-after')] as const;
    };
    const log = (): Record<string, unknown>[] => lines.map((line) => JSON.parse(line));
    return { call, waiting, root, gate, log, advance: (ms: number) => (nowMs += ms) };
  }

  function connections(): Promise<number> {
    return new Promise((resolve) => server?.getConnections((_error, count) => resolve(count)));
  }

  function work(then: (request: Parameters<Route['handler']>[0]) => void): Route['handler'] {
    return (request, response) => {
      contextOf(request).work.add(400);
      then(request);
      sendJson(response, 200, {});
    };
  }

  const OK = [200, undefined, null];

  test('rejects a network after more than its share, until the share has paid, and no other one', async () => {
    const { call, advance } = await open();
    expect(await call('/free')).toEqual(OK);
    expect(await call('/free')).toEqual(OK);
    expect(await call('/free')).toEqual([429, 'too_many_requests', '4']);
    expect(await call('/free', '192.0.2.2')).toEqual(OK);
    advance(4_000);
    expect(await call('/free')).toEqual(OK);
  });

  test('counts an IPv6 /64 as one network, and a /48 as three', async () => {
    const { call } = await open();
    const rejected = async (from: string) => (await call('/free', from))[0] === 429;
    for (const host of ['1', '2']) await call('/free', `2001:db8:1:1::${host}`);
    expect(await rejected('2001:db8:1:1::3')).toBe(true);
    // 1.2 s at once are within three times the burst.
    expect(await rejected('2001:db8:1:2::1')).toBe(false);
    expect(await rejected('2001:db8:1:3::1')).toBe(false);
    for (const subnet of ['4', '5']) await call('/free', `2001:db8:1:${subnet}::1`);
    expect(await rejected('2001:db8:1:6::1')).toBe(true);
    expect(await rejected('2001:db8:2:1::1')).toBe(false);
  });

  test('counts no charged work', async () => {
    const { call } = await open();
    for (let i = 0; i < 10; i += 1) expect(await call('/paid')).toEqual(OK);
  });

  test('counts the work of an account apart from that of its network', async () => {
    const { call } = await open();
    const key = { 'X-Api-Key': 'k' };
    for (let i = 0; i < 2; i += 1) expect(await call('/account/a', '192.0.2.1', key)).toEqual(OK);
    expect((await call('/account/a', '192.0.2.9', key))[0]).toBe(429);
    expect(await call('/account/b', '192.0.2.1', key)).toEqual(OK);
    for (let i = 0; i < 3; i += 1) await call('/free');
    expect((await call('/free'))[0]).toBe(429);
    expect(await call('/account/c', '192.0.2.1', key)).toEqual(OK);
  });

  test('rejects credentials that are invalid with 429 once the network is beyond its share', async () => {
    const { call } = await open();
    const key = { 'X-Api-Key': 'k' };
    expect((await call('/rejected', '192.0.2.1', key))[1]).toBe('unauthorized');
    expect((await call('/rejected', '192.0.2.1', key))[1]).toBe('unauthorized');
    expect((await call('/rejected', '192.0.2.1', key))[1]).toBe('too_many_requests');
  });

  test.each<[string, string, RequestInit]>([
    ['a route that takes no key', '/free', {}],
    ['a preflight of one that takes a key', '/account/a', { method: 'OPTIONS' }],
    ['an unknown path', '/unknown', {}],
    ['an unknown method', '/account/a', { method: 'PATCH' }],
    ['a header that is too long', '/account/a', { headers: { Accept: 'y'.repeat(1_025) } }],
    ['a URL that is too long', `/account/${'y'.repeat(131_072)}`, {}],
    ['an invalid path', '/account/%ff', {}],
  ])('counts %s to the network, whatever its credential', async (_, path, init) => {
    const { call, root } = await open();
    for (let i = 0; i < 2; i += 1) await call('/free');
    for (const credential of [{ 'X-Api-Key': 'k' }, { Authorization: 'Bearer k' }]) {
      const headers = { ...init.headers, ...credential, 'X-Forwarded-For': '192.0.2.1' };
      expect((await fetch(root + path, { ...init, headers })).status).toBe(429);
    }
    expect(await call('/account/a', '192.0.2.1', { 'X-Api-Key': 'k' })).toEqual(OK);
  });

  test('counts and logs the network of a request that is rejected before anything is read', async () => {
    const { call, log } = await open(256, { requireHttps: true });
    expect((await call('/free', '192.0.2.7'))[1]).toBe('https_required');
    const long = `192.0.2.6, ${'1'.repeat(17_000)}, 192.0.2.8`;
    expect((await call('/free', long))[1]).toBe('headers_too_large');
    expect(log().map(({ network }) => network)).toEqual(['192.0.2.7', '192.0.2.8']);
  });

  test('holds no rejection that an untrusted proxy forwarded, and logs once how to trust it', async () => {
    const { call, log } = await open(256, { trustProxy: undefined });
    for (let i = 0; i < 2; i += 1) await call('/free', '192.0.2.1');
    const startedAt = performance.now();
    for (let i = 0; i < 5; i += 1) expect((await call('/free', '192.0.2.2'))[0]).toBe(429);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    const warnings = log().filter(({ msg }) => String(msg).includes('TRUST_PROXY'));
    expect(warnings).toEqual([expect.objectContaining({ level: 'warn', address: '127.0.0.1' })]);
  });

  test('a part of a request that is paid frees itself alone', () => {
    const gate = createWorkGate({
      registry: new Registry(),
      clock: { wallMs: () => 0, monotonicMs: () => 0 },
      limits: { inFlightMax: 9, free: { part: 0.1, burstMs: 500, blockedMsMax: 10_000 } },
    });
    const responseOf = () => new ServerResponse(new IncomingMessage(new Socket()));
    const arrive = () => {
      const response = responseOf();
      return { work: gate.open({ response, address: '192.0.2.1' }), response };
    };
    const use = (isPaid: boolean, ms: number) => {
      const { work, response } = arrive();
      const inner = responseOf();
      const part = work.part(inner);
      part.add(ms);
      if (isPaid) part.paid();
      inner.emit('close');
      response.emit('close');
      return () => arrive().work.withoutKey();
    };
    expect(use(true, 9_000)).not.toThrow();
    expect(use(false, 501)).toThrow('processor time');
  });

  test('bounds the requests in flight of a network', async () => {
    const { call, waiting } = await open(2);
    const calls = [call('/wait'), call('/wait')];
    while (waiting.length < 2) await new Promise(setImmediate);
    expect((await call('/wait'))[1]).toBe('too_many_requests');
    expect(await call('/account/a', '192.0.2.1', { 'X-Api-Key': 'k' })).toEqual(OK);
    expect(await call('/free', '192.0.2.2')).toEqual(OK);
    for (const end of waiting.splice(0)) end();
    expect(await Promise.all(calls)).toEqual([OK, OK]);
    expect(await call('/free')).toEqual(OK);
  });

  test('counts no request of a closed connection, also none that waited for those before it', async () => {
    const { call, root, waiting } = await open(2);
    const socket = connect(Number(new URL(root).port), '127.0.0.1');
    const request = 'GET /wait HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n';
    socket.write(request.repeat(9));
    while (waiting.length < 2) await new Promise(setImmediate);
    socket.destroy();
    await once(socket, 'close');
    while ((await connections()) > 0) await new Promise(setImmediate);
    expect(await call('/free')).toEqual(OK);
  });

  test('answers 32 pipelined requests of a connection, rejects the next one and closes', async () => {
    const { root, waiting } = await open();
    const socket = connect(Number(new URL(root).port), '127.0.0.1');
    socket.write('GET /wait HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_000));
    while (waiting.length < 32) await new Promise(setImmediate);
    expect(waiting.length).toBe(32);
    for (const end of waiting.splice(0)) end();
    const responses = await text(socket);
    expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual([
      ...Array(32).fill('HTTP/1.1 200'),
      'HTTP/1.1 429',
    ]);
  });
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import request from 'supertest';
import { timeOrderedId } from '../src/time-ordered-id.ts';
import { fixtureApp } from './fixture-app.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('the record of a request', () => {
  test('is one log line: method, route pattern, status, time, ids; never the URL', async () => {
    const { app, lines, text } = fixtureApp();
    await request(app).get('/v2/things/42?token=pk_live_secret&q=personal').set('X-Api-Key', 'abc');
    await request(app).get('/v2/known');
    const [first] = lines;
    const entry = JSON.parse(first ?? '');
    expect(entry).toMatchObject({
      msg: 'request',
      method: 'GET',
      route: '/v2/things/:id',
      status: 200,
    });
    expect(entry.ms).toBeGreaterThan(0);
    expect(entry.requestId).toMatch(UUID);
    expect(text()).not.toMatch(/secret|personal|things\/42/);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      accountId: 'account-1',
      keyId: 'key-1',
      status: 503,
    });
  });

  test('is one line for some successful calls with LOG_SAMPLE; every call is in the metric', async () => {
    const { app, lines, metrics } = fixtureApp({ logSample: 2 });
    for (let n = 0; n < 4; n += 1) await request(app).get('/v2/things/1');
    expect(lines.map((line) => JSON.parse(line).sample)).toEqual([2, 2]);
    expect(await metrics.registry.metrics()).toMatch(/_count\{[^}]*things[^}]*\} 4/);
  });

  test('is its latency by route pattern and status', async () => {
    const { app, metrics } = fixtureApp();
    await request(app).get('/v2/things/1');
    await request(app).get('/v2/things/2');
    await request(app).get('/wp-login.php');
    const text = await metrics.registry.metrics();
    expect(text).toMatch(
      /vcds_http_request_duration_seconds_count\{[^}]*route="\/v2\/things\/:id"[^}]*status="200"[^}]*\} 2/,
    );
    expect(text).toContain('route="unknown"');
    expect(text).not.toContain('wp-login');
  });
});

describe('an id of a request or a charge', () => {
  const TIME_MAX = 2 ** 48 - 1;
  const timeMs = fc.integer({ min: 0, max: TIME_MAX });

  test('is a UUID of version 7 with the time of the request', () => {
    fc.assert(
      fc.property(timeMs, (nowMs) => {
        const id = timeOrderedId(nowMs);
        expect(id).toMatch(UUID);
        expect(Number.parseInt(id.slice(0, 13).replace('-', ''), 16)).toBe(nowMs);
      }),
    );
  });

  test('sorts as its time does, and is another one for each request of a millisecond', () => {
    fc.assert(
      fc.property(timeMs, timeMs, (oneMs, otherMs) => {
        const [one, other] = [timeOrderedId(oneMs), timeOrderedId(otherMs)];
        expect(one).not.toBe(other);
        if (oneMs !== otherMs) expect(one < other).toBe(oneMs < otherMs);
      }),
    );
  });
});

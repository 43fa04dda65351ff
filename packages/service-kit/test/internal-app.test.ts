// Tests docs/spec/operations.md 16.1.
import { describe, expect, test } from '@jest/globals';
import { Gauge } from 'prom-client';
import request from 'supertest';
import {
  createInternalApp,
  createLogger,
  createMetrics,
  NotServingError,
  sendJson,
} from '../src/index.ts';
import { shared } from '../src/within.ts';

function internalApp(checks: Record<string, () => Promise<unknown>>, isStopping = () => false) {
  const lines: string[] = [];
  const logger = createLogger({ service: 't', sink: { write: (line) => void lines.push(line) } });
  const app = createInternalApp({
    logger,
    metrics: createMetrics('t'),
    checks,
    isStopping,
    routes: [
      {
        method: 'POST',
        path: '/internal/v1/x',
        handler: (_request, response) => sendJson(response, 200, { x: 1 }),
      },
    ],
  });
  return { app, text: () => lines.join('') };
}

describe('the internal app', () => {
  test('/live does not depend on the readiness checks', async () => {
    const { app } = internalApp({ database: async () => Promise.reject(new Error('down')) });
    expect((await request(app).get('/live')).body).toEqual({ live: true });
  });

  test('/live is 503 while the liveness check fails, which is logged once', async () => {
    const lines: string[] = [];
    const logger = createLogger({ service: 't', sink: { write: (line) => void lines.push(line) } });
    let isConsuming = false;
    const app = createInternalApp({
      logger,
      metrics: createMetrics('t'),
      checks: {},
      liveness: async () => {
        if (!isConsuming) throw new Error('nothing was consumed for 60 s');
      },
    });
    for (let probe = 0; probe < 3; probe++) {
      const answer = await request(app).get('/live');
      expect(answer.status).toBe(503);
      expect(answer.body).toEqual({ live: false });
    }
    expect(lines.filter((line) => line.includes('nothing was consumed'))).toHaveLength(1);
    isConsuming = true;
    expect((await request(app).get('/live')).body).toEqual({ live: true });
  });

  test('/ready is 200 when every check passes', async () => {
    const { app } = internalApp({ database: async () => 1, redis: async () => 'PONG' });
    const answer = await request(app).get('/ready');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ready: true,
      checks: { database: 'ok', redis: 'ok' },
      stopping: false,
    });
  });

  test('/ready is 503 when a check fails, with its name; the reason is only logged', async () => {
    const { app, text } = internalApp({
      database: async () => 1,
      redis: async () => Promise.reject(new Error('connect ECONNREFUSED')),
    });
    const answer = await request(app).get('/ready');
    expect(answer.status).toBe(503);
    expect(answer.body.checks).toEqual({ database: 'ok', redis: 'failed' });
    expect(answer.text).not.toContain('ECONNREFUSED');
    expect(text()).toContain('ECONNREFUSED');
  });

  test('/ready logs once why a check fails, and once that it passes again', async () => {
    let isUp = false;
    const { app, text } = internalApp({
      redis: async () => (isUp ? 'PONG' : Promise.reject(new Error('connect ECONNREFUSED'))),
    });
    for (const up of [false, false, true, true]) {
      isUp = up;
      await request(app).get('/ready');
    }
    const outcomes = text()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).outcome);
    expect(outcomes).toEqual(['connect ECONNREFUSED', 'ok']);
  });

  test('/ready does not wait for a check that hangs', async () => {
    const { app } = internalApp({ redis: () => new Promise(() => undefined) });
    const answer = await request(app).get('/ready');
    expect(answer.body.checks).toEqual({ redis: 'failed' });
  });

  test('/ready waits for the first pass of a store, then only reports its outages', async () => {
    let outcome: () => Promise<unknown> = async () => Promise.reject(new Error('away'));
    const app = createInternalApp({
      logger: createLogger({ service: 't', sink: { write: () => undefined } }),
      metrics: createMetrics('t'),
      stores: { redis: () => outcome() },
    });
    const ready = async () => {
      const { status, body } = await request(app).get('/ready');
      return [status, body.checks.redis];
    };
    expect(await ready()).toEqual([503, 'failed']);
    outcome = async () => 'PONG';
    expect(await ready()).toEqual([200, 'ok']);
    outcome = async () => Promise.reject(new Error('away again'));
    expect(await ready()).toEqual([200, 'failed']);
    expect((await request(app).get('/metrics')).text).toContain(
      'vcds_check_passed{check="redis",service="t"} 0',
    );
    outcome = async () => Promise.reject(new NotServingError('a migration is missing'));
    expect(await ready()).toEqual([503, 'failed']);
  });

  test('a store that does not respond is asked once, however many probes wait for it', async () => {
    let asked = 0;
    const { app } = internalApp({
      redis: () => {
        asked += 1;
        return new Promise(() => undefined);
      },
    });
    await Promise.all([request(app).get('/ready'), request(app).get('/ready')]);
    await request(app).get('/ready');
    expect(asked).toBe(1);
  });

  test('/metrics leaves out and names a metric that is not read in time', async () => {
    const metrics = createMetrics('t');
    let asked = 0;
    const help = 'read from a store';
    const collect = () => {
      asked += 1;
      return new Promise<void>(() => undefined);
    };
    new Gauge({ name: 'vcds_waiting', help, registers: [metrics.registry], collect });
    const logger = createLogger({ service: 't', sink: { write: () => undefined } });
    const app = createInternalApp({ logger, metrics, checks: {} });
    for (let scrape = 0; scrape < 2; scrape++) {
      const { text } = await request(app).get('/metrics');
      expect(text).not.toContain('# TYPE vcds_waiting');
      expect(text).toContain('vcds_metric_omitted{metric="vcds_waiting",service="t"} 1');
      expect(text).toContain('process_cpu_user_seconds_total');
    }
    expect(asked).toBe(1);
  });

  test('a check or a metric that never ends is read again after ten seconds', async () => {
    let nowMs = 0;
    const ends: ((value: number) => void)[] = [];
    const read = shared(
      () => new Promise<number>((resolve) => ends.push(resolve)),
      () => nowMs,
    );
    void read();
    nowMs = 10_000;
    void read();
    expect(ends).toHaveLength(1);
    nowMs = 10_001;
    const second = read();
    expect(read()).toBe(second);
    ends[1]?.(2);
    expect(await second).toBe(2);
    void read();
    expect(ends).toHaveLength(3);
  });

  test('/ready is 503 once the process is stopping', async () => {
    const { app } = internalApp({}, () => true);
    const answer = await request(app).get('/ready');
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({ ready: false, stopping: true });
  });

  test('/metrics has the metrics of the process and of the requests', async () => {
    const { app } = internalApp({});
    await request(app).get('/live');
    const answer = await request(app).get('/metrics');
    expect(answer.headers['content-type']).toContain('text/plain');
    expect(answer.text).toContain('process_cpu_user_seconds_total');
    expect(answer.text).toMatch(/vcds_http_request_duration_seconds_count\{[^}]*route="\/live"/);
  });

  test("the service's own routes are served, everything else is 404 or 405", async () => {
    const { app } = internalApp({});
    expect((await request(app).post('/internal/v1/x')).body).toEqual({ x: 1 });
    expect((await request(app).get('/internal/v1/x')).status).toBe(405);
    expect((await request(app).get('/internal/v1/y')).status).toBe(404);
  });

  test('probes are not logged', async () => {
    const { app, text } = internalApp({});
    await request(app).get('/live');
    expect(text()).toBe('');
  });
});

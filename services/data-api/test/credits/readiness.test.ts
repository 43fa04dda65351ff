// Tests docs/spec/operations.md 16.2, 16.5, 16.7.
import { describe, expect, test } from '@jest/globals';
import { generateApiKey } from '@vcds/credentials';
import { createLogger } from '@vcds/service-kit';
import {
  atLength,
  closedAfterAll,
  eventually,
  freePort,
  type InstancePorts,
  Load,
  LoadBalancer,
  rollingRestart,
} from '@vcds/test-kit';
import { keyOf, observe } from './support/observe.ts';
import { type Caller, openStack } from './support/stack.ts';

interface Readiness {
  readonly status: number;
  readonly checks: Readonly<Record<string, string>>;
}

const failing = (status: number, ...names: string[]): Readiness => ({
  status,
  checks: Object.fromEntries(
    ['database', 'redis', 'keys', 'facets'].map((name) => [
      name,
      names.includes(name) ? 'failed' : 'ok',
    ]),
  ),
});

const lines: string[] = [];
const logger = createLogger({ service: 't', sink: { write: (line) => void lines.push(line) } });
const stack = await closedAfterAll(openStack());
const api = await stack.dataApi({ logger });
await untilReady(api);

async function readiness({ internalUrl }: Caller): Promise<Readiness> {
  const answer = await fetch(`${internalUrl}/ready`);
  const { checks } = (await answer.json()) as Pick<Readiness, 'checks'>;
  return { status: answer.status, checks };
}

async function untilReady(caller: Caller): Promise<void> {
  await eventually(async () => expect(await readiness(caller)).toEqual(failing(200)));
}

const RESTARTS = atLength(1, 10);
/** A hundred times what the load balancer needs to see it, for a slow machine. */
const DRAIN_MS = 2_000;
const TIMEOUT_MS = 180_000 + 2 * RESTARTS * (10_000 + DRAIN_MS);

test(
  'no call fails in rolling restarts of data-api, and every call is charged once',
  async () => {
    const [account] = await stack.issue({ plan: 'scale', keys: [{}] });
    const both = await Promise.all(
      [0, 1].map(async () => ({ public: await freePort(), internal: await freePort() })),
    );
    const running = new Map<InstancePorts, Caller>();
    const start = async (ports: InstancePorts): Promise<void> => {
      const environment = {
        DRAIN_MS: String(DRAIN_MS),
        DATA_API_PORT: String(ports.public),
        DATA_API_INTERNAL_PORT: String(ports.internal),
      };
      running.set(ports, await stack.dataApi({}, environment));
    };
    for (const ports of both) await start(ports);
    const balancer = new LoadBalancer(both);
    const load = new Load({
      port: await balancer.open(),
      path: '/v2/startups?$top=1',
      headers: { 'X-Api-Key': account.keys[0]?.apiKey ?? '' },
      callers: 4,
    });
    const order = Array.from({ length: RESTARTS }, () => both).flat();
    await rollingRestart(order, balancer, load, async (ports) => {
      await running.get(ports)?.stop();
      await start(ports);
    });
    await load.stop();
    await balancer.close();
    await Promise.all([...running.values()].map((caller) => caller.stop()));
    expect(load.failures).toEqual([]);
    const served = both.reduce((sum, ports) => sum + load.served(ports), 0);
    expect(await stack.charges(account.accountId)).toHaveLength(served);
  },
  TIMEOUT_MS,
);

describe('readiness reports the dependencies of a call, and stays while a shared one is away', () => {
  test('reports a full Redis, and the log has the error of Redis', async () => {
    await stack.redis.config('SET', 'maxmemory', '1');
    expect(await readiness(api)).toEqual(failing(200, 'redis'));
    expect(lines.join('')).toContain('OOM command not allowed');
    await stack.redis.config('SET', 'maxmemory', '0');
    await untilReady(api);
  });

  test('while Redis is full, calls are rejected before they run, whatever free calls read', async () => {
    const [account] = await stack.issue({ plan: 'free', keys: [{}] });
    const { replies, untilServed } = observe(stack, api);
    const call = (path: string) => api.get(keyOf(account), path);
    // The balance is known, so calls hold nothing and are charged when they have run.
    expect(await call('/pricing')).toMatchObject({ status: 200, remaining: 500 });
    expect(await call('/startups?$top=1')).toMatchObject({ status: 200, charged: 1 });
    await stack.redis.config('SET', 'maxmemory', '1');
    try {
      expect(await call('/startups?$top=1')).toMatchObject({ status: 503, charged: 0 });
      const before = await replies();
      for (let calls = 0; calls < 3; calls++) {
        expect(await call('/pricing')).toMatchObject({ status: 200, remaining: 499 });
        expect(await call('/startups?$top=0')).toMatchObject({ status: 400, remaining: 499 });
        expect(await call('/startups?$top=1')).toMatchObject({ status: 503, charged: 0 });
      }
      expect(await replies()).toEqual({ ...before, reserve: (before.reserve ?? 0) + 3 });
    } finally {
      await stack.redis.config('SET', 'maxmemory', '0');
    }
    // The first call holds; the ledger accepted that, so the next one does not.
    expect(await untilServed(account, '/startups?$top=1')).toMatchObject({ charged: 1 });
    const after = await replies();
    expect(await call('/startups?$top=1')).toMatchObject({ status: 200, remaining: 497 });
    expect(await replies()).toEqual({ ...after, charge: (after.charge ?? 0) + 1 });
    await untilReady(api);
  });

  test('reports a Redis that is a read-only replica', async () => {
    await stack.redis.call('REPLICAOF', '127.0.0.1', String(await freePort()));
    expect(await readiness(api)).toEqual(failing(200, 'redis'));
    expect(lines.join('')).toContain('READONLY');
    await stack.redis.call('REPLICAOF', 'NO', 'ONE');
    await untilReady(api);
  });

  test('not ready if a migration is missing or was edited, and the log has its name', async () => {
    const newest = `SELECT max(migration_name) AS name FROM venture._prisma_migrations`;
    const { rows } = await stack.sql.query<{ name: string }>(newest);
    const name = rows[0]?.name ?? '';
    const setRolledBack = (value: string) =>
      stack.sql.query(
        `UPDATE venture._prisma_migrations SET rolled_back_at = ${value} WHERE migration_name = $1`,
        [name],
      );
    await setRolledBack('now()');
    expect(await readiness(api)).toEqual(failing(503, 'database'));
    expect(lines.join('')).toContain(`Migration ${name} is not applied`);
    await setRolledBack('NULL');
    await untilReady(api);

    const setChecksum = (value: string) =>
      stack.sql.query(
        `UPDATE venture._prisma_migrations SET checksum = ${value} WHERE migration_name = $1`,
        [name],
      );
    await setChecksum('reverse(checksum)');
    expect(await readiness(api)).toEqual(failing(503, 'database'));
    expect(lines.join('')).toContain(`Migration ${name} was edited after it was applied`);
    await setChecksum('reverse(checksum)');
    await untilReady(api);
  });

  test('not ready without the schema, or before the first response of access-api', async () => {
    const empty = new URL(stack.databaseUrl);
    empty.pathname = '/postgres';
    const lost = await stack.dataApi(
      { logger },
      {
        DATABASE_URL: empty.href,
        ACCESS_INTERNAL_URL: `http://127.0.0.1:${await freePort()}`,
      },
    );
    let answer = await readiness(lost);
    while (answer.checks.redis !== 'ok') answer = await readiness(lost);
    expect(answer).toEqual(failing(503, 'database', 'keys'));
    await lost.stop();
  });

  test('frozen Redis: ready, every metric but its own in time, and free calls are answered', async () => {
    const pid = Number(/process_id:(\d+)/.exec(await stack.redis.info('server'))?.[1]);
    const [account] = await stack.issue({ plan: 'free', keys: [{}] });
    expect(await api.get(keyOf(account), '/pricing')).toMatchObject({ status: 200 });
    process.kill(pid, 'SIGSTOP');
    try {
      await eventually(async () => expect(await readiness(api)).toEqual(failing(200, 'redis')));
      expect(await api.get(keyOf(account), '/pricing')).toMatchObject({ status: 200 });
      expect(await api.get(keyOf(account), '/startups?$top=1')).toMatchObject({ status: 503 });
      const text = await (await fetch(`${api.internalUrl}/metrics`)).text();
      expect(text).toMatch(/^vcds_check_passed\{check="redis",.*\} 0$/m);
      expect(text).toMatch(/^vcds_check_passed\{check="database",.*\} 1$/m);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await untilReady(api);
  });

  test('ready while access-api is down for less than a minute', async () => {
    await stack.access.end();
    expect((await readiness(api)).status).toBe(200);
  });
});

test('/metrics has key checks, the key cache, the pools and the circuits', async () => {
  await api.get(generateApiKey(), '/startups');
  const text = await (await fetch(`${api.internalUrl}/metrics`)).text();
  for (const line of [
    /^vcds_key_cache_lookups_total\{result="stale",/m,
    /^vcds_key_check_duration_seconds_bucket\{/m,
    /^vcds_key_check_circuit_open\{/m,
    /^vcds_database_pool_connections\{server="primary",pool="generic_plan",state="in_use",/m,
    /^vcds_database_pool_connections\{server="primary",pool="custom_plan",state="idle",/m,
    /^vcds_database_pool_connections_max\{server="primary",pool="custom_plan",/m,
    /^vcds_database_pool_waiting\{server="primary",pool="generic_plan",/m,
    /^vcds_database_pool_connections_max\{server="primary",pool="scans",/m,
    /^vcds_database_pool_waiting\{server="primary",pool="scans",/m,
    /^# TYPE vcds_redis_circuits_open gauge/m,
    /^# TYPE vcds_redis_commands_rejected_total counter/m,
  ]) {
    expect(text).toMatch(line);
  }
});

import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { eventually, type ProgramName } from '@vcds/test-kit';
import type { Installation } from './installation.ts';

type Undo = () => Promise<unknown>;

/** A state that an alert reports. */
export interface Incident {
  readonly alert: string;
  readonly what: string;
  /** Brings it about. @returns its repair. */
  provoke(installation: Installation): Promise<Undo>;
  /** Asserts that the queries of the page show the culprit. */
  seen?(installation: Installation): Promise<void>;
}

const PAGE = '/startups?$top=1';
const CULPRIT = expect.objectContaining({ culprit: 'culprit' });

export const INCIDENTS: readonly Incident[] = [
  {
    alert: 'VcdsTargetDown',
    what: 'a mail worker that is frozen',
    provoke: async (on) => frozen(on, 'worker'),
  },
  {
    alert: 'VcdsAbsent',
    what: 'no data worker',
    provoke: async ({ monitoring }) => {
      await monitoring.scrape('data-worker', false);
      return () => monitoring.scrape('data-worker', true);
    },
  },
  {
    alert: 'VcdsLedgerDrainBehind',
    what: 'no mail worker, while calls are charged',
    provoke: async (on) => {
      const thaw = frozen(on, 'worker');
      await on.monitoring.scrape('worker', false);
      for (let count = 0; count < 20; count += 1) expect(await on.call(PAGE)).toBe(200);
      return () => Promise.all([thaw(), on.monitoring.scrape('worker', true)]);
    },
    seen: async ({ redis }) => {
      const streams = await redis.keys('*:ledger');
      const lengths = await Promise.all(streams.map((name) => redis.xlen(name)));
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBeGreaterThanOrEqual(20);
    },
  },
  {
    alert: 'VcdsLedgerDrainFails',
    what: 'PostgreSQL rejects charges',
    provoke: async (on) => {
      await on.query('REVOKE INSERT ON access.charge FROM vcds_access_api');
      const stop = repeat(() => on.call(PAGE));
      return async () => {
        await stop();
        await on.query('GRANT INSERT ON access.charge TO vcds_access_api');
      };
    },
    seen: async ({ product }) => {
      expect(product.output()).toContain('could not drain ledger buckets');
    },
  },
  {
    alert: 'VcdsLatencyBurnFast',
    what: 'a session that locks a table, for 3 s at a time',
    provoke: async (on) => {
      const culprit = await on.session();
      const lock = 'BEGIN; LOCK TABLE venture.startup; SELECT pg_sleep(3); COMMIT';
      const stops = [
        repeat(() => culprit.run(lock), 300),
        ...Array.from({ length: 5 }, (_, account) => repeat(() => on.call(PAGE, account), 300)),
      ];
      return async () => {
        await on.query(`SELECT pg_terminate_backend(${culprit.pid})`);
        await Promise.all(stops.map((stop) => stop()));
      };
    },
    seen: (on) =>
      eventually(async () => {
        expect(await on.page('blocked')).toContainEqual(CULPRIT);
      }),
  },
  {
    alert: 'VcdsDatabasePoolWaiting',
    what: 'more statements that scan than connections for them',
    provoke: async (on) => {
      const culprit = await on.session('BEGIN', 'LOCK TABLE venture.startup');
      const stops = Array.from({ length: 10 }, (_, account) =>
        repeat(() => on.call(`/startups?$filter=${encodeURIComponent("Name like 'z'")}`, account)),
      );
      return async () => {
        await culprit.end();
        await Promise.all(stops.map((stop) => stop()));
      };
    },
  },
  {
    alert: 'VcdsFeedLag',
    what: 'a session that locks the table of signals',
    provoke: async (on) => {
      const culprit = await on.session('BEGIN', 'LOCK TABLE venture.signal');
      await on.ingest('feed', 'Late In The Feed');
      return () => on.query(`SELECT pg_terminate_backend(${culprit.pid})`);
    },
    seen: async (on) => {
      expect(await on.page('blocked')).toContainEqual(CULPRIT);
    },
  },
  {
    alert: 'VcdsFeedWithoutPublisher',
    what: 'a session that holds the lock of the publisher',
    provoke: async (on) => {
      const holds = "locktype = 'advisory' AND objid = 1936287598";
      const take = 'SELECT pg_advisory_lock(1986225267, 1936287598)';
      const taking = on.session(take);
      await on.query(`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE granted AND ${holds}`);
      const culprit = await taking;
      return () => on.query(`SELECT pg_terminate_backend(${culprit.pid})`);
    },
    seen: async (on) => {
      const rows = await on.page('leaders');
      expect(rows).toContainEqual(
        expect.objectContaining({ job: 'sign', application_name: 'culprit' }),
      );
    },
  },
  {
    alert: 'VcdsFacetLag',
    what: 'a session that locks the table of the facet index',
    provoke: async (on) => {
      const culprit = await on.session('BEGIN', 'LOCK TABLE venture.facet_state');
      await on.ingest('facets', 'Late In The Facets');
      return () => on.query(`SELECT pg_terminate_backend(${culprit.pid})`);
    },
    seen: async (on) => {
      expect(await on.page('blocked')).toContainEqual(CULPRIT);
    },
  },
  {
    alert: 'VcdsIdleTransaction',
    what: 'a session that is idle in its transaction',
    provoke: async (on) => {
      const culprit = await on.session(
        'BEGIN',
        'UPDATE venture.startup SET name = name WHERE false',
      );
      return () => on.query(`SELECT pg_terminate_backend(${culprit.pid})`);
    },
    seen: async (on) => {
      const [row] = await on.page('transactions');
      expect(row).toMatchObject({ application_name: 'culprit', state: 'idle in transaction' });
    },
  },
  {
    alert: 'VcdsMailCanaryStale',
    what: 'a queue that gives its worker no job',
    provoke: async ({ redis }) => {
      await redis.hset('{mail}:mail:meta', 'paused', 1);
      return async () => {
        await redis.hdel('{mail}:mail:meta', 'paused');
        await redis.rename('{mail}:mail:paused', '{mail}:mail:wait').catch(() => undefined);
        await redis.zadd('{mail}:mail:marker', 0, '0');
      };
    },
  },
  {
    alert: 'VcdsMailFailed',
    what: 'a provider that rejects the message',
    provoke: async ({ mail, product }) => {
      mail.isAccepting = false;
      const body = JSON.stringify({ email: `a${Date.now()}@example.com` });
      const headers = { 'Content-Type': 'application/json' };
      const url = `${product.accessUrl}/api/v1/auth/register`;
      expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(202);
      return async () => {
        mail.isAccepting = true;
      };
    },
  },
  {
    alert: 'VcdsJobFails',
    what: 'a job without the right to store its result',
    provoke: async (on) => {
      await on.query('REVOKE INSERT ON venture.model FROM vcds_data_worker');
      return () => on.query('GRANT INSERT ON venture.model TO vcds_data_worker');
    },
    seen: async ({ product }) => {
      expect(product.output()).toContain('permission denied for table model');
    },
  },
  {
    alert: 'VcdsReplicaLeftOut',
    what: 'a replica that replays nothing',
    provoke: async (on) => {
      await on.replica.pauseReplay();
      await on.ingest('replica', 'Not On The Replica');
      return () => on.replica.resumeReplay();
    },
  },
  {
    alert: 'VcdsRedisMemory',
    what: 'a Redis that is nearly full',
    provoke: async ({ redis }) => {
      const [, used = '0'] = /used_memory:(\d+)/.exec(await redis.info('memory')) ?? [];
      await redis.config('SET', 'maxmemory', Math.round(Number(used) * 1.1));
      return () => redis.config('SET', 'maxmemory', Number(used) * 10);
    },
  },
  {
    alert: 'VcdsErrorsBurnFast',
    what: 'a Redis that is full',
    provoke: async (on) => {
      await on.redis.config('SET', 'maxmemory', 1_000_000);
      const stop = repeat((turn) => on.call(PAGE, turn % 20));
      return async () => {
        await on.redis.config('SET', 'maxmemory', 0);
        await stop();
      };
    },
    seen: async (on) => {
      expect([await on.call(PAGE), await on.call('/pricing')]).toEqual([503, 200]);
    },
  },
  {
    alert: 'VcdsRedisDown',
    what: 'a Redis that does not respond',
    provoke: async (on) => {
      const [, pid = ''] = /process_id:(\d+)/.exec(await on.redis.info('server')) ?? [];
      process.kill(Number(pid), 'SIGSTOP');
      const stop = repeat((turn) => on.call(PAGE, turn % 20));
      return async () => {
        process.kill(Number(pid), 'SIGCONT');
        await stop();
      };
    },
    seen: async (on) => {
      expect([await on.call(PAGE), await on.call('/pricing')]).toEqual([503, 200]);
    },
  },
  {
    alert: 'VcdsKeyChecksFail',
    what: 'an access-api that does not respond',
    provoke: async (on) => {
      const thaw = frozen(on, 'access-api');
      const stop = repeat((turn) => on.call(PAGE, turn % 20));
      return async () => {
        await thaw();
        await stop();
      };
    },
  },
  {
    alert: 'VcdsStoreFails',
    what: 'a PostgreSQL that does not respond, for 45 s',
    provoke: async (on) => {
      const [row] = await on.query("SELECT current_setting('data_directory') AS folder");
      const replica = await freezePostgres(await on.replicaFolder());
      const primary = await freezePostgres(String(row?.folder));
      const resume = () => Promise.all([primary(), replica()]);
      const statuses: number[] = [];
      // One account calls once at a time, the other six times.
      const stops = [
        repeat(async () => void statuses.push(await on.call(PAGE)), 500),
        ...Array.from({ length: 6 }, () => repeat(() => on.call(PAGE, 1), 500)),
      ];
      const untilMs = performance.now() + 45_000;
      return async () => {
        await delay(untilMs - performance.now());
        const during = new Set(statuses);
        await resume();
        await Promise.all(stops.map((stop) => stop()));
        expect(during).toEqual(new Set([503]));
        // No account pays for what the outage took.
        const calls = () => Promise.all([0, 1, 1].map((account) => on.call(PAGE, account)));
        await eventually(async () => expect(await calls()).toEqual([200, 200, 200]), {
          timeoutMs: 5_000,
        });
      };
    },
    seen: async (on) => {
      expect(await on.call('/pricing')).toBe(200);
    },
  },
];

/** Stops a program as SIGSTOP does. @returns what lets it continue. */
function frozen({ product }: Installation, program: ProgramName): Undo {
  const { child } = product.processes[program] ?? {};
  child?.kill('SIGSTOP');
  return async () => child?.kill('SIGCONT');
}

/** Stops all processes of a server, as a lost network does. @returns what lets them continue. */
async function freezePostgres(folder: string): Promise<Undo> {
  const [parent = ''] = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n');
  const children = execFileSync('pgrep', ['-P', parent], { encoding: 'utf8' }).trim().split('\n');
  const signal = (name: NodeJS.Signals) => {
    for (const pid of [parent, ...children]) process.kill(Number(pid), name);
  };
  signal('SIGSTOP');
  return async () => signal('SIGCONT');
}

/** Repeats a call until it is stopped, without a pause or with one in milliseconds. */
function repeat(call: (turn: number) => Promise<unknown>, pauseMs = 50) {
  let isOver = false;
  const running = (async () => {
    for (let turn = 0; !isOver; turn += 1) {
      await call(turn).catch(() => undefined);
      await delay(pauseMs);
    }
  })();
  return async (): Promise<void> => {
    isOver = true;
    await running;
  };
}

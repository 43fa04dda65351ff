// Tests docs/spec/signals.md 9.9, 9.10.
// Tests docs/spec/operations.md 16.10.
// Tests docs/spec/activity.md 21.1.
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { eventually, runs, startPrimary, startStandby, type TestStandby } from '@vcds/test-kit';
import fc from 'fast-check';
import pg from 'pg';
import { beginTerm, publishBatch } from '../../src/worker/publish-signals/publish-batch.ts';
import type { SignalPage } from '../signals/support/feed.ts';
import { chargedOf, errorOf, openApi, type Query, type TestApi } from '../support/api.ts';

/** Above all delays of a loaded machine: a paused replica stays in use. */
const LAG_MS_MAX = 3_600_000;

const primary = await startPrimary();
// A statement that holds up the replay is cancelled at once.
const standbys = [
  await startStandby(primary, { max_standby_streaming_delay: '0' }),
  await startStandby(primary, { max_standby_streaming_delay: '0' }),
] as const;
const repeated: string[] = [];
const api = await open(LAG_MS_MAX);
const writer = new pg.Client({ connectionString: primary.url });
await writer.connect();
const term = await beginTerm(writer);
const accounts = [await accountOf(standbys[0]), await accountOf(standbys[1])] as const;
for (const account of accounts) await api.addAccount(account);

afterEach(async () => {
  await Promise.all(standbys.map(recover));
  await admitAll(api);
  repeated.length = 0;
});
afterAll(async () => {
  await api.close();
  await writer.end();
  await Promise.all([...standbys, primary].map((server) => server.drop()));
});

async function open(lagMsMax: number, urls = standbys.map(({ url }) => url)): Promise<TestApi> {
  const opened = await openApi({
    ...{ url: primary.url, seed: 'SELECT 1', replicas: { urls, lagMsMax } },
    onRepeat: (_, reason) => void repeated.push(reason),
  });
  await admitAll(opened);
  return opened;
}

/** Polls until all replicas are used. */
async function admitAll({ database }: TestApi): Promise<void> {
  await eventually(async () => {
    await database.poll();
    return database.replicas.every(({ isUsed }) => isUsed);
  });
}

async function recover(standby: TestStandby): Promise<void> {
  await standby.resumeReplay();
  await standby.caughtUp();
}

/** An account whose calls read from this standby. */
async function accountOf(standby: TestStandby): Promise<string> {
  const probe = { text: 'SELECT inet_server_port() AS port', values: [], plan: 'custom' } as const;
  for (let n = 0; ; n++) {
    const read = () => api.database.rows<{ port: number }>(probe);
    const [row] = await api.database.read(`account-${n}`, read);
    if (row?.port === standby.port) return `account-${n}`;
  }
}

/** Adds a startup with a signal and an entry of the activity feed, and returns its id. */
async function write(name: string, day = '2026-01-01'): Promise<string> {
  const { rows } = await writer.query<{ id: string }>(
    'INSERT INTO venture.startup (name, occurred_at) VALUES ($1, $2) RETURNING id',
    [name, day],
  );
  await publishBatch(writer, term, 0n, 1_000);
  return rows[0]?.id ?? '';
}

async function page(account: string, query: Query): Promise<SignalPage> {
  const reply = await api.get('/signals', query, { 'x-account': account });
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
  return reply.body as SignalPage;
}

/** Ids and instants of all signals in the order of the feed. */
async function feed(): Promise<readonly { readonly id: string; readonly at: string }[]> {
  const { rows } = await writer.query(
    `SELECT id, to_char(detected_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at
     FROM venture.signal ORDER BY detected_at`,
  );
  return rows;
}

describe('the change feed', () => {
  const replica = fc.constantFrom(0, 1);
  const step = fc.oneof(
    fc.record({ do: fc.constant('write' as const) }),
    fc.record({ do: fc.constantFrom('pause', 'resume', 'catchUp').map(String), replica }),
    fc.record({ do: fc.constant('poll' as const) }),
    // Both followers read from both replicas in turn.
    fc.record({ do: fc.constantFrom('forward', 'back').map(String), follower: replica, replica }),
    fc.record({ do: fc.constant('window' as const), replica, share: fc.nat(99) }),
  );
  type Step = { do: string; replica?: number; follower?: number; share?: number };

  /** Follows the feed in both directions, on whatever server, and compares with the primary. */
  class Followers {
    readonly #asc = [0, 1].map(() => ({ read: [] as string[], cursor: undefined as unknown }));
    readonly #desc = [0, 1].map(() => ({ read: [] as string[], cursor: undefined as unknown }));

    async run({ do: name, replica = 0, follower = 0, share = 0 }: Step): Promise<void> {
      const standby = standbys[replica] ?? standbys[0];
      if (name === 'write') await write('Follow');
      else if (name === 'pause') await standby.pauseReplay();
      else if (name === 'resume') await standby.resumeReplay();
      else if (name === 'catchUp') await recover(standby);
      else if (name === 'poll') await api.database.poll();
      else if (name === 'forward') await this.forward(follower, replica);
      else if (name === 'back') await this.#back(follower, replica);
      else await this.#window(replica, share);
    }

    /** The next page is the continuation of what was read: no gap, no repetition. */
    async forward(follower: number, replica: number): Promise<number> {
      const state = this.#asc[follower] ?? { read: [], cursor: undefined };
      const next = await this.#page(state, 'asc', replica);
      state.read.push(...next.signals.map(({ id }) => id));
      state.cursor = next.nextCursor;
      const all = (await feed()).map(({ id }) => id);
      expect(state.read).toEqual(all.slice(0, state.read.length));
      return all.length - state.read.length;
    }

    /** From the newest signal of some server to the first: all of them. */
    async #back(follower: number, replica: number): Promise<void> {
      const state = this.#desc[follower] ?? { read: [], cursor: undefined };
      const next = await this.#page(state, 'desc', replica);
      state.read.push(...next.signals.map(({ id }) => id));
      state.cursor = next.hasMore ? next.nextCursor : undefined;
      const all = (await feed()).map(({ id }) => id);
      const end = state.read[0] === undefined ? 0 : all.indexOf(state.read[0]) + 1;
      const expected = all.slice(0, end).reverse();
      expect(state.read).toEqual(expected.slice(0, state.read.length));
      if (next.hasMore) return;
      expect(state.read).toHaveLength(end);
      state.read.length = 0;
    }

    /** A window that is over is complete. */
    async #window(replica: number, share: number): Promise<void> {
      const all = await feed();
      const index = Math.max(1, Math.floor((share * all.length) / 100));
      const since = all[Math.max(0, index - 50)]?.at;
      const until = all[index]?.at;
      if (since === undefined || until === undefined) return;
      const { signals } = await page(accounts[replica] ?? '', { since, until, limit: '200' });
      const inside = all.slice(Math.max(0, index - 50), index).map(({ id }) => id);
      expect(signals.map(({ id }) => id).reverse()).toEqual(inside);
    }

    #page(state: { cursor: unknown }, order: string, replica: number): Promise<SignalPage> {
      const cursor = state.cursor === undefined ? {} : { cursor: String(state.cursor) };
      return page(accounts[replica] ?? '', { order, limit: '3', ...cursor });
    }
  }

  test('misses nothing and repeats nothing while replicas fall behind and catch up', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const followers = new Followers();
        for (const each of steps) await followers.run(each);
        await Promise.all(standbys.map(recover));
        for (const follower of [0, 1]) {
          while ((await followers.forward(follower, follower)) > 0);
        }
      }),
      runs(6),
    );
  });

  test('never goes back: the primary answers a cursor that the replica has not replayed', async () => {
    await standbys[1].pauseReplay();
    await write('Ahead');
    await standbys[0].caughtUp();
    const { nextCursor, signals } = await page(accounts[0], { order: 'desc', limit: '1' });
    expect(signals.map(({ id }) => id)).toEqual([(await feed()).at(-1)?.id]);
    expect(repeated).toEqual([]);
    const next = await page(accounts[1], { order: 'desc', limit: '1', cursor: nextCursor });
    expect(next.signals.map(({ id }) => id)).toEqual([(await feed()).at(-2)?.id]);
    expect(repeated).toEqual(['not_replayed']);
  });
});

describe('a call', () => {
  test('is charged once if the primary repeats it because of a recovery conflict', async () => {
    const cancelled = { values: [], plan: 'custom' } as const;
    // Waits on the replica until the replay of the vacuum cancels it.
    const text = `SELECT (SELECT count(*) FROM venture.startup) > 0 AS found,
      CASE WHEN pg_is_in_recovery() THEN pg_sleep(60) END, pg_is_in_recovery() AS "onStandby"`;
    await write('Conflict');
    await Promise.all(standbys.map((standby) => standby.caughtUp()));
    const reading = api.database.read(accounts[0], () => api.database.rows({ text, ...cancelled }));
    await eventually(async () => (await sleepers(standbys[0])) === 1);
    await writer.query(`DELETE FROM venture.signal_outbox; UPDATE venture.startup SET name = name`);
    await writer.query('VACUUM venture.startup');
    expect(await reading).toMatchObject([{ found: true, onStandby: false }]);
    expect(repeated).toEqual(['conflict']);
    expect(api.database.replicas.every(({ isUsed }) => isUsed)).toBe(true);
  });

  test('finds a record that the replica does not have yet, and is charged once', async () => {
    await Promise.all(standbys.map((standby) => standby.pauseReplay()));
    const id = await write('Newest');
    const reply = await api.get(`/startups/${id}`, {}, { 'x-account': accounts[0] });
    expect(reply.body).toMatchObject({ Id: id, Name: 'Newest' });
    expect(repeated).toEqual(['not_replayed']);
    const { body } = await api.get('/startups', { $filter: `Name eq 'Newest'` });
    expect(body).toEqual([]);
    const other = await api.get(`/startups/${id}`, {}, { 'x-account': accounts[0] });
    expect(chargedOf(other)).toBe(chargedOf(reply));
  });

  test('looks up the site of a company that the replica does not have yet', async () => {
    await Promise.all(standbys.map((standby) => standby.pauseReplay()));
    await writer.query(
      `INSERT INTO venture.startup (name, website) VALUES ('Looked up', 'https://looked-up.example')`,
    );
    const find = (q: string) => api.get('/find', { q }, { 'x-account': accounts[0] });
    // No site of the test responds; without the record it would not be asked.
    expect(errorOf(await find('Looked up')).code).toBe('site_unreachable');
    expect(repeated).toEqual(['not_replayed']);
    expect(errorOf(await find('Nowhere to be found')).code).toBe('not_found');
  });

  test('continues the activity feed on a server that has what its first page had', async () => {
    const [first, second] = standbys;
    const walk = { types: 'startup.added', $top: '1', since: '2031-01-01' };
    await second.pauseReplay();
    const names = ['A', 'B', 'C'];
    for (const name of names) await write(name, `2031-01-0${names.length - names.indexOf(name)}`);
    await first.caughtUp();
    const read = async (account: string, query: Query) => {
      const { body, headers } = await api.get('/activityfeed', query, { 'x-account': account });
      const cursor = /cursor=([^&>]+)/.exec(String(headers.link))?.[1];
      return {
        names: (body as { Subject: { Name: string } }[]).map((e) => e.Subject.Name),
        cursor,
      };
    };
    const one = await read(accounts[0], walk);
    expect(one.names).toEqual(['A']);
    expect(repeated).toEqual([]);
    const two = await read(accounts[1], { ...walk, cursor: one.cursor ?? '' });
    expect(two.names).toEqual(['B']);
    expect(repeated).toEqual(['not_replayed']);
    // The replica of the first page still has it.
    const three = await read(accounts[0], { ...walk, cursor: one.cursor ?? '' });
    expect(three.names).toEqual(['B']);
    expect(repeated).toEqual(['not_replayed']);
  });
});

describe('a replica', () => {
  const states = (opened: TestApi) => opened.database.replicas.map(({ isUsed }) => isUsed);

  test('is left out while it is too far behind, and returns', async () => {
    const strict = await open(200);
    await standbys[0].pauseReplay();
    await write('Behind');
    await standbys[1].caughtUp();
    await eventually(async () => {
      await strict.database.poll();
      return states(strict)[0] === false;
    });
    const [behind] = strict.database.replicas;
    expect(behind?.lag.ms).toBeGreaterThan(200);
    expect(behind?.lag.bytes).toBeGreaterThan(0);
    await recover(standbys[0]);
    await admitAll(strict);
    expect(strict.database.replicas.map(({ lag }) => lag)).toEqual([
      { ms: 0, bytes: 0 },
      { ms: 0, bytes: 0 },
    ]);
    await strict.close();
  });

  test('is left out when it is killed: its calls continue on others, and it returns', async () => {
    const [first] = standbys;
    await first.kill();
    const name = async () => {
      const reply = await api.get('/startups', { $top: '1' }, { 'x-account': accounts[0] });
      return reply.status;
    };
    expect(await name()).toBe(200);
    expect(states(api)).toEqual([false, true]);
    expect(repeated).toEqual(['connection']);
    expect(await name()).toBe(200);
    expect(repeated).toEqual(['connection']);
    await first.restart();
  });

  test('is used only with the migrations of this build', async () => {
    const mark = (at: string) =>
      writer.query(`UPDATE venture._prisma_migrations SET rolled_back_at = ${at}`);
    await mark('now()');
    await Promise.all(standbys.map((standby) => standby.caughtUp()));
    const opened = await openApi({
      ...{ url: primary.url, seed: 'SELECT 1' },
      replicas: { urls: [standbys[0].url], lagMsMax: LAG_MS_MAX },
    });
    for (let poll = 0; poll < 4; poll++) await opened.database.poll();
    expect(states(opened)).toEqual([false]);
    await mark('NULL');
    await standbys[0].caughtUp();
    await admitAll(opened);
    await opened.close();
  });

  test('is not used any more once it was promoted', async () => {
    const promoted = await startStandby(primary);
    const opened = await open(LAG_MS_MAX, [promoted.url]);
    const client = new pg.Client({ connectionString: promoted.url });
    await client.connect();
    await client.query('SELECT pg_promote()');
    await client.end();
    await opened.database.poll();
    expect(states(opened)).toEqual([false]);
    await opened.close();
    await promoted.drop();
  });
});

/** Statements that sleep on a server. */
async function sleepers({ url }: { readonly url: string }): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event = 'PgSleep'`,
  );
  await client.end();
  return rows[0]?.count ?? 0;
}

// Tests docs/spec/query-language.md 5.6.
// Tests docs/spec/limits.md 12.1, 12.5.
import { expect, test } from '@jest/globals';
import { closedAfterAll, eventually } from '@vcds/test-kit';
import { openApi } from '../support/api.ts';

/** Concurrent calls of the hostile account. */
const HOSTILE_CALLS = 40;
const SLOTS_PER_ACCOUNT = 2;
/** No statement ends by its limit while a test holds a lock. */
const LONG_MS = 600_000;
/** Paths whose statements read any table. */
const ROUTES = [
  '/news?$top=3',
  '/news?$count=true',
  '/funds?$expand=Startups',
  "/startups?$filter=Keywords eq 'robots'",
  '/persons?$filter=Id eq 00000000-0000-4000-8000-000000000001',
  '/startups/search?q=agora',
  '/startups/tags/search?q=fin',
  '/categories/facets?entity=funds',
  '/categories/city?q=be',
  '/categories/city/Nowhere/startups',
  '/signals?types=news.mention',
  '/signals?city=Nowhere',
];

const api = await closedAfterAll(
  openApi({
    shares: {
      slotsPerAccount: SLOTS_PER_ACCOUNT,
      // The time that a statement waits for a lock depends on the machine.
      limits: { ownWaitMsMax: 1, unpaidMsMax: LONG_MS, busyMsMax: LONG_MS },
    },
    statementMsMax: LONG_MS,
    scanMsMax: LONG_MS,
  }),
);
for (const account of ['hostile', 'other']) await api.addAccount(account);
const locker = await api.sql.connect();
await closedAfterAll({ close: () => locker.release() });

interface Answer {
  readonly status: number;
  readonly charged: string | null;
  readonly retryAfter: string | null;
  readonly code: string | undefined;
}

async function call(
  account: string,
  path: string,
  signal?: AbortSignal,
  { url } = api,
): Promise<Answer> {
  const answer = await fetch(`${url}${path}`, {
    headers: { 'x-account': account },
    ...(signal === undefined ? {} : { signal }),
  });
  const body = (await answer.json()) as { error?: { code: string } };
  const { headers, status } = answer;
  return {
    status,
    charged: headers.get('x-credits-charged'),
    retryAfter: headers.get('retry-after'),
    code: body.error?.code,
  };
}

/** The number of statements of the API that wait for a lock, in place of slow statements. */
async function blocked(): Promise<number> {
  const { rows } = await api.sql.query(
    `SELECT count(*)::int AS blocked FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'data-api'
       AND wait_event_type = 'Lock'`,
  );
  return rows[0].blocked;
}

async function untilBlocked(count: number): Promise<void> {
  await eventually(async () => (await blocked()) === count);
}

/** Runs while no other session can read the tables. */
async function locked(tables: string, work: () => Promise<void>): Promise<void> {
  await locker.query(`BEGIN; LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`);
  try {
    await work();
  } finally {
    await locker.query('ROLLBACK');
  }
}

const everyTable = async (): Promise<string> => {
  const { rows } = await api.sql.query(
    `SELECT string_agg('venture.' || relname, ', ') AS tables FROM pg_class
     WHERE relnamespace = 'venture'::regnamespace AND relkind = 'r'`,
  );
  return rows[0].tables;
};

const REJECTED = { status: 429, code: 'too_many_requests', charged: '0', retryAfter: '1' };

test('40 clients of one account use only its share of connections; other accounts are served', async () => {
  await locked('venture.news', async () => {
    const hostile = Array.from({ length: HOSTILE_CALLS }, () => call('hostile', '/news'));
    await untilBlocked(SLOTS_PER_ACCOUNT);
    for (let calls = 0; calls < HOSTILE_CALLS; calls++) {
      expect(await call('other', '/startups?$top=3')).toMatchObject({ status: 200, charged: '3' });
    }
    expect(await blocked()).toBe(SLOTS_PER_ACCOUNT);
    await locker.query('ROLLBACK');
    const answers = await Promise.all(hostile);
    const served = answers.filter(({ status }) => status === 200);
    expect(served).toHaveLength(SLOTS_PER_ACCOUNT);
    expect(answers.filter(({ status }) => status !== 200)).toEqual(
      Array.from({ length: HOSTILE_CALLS - SLOTS_PER_ACCOUNT }, () => REJECTED),
    );
  });
});

test.each(ROUTES)('the share bounds every statement: %s', async (path) => {
  // The first search of a process reads the weights of words, once for all calls.
  await call('other', path);
  await locked(await everyTable(), async () => {
    const calls = Array.from({ length: SLOTS_PER_ACCOUNT + 3 }, () => call('hostile', path));
    await untilBlocked(SLOTS_PER_ACCOUNT);
    expect(await call('hostile', path)).toEqual(REJECTED);
    await locker.query('ROLLBACK');
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(3);
  });
});

test('a call that reads nothing needs no share', async () => {
  await locked('venture.news', async () => {
    const hostile = [call('hostile', '/news'), call('hostile', '/news')];
    await untilBlocked(SLOTS_PER_ACCOUNT);
    expect(await call('hostile', '/pricing')).toMatchObject({ status: 200 });
    expect(await call('hostile', '/news?$top=0')).toMatchObject({ status: 400 });
    await locker.query('ROLLBACK');
    await Promise.all(hostile);
  });
});

test('a client that disconnects ends its statements, and their time counts as unpaid', async () => {
  const bounded = await openApi({
    ...{ url: api.databaseUrl, seed: 'SELECT 1', statementMsMax: LONG_MS },
    shares: { slotsPerAccount: SLOTS_PER_ACCOUNT, limits: { ownWaitMsMax: 1, unpaidMsMax: 1 } },
  });
  await bounded.addAccount('other');
  await locked('venture.news', async () => {
    const leaving = new AbortController();
    const left = Array.from({ length: SLOTS_PER_ACCOUNT }, () =>
      call('other', '/news', leaving.signal, bounded),
    );
    await untilBlocked(SLOTS_PER_ACCOUNT);
    leaving.abort();
    await Promise.allSettled(left);
    await untilBlocked(0);
    const next = await call('other', '/startups?$top=1', undefined, bounded);
    expect(next).toMatchObject({ status: 429, code: 'too_many_requests', charged: '0' });
  });
  // The connections are intact: the next statements are not cancelled.
  for (let calls = 0; calls < 2 * SLOTS_PER_ACCOUNT; calls++) {
    await bounded.database.rows({ text: 'SELECT pg_sleep(0.05)', values: [], plan: 'custom' });
  }
  await bounded.close();
});

test('a filter that uses no index has a shorter time limit', async () => {
  const limited = await openApi({
    ...{ url: api.databaseUrl, seed: 'SELECT 1' },
    ...{ statementMsMax: LONG_MS, scanMsMax: 100 },
  });
  await limited.addAccount('other');
  const filter = (text: string) =>
    `/news?$filter=${encodeURIComponent(`Publisher like '${text}'`)}`;
  await locked('venture.news', async () => {
    const long = call('other', filter('tech%'), undefined, limited);
    const short = await call('other', filter('t%'), undefined, limited);
    expect(short).toMatchObject({ status: 503, code: 'unavailable', charged: '0' });
    await untilBlocked(1);
    await locker.query('ROLLBACK');
    expect(await long).toMatchObject({ status: 200 });
  });
  await limited.close();
  expect(await call('other', filter('t%'))).toMatchObject({ status: 200 });
});

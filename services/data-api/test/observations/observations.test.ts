// Tests docs/spec/resources.md 4.14.
// Tests docs/spec/import.md 14.7.
import { describe, expect, test } from '@jest/globals';
import { recordId } from '@vcds/importer';
import { closedAfterAll, eventually } from '@vcds/test-kit';
import { recalculateOperatingStatus } from '@vcds/venture-model';
import {
  fund,
  observation,
  openImportFixture,
  startup,
} from '../../../../packages/importer/test/support.ts';
import type { CompanyObservation } from '../../src/observations/observed-pages.ts';
import { recordObservation } from '../../src/worker/observations/record-observation.ts';
import { openStatusClock } from '../support/status-clock.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 1, 3);

const DEADLOCK = '40P01';
const fixture = await closedAfterAll(openImportFixture());
const clock = await openStatusClock((sql, values) => fixture.rows(sql, values));

type Company = CompanyObservation['company'];
type Given = Pick<CompanyObservation, 'state'> & Partial<CompanyObservation>;

const day = (number: number) => new Date(START_MS + number * DAY_MS);

/** Records an observation of day `on` and sets the clock to it. */
async function observe(company: Company, key: string, on: number, given: Given): Promise<boolean> {
  await clock.set(day(on));
  return recordObservation(fixture.pool, {
    ...{ company, kind: 'site', url: `https://www.${key}.example/` },
    ...{ seenAt: day(on), lastPostAt: null, source: 'sweep', ...given },
  });
}

async function companyOf(type: Company['type'], key: string): Promise<Company> {
  const fields = { Website: `http://${key}.example` };
  await fixture.importLines([type === 'startup' ? startup(key, fields) : fund(key, fields)]);
  return { type, id: recordId(type, 'test', key) };
}

async function statusOf({ type, id }: Company) {
  const [row] = await fixture.rows<{ status: string | null }>(
    `SELECT operating_status AS status FROM venture.${type} WHERE id = $1`,
    [id],
  );
  return row?.status;
}

/** The number of signals of a company in the outbox, without its first. */
async function updatesOf({ id }: Company): Promise<number> {
  const rows = await fixture.rows(
    'SELECT FROM venture.signal_outbox WHERE subject_id = $1 AND type IN (8, 10)',
    [id],
  );
  return rows.length;
}

test.each(['startup', 'fund'] as const)(
  'a %s whose site is dead for two weeks turns ProbablyClosed, and Active when it returns',
  async (type) => {
    const company = await companyOf(type, `returns-${type}`);
    const key = `returns-${type}`;
    const steps: [on: number, state: 'alive' | 'dead', status: string, updates: number][] = [
      [0, 'alive', 'Active', 1],
      [1, 'dead', 'Active', 1],
      [14, 'dead', 'Active', 1],
      [14.5, 'dead', 'Active', 1],
      [15, 'dead', 'ProbablyClosed', 2],
      [16, 'dead', 'ProbablyClosed', 2],
      [17, 'alive', 'Active', 3],
    ];
    for (const [on, state, status, updates] of steps) {
      expect(await observe(company, key, on, { state })).toBe(true);
      expect([on, await statusOf(company), await updatesOf(company)]).toEqual([
        on,
        status,
        updates,
      ]);
    }
  },
);

test('an observation is recorded once, in its order, and only of an existing company', async () => {
  const company = await companyOf('startup', 'once');
  expect(await observe(company, 'once', 5, { state: 'alive' })).toBe(true);
  expect(await observe(company, 'once', 5, { state: 'dead' })).toBe(false);
  expect(await observe(company, 'once', 5, { state: 'dead', seenAt: day(4) })).toBe(false);
  expect(await observe(company, 'once', 6, { state: 'dead', url: 'https://' })).toBe(false);
  const none: Company = { type: 'fund', id: company.id };
  expect(await observe(none, 'once', 6, { state: 'dead' })).toBe(false);
  await fixture.importLines([{ op: 'delete', type: 'startup', source: 'test', key: 'once' }]);
  expect(await observe(company, 'once', 7, { state: 'dead' })).toBe(false);
  expect(
    await fixture.rows('SELECT address, state FROM venture.observation WHERE company_id = $1', [
      company.id,
    ]),
  ).toEqual([{ address: 'once.example', state: 'alive' }]);
});

test('a company has at most 20 addresses that no import states, the last observed ones', async () => {
  const company = await companyOf('startup', 'many');
  for (let n = 0; n < 25; n++) {
    const url = `https://social.example/account-${n}`;
    await observe(company, 'many', n, { state: 'alive', kind: 'social', url });
  }
  const rows = await fixture.rows<{ address: string }>(
    'SELECT address FROM venture.observation WHERE company_id = $1 ORDER BY occurred_at',
    [company.id],
  );
  expect(rows.map(({ address }) => address)).toEqual(
    Array.from({ length: 20 }, (_, n) => `social.example/account-${n + 5}`),
  );
});

test.each(['startup', 'fund'] as const)(
  'the status of a %s does not count an address that is no longer one of the 20',
  async (type) => {
    const key = `replaced-${type}`;
    const company = await companyOf(type, key);
    const account = (n: number, lastPostAt: Date | null) =>
      observe(company, key, n, {
        ...{ state: 'alive', kind: 'social', url: `https://social.example/${key}-${n}` },
        lastPostAt,
      });
    await account(0, day(0));
    for (let n = 1; n < 20; n++) await account(n, null);
    expect([await statusOf(company), await updatesOf(company)]).toEqual(['Active', 1]);
    await account(20, null);
    expect([await statusOf(company), await updatesOf(company)]).toEqual([null, 2]);
  },
);

test('an import that is dated in the future does not block observations', async () => {
  const company = await companyOf('startup', 'dated');
  const Company = { type: 'startup', key: 'dated' };
  await clock.set(day(0));
  await fixture.importLines([
    observation({ Company, occurredAt: day(99).toISOString(), Url: 'http://dated.example' }),
  ]);
  expect(await observe(company, 'dated', 1, { state: 'alive' })).toBe(true);
  expect(await observe(company, 'dated', 1, { state: 'alive' })).toBe(false);
});

test('a post that is newer than its observation is ignored', async () => {
  const company = await companyOf('startup', 'future');
  const url = 'https://social.example/future';
  await observe(company, 'future', 1, { state: 'alive', kind: 'social', url, lastPostAt: day(2) });
  expect(await statusOf(company)).toBeNull();
  await observe(company, 'future', 3, { state: 'alive', kind: 'social', url, lastPostAt: day(3) });
  expect(await statusOf(company)).toBe('Active');
});

describe('imported observations', () => {
  const site = (key: string, on: number, State: string) =>
    observation({
      occurredAt: day(on).toISOString(),
      Company: { type: 'startup', key },
      Url: `http://${key}.example/about?from=list`,
      State,
    });

  test('decide like those of the service, and together with them', async () => {
    const company = await companyOf('startup', 'listed');
    await clock.set(day(20));
    const history = [
      site('listed', 0, 'alive'),
      site('listed', 1, 'dead'),
      site('listed', 8, 'dead'),
    ];
    expect(await fixture.totals(history)).toBe('read 3, inserted 1, updated 1, unchanged 1');
    expect(await statusOf(company)).toBe('Active');
    await observe(company, 'listed', 15, { state: 'dead' });
    expect(await statusOf(company)).toBe('ProbablyClosed');
    expect(await fixture.totals([site('listed', 14, 'alive')])).toBe('read 1, stale 1');
    expect(await fixture.totals([site('listed', 16, 'alive')])).toBe('read 1, updated 1');
    expect(await statusOf(company)).toBe('Active');
  });

  test('change nothing when imported again, nor do the lines of their companies', async () => {
    await clock.set(day(30));
    const lines = [
      startup('twice', { Website: 'twice.example' }),
      startup('twice', { Website: 'twice.example', Founded: 2001 }),
      site('twice', 0, 'dead'),
      site('twice', 7, 'dead'),
      site('twice', 14, 'dead'),
    ];
    expect((await fixture.importLines(lines)).total).toMatchObject({ rejected: 0, inserted: 2 });
    const company: Company = { type: 'startup', id: recordId('startup', 'test', 'twice') };
    expect(await statusOf(company)).toBe('ProbablyClosed');
    const updates = await updatesOf(company);
    expect(await fixture.totals(lines)).toBe('read 5, unchanged 3, stale 2');
    expect([await statusOf(company), await updatesOf(company)]).toEqual([
      'ProbablyClosed',
      updates,
    ]);
  });

  test('are deleted and restored with their effect', async () => {
    const company = await companyOf('startup', 'undone');
    const { State: _, ...line } = site('undone', 0, '');
    await fixture.importLines([site('undone', 0, 'alive')]);
    expect(await statusOf(company)).toBe('Active');
    expect(await fixture.totals([{ ...line, op: 'delete' }])).toBe('read 1, deleted 1');
    expect(await statusOf(company)).toBeNull();
    expect(await fixture.totals([site('undone', 0, 'alive')])).toBe('read 1, inserted 1');
    expect(await statusOf(company)).toBe('Active');
  });

  test('are rejected without a company or a page, and with a post after the observation', async () => {
    const report = await fixture.importLines([
      observation({ Company: { type: 'fund', key: 'no-such-fund' } }),
      observation({ LastPostAt: '2026-01-02T03:00:00.001Z' }),
      observation({ Url: 'not a page' }),
    ]);
    expect(report.state).toBe('rejected');
    const reasons = (await fixture.sideFile('lines.rejected.ndjson')).map(({ reason }) => reason);
    expect(reasons).toEqual([
      'LastPostAt must not be after occurredAt',
      'Url is not a valid URL',
      expect.stringContaining('no-such-fund'),
    ]);
  });
});

test('an inference of an import applies while observations are inconclusive', async () => {
  const company = await companyOf('startup', 'both');
  const inferred = (OperatingStatus: string | null) =>
    fixture.importLines([
      {
        ...{ op: 'patch', type: 'startup', source: 'test', key: 'both' },
        ...{ OperatingStatus, OperatingStatusSource: 'inferred' },
      },
    ]);
  await inferred('ProbablyClosed');
  expect(await statusOf(company)).toBe('ProbablyClosed');
  await observe(company, 'both', 1, { state: 'alive' });
  expect(await statusOf(company)).toBe('Active');
  await fixture.importLines([startup('both', { Website: 'http://elsewhere.example' })]);
  expect(await statusOf(company)).toBe('ProbablyClosed');
  await inferred(null);
  expect(await statusOf(company)).toBeNull();
});

describe('by time alone', () => {
  const recalculate = async () => {
    const client = await fixture.pool.connect();
    try {
      return await recalculateOperatingStatus(client);
    } finally {
      client.release();
    }
  };

  test.each(['startup', 'fund'] as const)(
    'the site and account of a %s turn quiet without an observation',
    async (type) => {
      const key = `silent-${type}`;
      const company = await companyOf(type, key);
      const url = `https://social.example/${key}`;
      await observe(company, key, 200, { state: 'alive', lastPostAt: day(0) });
      await observe(company, key, 200, { state: 'alive', kind: 'social', url, lastPostAt: day(1) });
      await clock.set(day(365));
      await recalculate();
      expect(await statusOf(company)).toBe('Active');
      const facets = () =>
        fixture.rows('SELECT FROM venture.facet_change WHERE id = $1', [company.id]);
      const [updates, changes] = [await updatesOf(company), (await facets()).length];
      await clock.set(day(366));
      await recalculate();
      expect(await statusOf(company)).toBe('ProbablyClosed');
      expect(await updatesOf(company)).toBe(updates + 1);
      expect((await facets()).length).toBe(changes + 1);
      expect(await recalculate()).toEqual({ startups: 0, observations: 0 });
    },
  );
});

test('an observation that deadlocks with another writer is recorded after it', async () => {
  let attempts = 0;
  // PostgreSQL ends the writer that has waited for a second when both wait: on a slow machine the
  // other one.
  await eventually(() => {
    attempts += 1;
    return recordsAfterDeadlock(`locked${attempts}`);
  });
});

/** Whether PostgreSQL ended the observation, which was then recorded after the other writer. */
async function recordsAfterDeadlock(key: string): Promise<boolean> {
  const company = await companyOf('startup', key);
  await observe(company, key, 1, { state: 'alive' });
  const importer = await fixture.pool.connect();
  let recording: Promise<boolean> | undefined;
  try {
    await importer.query('BEGIN');
    const row = 'FROM venture.observation WHERE company_id = $1';
    await importer.query(`SELECT ${row} FOR UPDATE`, [company.id]);
    const seen = { state: 'dead', seenAt: day(3), lastPostAt: null, source: 'find' } as const;
    const url = `https://${key}.example/`;
    recording = recordObservation(fixture.pool, { company, kind: 'site', url, ...seen });
    await eventually(async () => {
      const waiting = await importer.query(
        `SELECT FROM pg_locks
         WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`,
      );
      expect(waiting.rowCount).toBeGreaterThan(0);
    });
    await importer.query(
      `UPDATE venture.observation SET occurred_at = $2, condition = 'gone', deleted_at = now()
       WHERE company_id = $1`,
      [company.id, day(2)],
    );
    await importer.query('COMMIT');
  } catch (error) {
    if ((error as { code?: string }).code !== DEADLOCK) throw error;
    return false;
  } finally {
    importer.release(true);
    expect(await recording).toBe(true);
  }
  return true;
}

import { expect, test } from '@jest/globals';
import { recordId } from '@vcds/importer';
import { closedAfterAll } from '@vcds/test-kit';
import { fund, openImportFixture, startup } from '../../../../packages/importer/test/support.ts';
import {
  type CompanyObservation,
  recordObservation,
} from '../../src/observations/record-observation.ts';
import { openStatusClock } from '../support/status-clock.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 1, 3);

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
  expect(await observe(company, 'once', 4, { state: 'dead' })).toBe(false);
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

test('a post that is newer than its observation is ignored', async () => {
  const company = await companyOf('startup', 'future');
  const url = 'https://social.example/future';
  await observe(company, 'future', 1, { state: 'alive', kind: 'social', url, lastPostAt: day(2) });
  expect(await statusOf(company)).toBeNull();
  await observe(company, 'future', 3, { state: 'alive', kind: 'social', url, lastPostAt: day(3) });
  expect(await statusOf(company)).toBe('Active');
});

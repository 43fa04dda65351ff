import { afterAll, describe, expect, test } from '@jest/globals';
import { bucketOfAccount } from '@vcds/credentials';
import type { LedgerEntry } from '@vcds/metering';
import { createLedgerTable, openLedgerPool } from '../../src/credits/ledger-table.ts';
import { aCharge } from '../credits/spending.ts';
import { openFixture } from '../registration/fixture.ts';
import { Person, signedIn } from './person.ts';
import { textOf, viewOf } from './view.ts';

const fixture = await openFixture({ environment: { SUPPORT_EMAIL: 'help@example.com' } });
const pool = openLedgerPool(fixture.access.databaseUrl, fixture.access.logger);
afterAll(() => pool.end());

let seq = 0;
async function charge(accountId: string, charges: readonly Partial<LedgerEntry>[]): Promise<void> {
  const entries = charges.map((differs) => {
    seq += 1;
    return aCharge({ account: accountId, seq, bucketSeq: seq, ...differs });
  });
  await createLedgerTable(pool).commit(bucketOfAccount(accountId), entries);
}
describe('the usage of an account', () => {
  test('is shown by month, and a month by endpoint and by key', async () => {
    const { person, accountId } = await signedIn(fixture);
    const { keyId } = await fixture.access.accounts.issueKey({
      ...{ accountId, origin: 'operator', label: '<b>bold</b>' },
    });
    const other = '11111111-2222-4333-8444-555555555555';
    await charge(accountId, [
      { keyId, endpoint: '/funds', period: 202602, charged: 1_200 },
      { keyId, endpoint: '/funds', charged: 10, purchased: 4 },
      { keyId: other, endpoint: '/startups/{id}', charged: 1 },
      { keyId: other, endpoint: '/startups/{id}', charged: 1 },
    ]);
    await charge((await signedIn(fixture)).accountId, [{ charged: 99 }]);
    const page = await person.get('/account/usage');
    expect(viewOf(page).rows(/Credits by month/)).toEqual([
      ['March 2026', '3', '12', '4'],
      ['February 2026', '1', '1,200', '0'],
    ]);
    const month = await person.get('/account/usage?month=2026-03');
    expect(viewOf(month).rows(/Credits by endpoint/)).toEqual([
      ['/funds', '1', '10', '4'],
      ['/startups/{id}', '2', '2', '0'],
    ]);
    expect(viewOf(month).rows(/Credits by key/)).toEqual([
      ['<b>bold</b>', '1', '10', '4'],
      ['Key 11111111', '2', '2', '0'],
    ]);
  });

  test('has pages: of twelve months, 25 keys, 50 charges', async () => {
    const { person, accountId } = await signedIn(fixture);
    const months = Array.from({ length: 14 }, (_, i) => 202401 + Math.floor(i / 12) * 88 + i);
    await charge(
      accountId,
      months.map((period) => ({ period })),
    );
    const keys = Array.from(
      { length: 27 },
      (_, i) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
    );
    await charge(
      accountId,
      keys.map((keyId, i) => ({ keyId, period: 202312, charged: 100 - i })),
    );
    const seen: string[] = [];
    let path: string | undefined = '/account/usage';
    for (; path !== undefined; path = await next(path)) seen.push(path);
    expect(seen).toEqual(['/account/usage', '/account/usage?before=2024-03']);

    const first = await person.get('/account/usage?month=2023-12');
    expect(viewOf(first).rows(/Credits by key/)).toHaveLength(25);
    const rest = await person.get(viewOf(first).next ?? '');
    expect(
      viewOf(rest)
        .rows(/Credits by key/)
        .map(([, , credits]) => credits),
    ).toEqual(['75', '74']);
    expect(viewOf(rest).next).toBeUndefined();

    await charge(
      accountId,
      Array.from({ length: 60 }, () => ({ endpoint: '/news' })),
    );
    const when: string[][] = [];
    for (let at: string | undefined = '/account/usage/charges'; at !== undefined; ) {
      const view = viewOf(await person.get(at));
      when.push(...view.rows(/^Charges/));
      at = view.next;
    }
    expect(when).toHaveLength(14 + 27 + 60);

    async function next(of: string): Promise<string | undefined> {
      return viewOf(await person.get(of)).next;
    }
  });

  test('shows the charge of a call by its request id, only to its account', async () => {
    const { person, accountId } = await signedIn(fixture);
    const requestId = 'trace-of-one-call';
    await charge(accountId, [{ requestId, endpoint: '/news', charged: 13 }, { charged: 2 }]);
    const other = await signedIn(fixture);
    await charge(other.accountId, [{ requestId, charged: 99 }]);
    const caption = /^Charges/;
    const list = viewOf(await person.get('/account/usage/charges')).rows(caption);
    expect(list.map((cells) => cells[3])).toContain(requestId);
    const found = await person.get(`/account/usage/charges?request=${requestId}`);
    expect(
      viewOf(found)
        .rows(caption)
        .map((cells) => cells.slice(1)),
    ).toEqual([['/news', expect.stringMatching(/^Key /), requestId, '13']]);
    const broken = await person.get(`/account/usage/charges#a?request=${requestId}`);
    expect(viewOf(broken).rows(caption)).toHaveLength(2);
    const none = await person.get('/account/usage/charges?request=trace-of-no-call');
    expect([none.status, viewOf(none).rows(caption)]).toEqual([200, []]);
  });

  test('is empty without charges', async () => {
    const { person } = await signedIn(fixture);
    for (const query of ['', '?month=2020-01', '/charges']) {
      const page = await person.get(`/account/usage${query}`);
      expect(page.status).toBe(200);
      expect(viewOf(page).text).toContain('No charges');
      expect(viewOf(page).all('table')).toEqual([]);
    }
  });

  test.each([
    '/account/usage?month=2026-13',
    '/account/usage?month=x',
    '/account/usage?before=1',
    '/account/usage?month=2026-01&skip=-1',
    '/account/usage/charges?request=x',
    '/account/usage/charges?request=pk_live_abcdefgh',
    '/account/usage/charges?after=x',
    "/account/usage/charges?after=1-'; DROP TABLE",
  ])('%s is 404', async (path) => {
    const { person } = await signedIn(fixture);
    expect((await person.get(encodeURI(path))).status).toBe(404);
  });

  test('shows the last charge of each key: the time, or the month if it is long ago', async () => {
    const { person, accountId } = await signedIn(fixture);
    const issue = (label: string) =>
      fixture.access.accounts.issueKey({ accountId, origin: 'operator', label });
    const [recent, old] = [await issue('recent'), await issue('old'), await issue('unused')];
    await charge(accountId, [
      { keyId: old.keyId, period: 202511, chargedAt: new Date('2025-11-05T00:00:00Z') },
      ...Array.from({ length: 5_000 }, () => ({ keyId: recent.keyId })),
    ]);
    const view = viewOf(await person.get('/account'));
    const last = view.facts.filter(([term]) => term === 'Last charge').map(([, value]) => value);
    expect(new Map(view.all('h3').map((name, i) => [textOf(name), last[i]]))).toEqual(
      new Map([
        ['unused', 'None yet'],
        ['old', 'In November 2025'],
        ['recent', '10 Mar 2026, 12:00:00 UTC'],
      ]),
    );
  });
});

describe('the credits page', () => {
  test('shows the plans and the contact address to everyone', async () => {
    const page = await new Person(fixture.app).get('/account/credits');
    expect(page.status).toBe(200);
    expect(
      viewOf(page)
        .rows(/^Plans/)
        .map((row) => row.slice(0, 3)),
    ).toEqual([
      ['Free', '500', '100'],
      ['Starter', '10,000', '500'],
      ['Growth', '100,000', '1,000'],
      ['Scale', '1,000,000', '5,000'],
    ]);
    expect(viewOf(page).all('a[href^="mailto:help@example.com?"]')).toHaveLength(1);
    expect(viewOf(page).facts).toEqual([]);
  });

  test('shows the plan and the credits of a signed-in user', async () => {
    const { person, accountId } = await signedIn(fixture);
    await fixture.access.accounts.setPlan(accountId, 'starter');
    for (const path of ['/account/credits', '/account']) {
      expect(viewOf(await person.get(path)).facts.slice(0, 5)).toEqual([
        ['Plan', 'Starter'],
        ['Credits left', '10,000'],
        ['Used this month', '0 of 10,000'],
        ['Purchased credits left', '0'],
        [
          expect.stringMatching(/^Next 10,000 credits on$/),
          expect.stringMatching(/^1 \w+ \d{4}, 00:00 UTC$/),
        ],
      ]);
    }
  });

  test('has no contact link without a configured address', async () => {
    const other = await openFixture();
    const page = await new Person(other.app).get('/account/credits');
    expect(viewOf(page).all('a[href^="mailto:"]')).toEqual([]);
  });
});

test('the account page works without balances; without PostgreSQL it is a 503 page', async () => {
  const other = await openFixture();
  const { person } = await signedIn(other);
  const { redis, owner } = other.access;
  for (const name of await redis.keys('{m:*}:ledger*')) await redis.del(name);
  const page = await person.get('/account');
  expect(page.status).toBe(200);
  await owner.query('ALTER SCHEMA access RENAME TO elsewhere');
  for (const path of [
    '/account',
    '/account/usage',
    '/account/usage?month=2026-01',
    '/account/usage/charges',
  ]) {
    const failed = await person.get(path);
    expect([failed.status, failed.headers['retry-after']]).toEqual([503, '30']);
    expect(failed.headers['content-type']).toContain('text/html');
  }
});

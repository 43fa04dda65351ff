import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bucketOfAccount } from '@vcds/credentials';
import type { LedgerEntry } from '@vcds/metering';
import { createLogger } from '@vcds/service-kit';
import type pg from 'pg';
import { openLedgerPool } from '../../src/credits/ledger-pool.ts';
import { createLedgerTable } from '../../src/credits/ledger-table.ts';
import { aCharge } from '../credits/charges.ts';
import { type Fixture, openFixture } from '../registration/fixture.ts';
import { Person, signedIn } from './person.ts';

let fixture: Fixture;
let pool: pg.Pool;
beforeAll(async () => {
  fixture = await openFixture({ environment: { SUPPORT_EMAIL: 'help@example.com' } });
  pool = openLedgerPool(
    fixture.access.databaseUrl,
    createLogger({ service: 't', level: 'silent' }),
  );
});
afterAll(async () => {
  await pool.end();
  await fixture.close();
});

let seq = 0;
async function charge(accountId: string, charges: readonly Partial<LedgerEntry>[]): Promise<void> {
  const entries = charges.map((differs) => {
    seq += 1;
    return aCharge({ account: accountId, seq, bucketSeq: seq, ...differs });
  });
  await createLedgerTable(pool).commit(bucketOfAccount(accountId), entries);
}
/** The rows of a page's table, cells as text. */
function rowsOf(text: string, caption: string): string[][] {
  const [, body = ''] =
    new RegExp(
      String.raw`<caption>${caption}</caption>[\s\S]*?<tbody[^>]*>([\s\S]*?)</tbody>`,
    ).exec(text) ?? [];
  return [...body.matchAll(/<tr[^>]*>([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = '']) =>
      cell.replace(/<[^>]+>/g, ''),
    ),
  );
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
    expect(rowsOf(page.text, 'Credits by month')).toEqual([
      ['March 2026', '3', '12', '4'],
      ['February 2026', '1', '1,200', '0'],
    ]);
    const month = await person.get('/account/usage?month=2026-03');
    expect(month.text).toContain('<h1>Usage in March 2026</h1>');
    expect(rowsOf(month.text, 'Credits by endpoint')).toEqual([
      ['/funds', '1', '10', '4'],
      ['/startups/{id}', '2', '2', '0'],
    ]);
    expect(rowsOf(month.text, 'Credits by key')).toEqual([
      ['&lt;b&gt;bold&lt;/b&gt;', '1', '10', '4'],
      ['Key 11111111', '2', '2', '0'],
    ]);
  });

  test('is paged: months by twelve, keys by twenty-five, charges by fifty', async () => {
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
    expect(rowsOf(first.text, 'Credits by key')).toHaveLength(25);
    const rest = await person.get(nextIn(first.text) ?? '');
    expect(rowsOf(rest.text, 'Credits by key').map(([, , credits]) => credits)).toEqual([
      '75',
      '74',
    ]);
    expect(nextIn(rest.text)).toBeUndefined();

    await charge(
      accountId,
      Array.from({ length: 60 }, () => ({ endpoint: '/news' })),
    );
    const when: string[][] = [];
    for (let at: string | undefined = '/account/usage/charges'; at !== undefined; ) {
      const { text } = await person.get(at);
      when.push(...rowsOf(text, 'Charges, newest first'));
      at = nextIn(text);
    }
    expect(when).toHaveLength(14 + 27 + 60);

    async function next(of: string): Promise<string | undefined> {
      return nextIn((await person.get(of)).text);
    }
  });

  test('shows the charge of one call by its request id, and no other account of it', async () => {
    const { person, accountId } = await signedIn(fixture);
    const requestId = 'trace-of-one-call';
    await charge(accountId, [{ requestId, endpoint: '/news', charged: 13 }, { charged: 2 }]);
    const stranger = await signedIn(fixture);
    await charge(stranger.accountId, [{ requestId, charged: 99 }]);
    const caption = 'Charges, newest first';
    const list = rowsOf((await person.get('/account/usage/charges')).text, caption);
    expect(list.map((cells) => cells[3])).toContain(requestId);
    const found = await person.get(`/account/usage/charges?request=${requestId}`);
    expect(rowsOf(found.text, caption).map((cells) => cells.slice(1))).toEqual([
      ['/news', expect.stringMatching(/^Key /), requestId, '13'],
    ]);
    const none = await person.get('/account/usage/charges?request=trace-of-no-call');
    expect(none.text).toContain('No charge of this account has this request id');
  });

  test('of nothing says so', async () => {
    const { person } = await signedIn(fixture);
    expect((await person.get('/account/usage')).text).toContain('No charges yet.');
    const month = await person.get('/account/usage?month=2020-01');
    expect(month.text).toContain('No charges in this month.');
    expect((await person.get('/account/usage/charges')).text).toContain('No charges.');
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
  ])('%s leads nowhere: 404', async (path) => {
    const { person } = await signedIn(fixture);
    expect((await person.get(encodeURI(path))).status).toBe(404);
  });

  test('tells of each key when it was last charged: the moment, or the month if that is long ago', async () => {
    const { person, accountId } = await signedIn(fixture);
    const issue = (label: string) =>
      fixture.access.accounts.issueKey({ accountId, origin: 'operator', label });
    const [recent, old] = [await issue('recent'), await issue('old'), await issue('unused')];
    await charge(accountId, [
      { keyId: old.keyId, period: 202511, chargedAt: new Date('2025-11-05T00:00:00Z') },
      ...Array.from({ length: 5_000 }, () => ({ keyId: recent.keyId })),
    ]);
    const { text } = await person.get('/account');
    const last = (name: string): string | undefined =>
      new RegExp(
        String.raw`<bdi>${name}</bdi>[\s\S]*?Last charge</dt><dd>(?:<time[^>]*>)?([^<]*)`,
      ).exec(text)?.[1];
    expect(last('recent')).toBe('10 Mar 2026, 12:00:00 UTC');
    expect(last('old')).toBe('In November 2025');
    expect(last('unused')).toBe('None yet');
  });
});

describe('the page of credits, where an exhausted call leads', () => {
  test('shows the plans, and whom to write to, to anybody', async () => {
    const page = await new Person(fixture.app).get('/account/credits');
    expect(page.status).toBe(200);
    expect(rowsOf(page.text, 'Plans; .*').map((row) => row.slice(0, 3))).toEqual([
      ['Free', '500', '100'],
      ['Starter', '10,000', '500'],
      ['Growth', '100,000', '1,000'],
      ['Scale', '1,000,000', '5,000'],
    ]);
    expect(page.text).toContain('href="mailto:help@example.com?subject=More%20credits"');
    expect(page.text).not.toContain('Credits left');
  });

  test('shows their own to those signed in: plan, limit, left, purchased, refill', async () => {
    const { person, accountId } = await signedIn(fixture);
    await fixture.access.accounts.setPlan(accountId, 'starter');
    for (const path of ['/account/credits', '/account']) {
      const { text } = await person.get(path);
      const facts = [...text.matchAll(/<dt>([^<]*)<\/dt><dd[^>]*>([\s\S]*?)<\/dd>/g)].map(
        ([, name, value = '']) => [name, value.replace(/<[^>]+>/g, '')],
      );
      expect(facts.slice(0, 5)).toEqual([
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

  test('names nobody when no address is configured', async () => {
    const other = await openFixture();
    try {
      const { text } = await new Person(other.app).get('/account/credits');
      expect(text).toContain('contact the operator');
      expect(text).not.toContain('mailto:');
    } finally {
      await other.close();
    }
  });
});

test('the account page is there without balances, and a 503 page without PostgreSQL', async () => {
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
    expect(failed.text).toContain('<h1>Temporarily unavailable</h1>');
  }
  await other.close();
});

function nextIn(text: string): string | undefined {
  return /<a href="([^"]+)" rel="next">/.exec(text)?.[1]?.replaceAll('&amp;', '&');
}

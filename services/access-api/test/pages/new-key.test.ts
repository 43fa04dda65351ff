import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bucketOfAccount, SCOPES } from '@vcds/credentials';
import pg from 'pg';
import { type Fixture, keysOf, openFixture } from '../registration/fixture.ts';
import { NEW_KEY, scopesOf, withKey } from './key.ts';
import { keyOn, signedIn } from './person.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

/** Resolves once a statement waits for a lock of the database. */
async function someoneWaits(sql: pg.Client): Promise<void> {
  for (;;) {
    // A transaction sees one moment of these statistics, unless told to look again.
    await sql.query('SELECT pg_stat_clear_snapshot()');
    const { rows } = await sql.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (rows.length > 0) return;
    await delay(5);
  }
}

describe('creating a key', () => {
  test('shows it once, in a field that can be copied; it works and does not expire', async () => {
    const { person, accountId } = await signedIn(fixture);
    await person.get(NEW_KEY);
    const page = await person.post(NEW_KEY, {
      name: '  weekly   report ',
      scope: ['news', 'signals'],
    });
    expect(page.status).toBe(200);
    const key = keyOn(page);
    expect(page.text).toMatch(new RegExp(`<div class="key" [^>]*>${key}</div>`));
    expect(page.text).toContain(`curl -H &quot;X-Api-Key: ${key}&quot;`);
    const [record] = await keysOf(fixture, { id: accountId });
    expect(record).toMatchObject({ label: 'weekly report', origin: 'account_page' });
    expect(record?.expiresAt).toBeNull();
    expect(await scopesOf(fixture, key)).toEqual(['news', 'signals']);
    const home = await person.get('/account');
    expect(home.text).toContain('weekly report');
    expect(home.text).toContain('News, Signals');
    expect(home.text).not.toContain(key);
    expect(fixture.access.log()).not.toContain(key.slice(8));
  });

  test('with every box ticked it reaches what the plan allows, and no name is needed', async () => {
    const { accountId, key } = await withKey(fixture);
    expect(await scopesOf(fixture, key)).toBeNull();
    const { person } = await signedIn(fixture);
    await person.get(NEW_KEY);
    expect((await person.post(NEW_KEY, { scope: [...SCOPES], name: ' ' })).status).toBe(200);
    expect((await keysOf(fixture, { id: accountId })).map(({ isNarrowed }) => isNarrowed)).toEqual([
      false,
    ]);
  });

  test.each([
    ['no box ticked', { scope: [] }, 'Select at least one permission'],
    ['a scope there is none of', { scope: 'constructor' }, 'Select at least one permission'],
    ['a name too long', { scope: 'news', name: 'x'.repeat(61) }, 'at most 60 characters'],
    ['a control character', { scope: 'news', name: 'a\u0007b' }, 'invisible character'],
    ['letters that run backwards', { scope: 'news', name: 'a\u202eb' }, 'invisible character'],
    ['a NUL', { scope: 'news', name: 'a\0b' }, 'invisible character'],
  ])('with %s the form comes back with what is wrong', async (_name, fields, fault) => {
    const { person, accountId } = await signedIn(fixture);
    await person.get(NEW_KEY);
    const page = await person.post(NEW_KEY, fields);
    expect(page.status).toBe(400);
    expect(page.text).toContain(fault);
    expect(await keysOf(fixture, { id: accountId })).toEqual([]);
  });

  test.each([
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['" onfocus="alert(1)', '&quot; onfocus=&quot;alert(1)'],
    ["&amp; '</style>", '&amp;amp; &#39;&lt;/style&gt;'],
    ['名前 🗝', '名前 🗝'],
  ])('a naughty name (%s) is shown as it was typed, everywhere', async (name, escaped) => {
    const { person, accountId } = await signedIn(fixture);
    await person.get(NEW_KEY);
    const typed = await person.post(NEW_KEY, { name });
    expect(typed.text).toContain(`value="${escaped}"`);
    expect((await person.post(NEW_KEY, { name, scope: 'news' })).status).toBe(200);
    const [key] = await keysOf(fixture, { id: accountId });
    for (const path of [
      '/account',
      `/account/keys/${key?.id}/scopes`,
      `/account/keys/${key?.id}/revoke`,
    ]) {
      const page = await person.get(path);
      expect(page.text).toContain(`<bdi>${escaped}</bdi>`);
      expect(page.text).not.toMatch(/<script|onfocus="/);
    }
  });

  test('an account has at most 20 keys that work, however many are asked for at once', async () => {
    const { person, accountId } = await signedIn(fixture);
    for (let i = 0; i < 17; i++) {
      await fixture.access.accounts.issueKey({ accountId, origin: 'operator' });
    }
    await person.get(NEW_KEY);
    const pages = await Promise.all(
      Array.from({ length: 8 }, () => person.post(NEW_KEY, { scope: 'news' })),
    );
    const statuses = pages.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 200, 409, 409, 409, 409, 409]);
    expect(await keysOf(fixture, { id: accountId })).toHaveLength(20);
    const refused = pages.find(({ status }) => status === 409);
    expect(refused?.text).toContain('20 active keys');
    const [first] = await keysOf(fixture, { id: accountId });
    await person.post(`/account/keys/${first?.id}/revoke`);
    expect((await person.post(NEW_KEY, { scope: 'news' })).status).toBe(200);
  });

  test('is refused when the session ends while it waits, as by a revocation of the account', async () => {
    const { person, accountId } = await signedIn(fixture);
    await person.get(NEW_KEY);
    const sql = new pg.Client({ connectionString: fixture.access.databaseUrl });
    await sql.connect();
    await sql.query('BEGIN');
    await sql.query('SELECT FROM access.bucket WHERE id = $1 FOR UPDATE', [
      bucketOfAccount(accountId),
    ]);
    const answer = person.post(NEW_KEY, { scope: 'news' });
    await someoneWaits(sql);
    await fixture.access.sessions.endAll(accountId);
    await sql.query('COMMIT');
    await sql.end();
    expect((await answer).status).toBe(409);
    expect((await answer).text).toContain('You were signed out in the meantime.');
    expect(await keysOf(fixture, { id: accountId })).toEqual([]);
  });

  test('keys that have expired do not count', async () => {
    const { person, accountId } = await signedIn(fixture);
    for (let i = 0; i < 20; i++) {
      const wish = { accountId, origin: 'registration', expiresInSeconds: 1 } as const;
      await fixture.access.accounts.issueKey(wish);
    }
    await person.get(NEW_KEY);
    expect((await person.post(NEW_KEY, { scope: 'news' })).status).toBe(409);
    fixture.access.clock.advance(1_000);
    expect((await person.post(NEW_KEY, { scope: 'news' })).status).toBe(200);
  });

  test('at most 50 are made in a day, revoked or not', async () => {
    const { person, accountId } = await signedIn(fixture);
    for (let i = 0; i < 50; i++) {
      const wish = { accountId, origin: 'account_page' } as const;
      const { keyId } = await fixture.access.accounts.issueKey(wish);
      if (i > 0) await fixture.access.accounts.revokeKey(keyId);
    }
    await person.get(NEW_KEY);
    const refused = await person.post(NEW_KEY, { scope: 'news' });
    expect([refused.status, refused.text.includes('within a day')]).toEqual([409, true]);
    fixture.access.clock.advance(86_400_000);
    const { person: again } = await signedIn(fixture, await emailOf(accountId));
    await again.get(NEW_KEY);
    expect((await again.post(NEW_KEY, { scope: 'news' })).status).toBe(200);
  });
});

async function emailOf(accountId: string): Promise<{ email: string }> {
  const account = await fixture.access.history.findAccount({ id: accountId });
  return { email: account?.email ?? '' };
}

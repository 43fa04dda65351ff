// Tests docs/spec/authentication.md 2.4.
import { describe, expect, test } from '@jest/globals';
import { bucketOfAccount, SCOPES } from '@vcds/credentials';
import { RATE_CARD } from '@vcds/metering';
import { eventually } from '@vcds/test-kit';
import pg from 'pg';
import { keysOf, openFixture } from '../registration/fixture.ts';
import { NEW_KEY, scopesOf, withKey } from './key.ts';
import { keyOn, signedIn } from './person.ts';
import { textOf, viewOf } from './view.ts';

const fixture = await openFixture();

/** Resolves when a statement waits for a lock of the database. */
function lockWait(sql: pg.Client) {
  return eventually(async () => {
    // Within a transaction these statistics are cached.
    await sql.query('SELECT pg_stat_clear_snapshot()');
    const { rowCount } = await sql.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rowCount !== 0;
  });
}

describe('creating a key', () => {
  test('shows it once, with a copy button; it is valid and does not expire', async () => {
    const { person, accountId } = await signedIn(fixture);
    const page = await person.post(NEW_KEY, {
      name: '  weekly   report ',
      scope: ['news', 'signals'],
    });
    expect(page.status).toBe(200);
    const key = keyOn(page);
    expect(viewOf(page).all('[data-copy]').map(textOf)).toEqual([
      key,
      expect.stringContaining(`"X-Api-Key: ${key}"`),
    ]);
    const [record] = await keysOf(fixture, { id: accountId });
    expect(record).toMatchObject({ label: 'weekly report', origin: 'account_page' });
    expect(record?.expiresAt).toBeNull();
    expect(await scopesOf(fixture, key)).toEqual(['news', 'signals']);
    const home = await person.get('/account');
    expect(viewOf(home).all('h3').map(textOf)).toEqual(['weekly report']);
    expect(viewOf(home).facts).toContainEqual(['Permissions', 'News, Signals']);
    expect(home.text).not.toContain(key);
    expect(fixture.access.log()).not.toContain(key.slice(8));
  });

  test('the explorer opens with a key that expires after four hours and reads nothing but its records', async () => {
    const { person, accountId } = await signedIn(fixture);
    const answer = await person.post('/account/explore');
    const [, key = ''] =
      /^\/docs\/explore#key=(pk_live_\w+)$/.exec(String(answer.headers.location)) ?? [];
    expect([answer.status, answer.headers['cache-control']]).toEqual([303, 'no-store']);
    expect(await scopesOf(fixture, key)).toEqual(['categories', 'companies', 'rounds']);
    const [record] = await keysOf(fixture, { id: accountId });
    const lifetimeMs = Number(record?.expiresAt) - Number(record?.createdAt);
    expect([record?.label, Math.round(lifetimeMs / 3_600_000)]).toEqual(['Explore', 4]);
    expect(fixture.access.log()).not.toContain(key.slice(8));
    const reference = await person.post('/account/explore', { page: 'reference' });
    const opened = /^\/docs\/reference\/startups#key=(pk_live_\w+)$/;
    expect(String(reference.headers.location)).toMatch(opened);
    const foreign = await person.post('/account/explore', {}, { 'Sec-Fetch-Site': 'cross-site' });
    expect([foreign.status, (await keysOf(fixture, { id: accountId })).length]).toEqual([403, 2]);
  });

  test.each(SCOPES)(
    'with the permission %s alone, the call of "Try it" is allowed',
    async (scope) => {
      const { person } = await signedIn(fixture);
      const [, command = ''] = viewOf(await person.post(NEW_KEY, { scope }))
        .all('[data-copy]')
        .map(textOf);
      const path = /'[^']*(\/v2[^'?]*)[^']*'$/.exec(command)?.[1]?.slice('/v2'.length) ?? '';
      expect([scope, null]).toContain(RATE_CARD.find((row) => row.path === path)?.scope);
    },
  );

  test('with every box checked it has no list of scopes, and no name is needed', async () => {
    const { accountId, key } = await withKey(fixture);
    expect(await scopesOf(fixture, key)).toBeNull();
    const { person } = await signedIn(fixture);
    expect((await person.post(NEW_KEY, { scope: [...SCOPES], name: ' ' })).status).toBe(200);
    expect((await keysOf(fixture, { id: accountId })).map(({ isNarrowed }) => isNarrowed)).toEqual([
      false,
    ]);
  });

  test.each([
    ['no box checked', { scope: [] }, 'Select at least one permission'],
    ['an unknown scope', { scope: 'constructor' }, 'Select at least one permission'],
    ['a name too long', { scope: 'news', name: 'x'.repeat(61) }, 'at most 60 characters'],
    ['a control character', { scope: 'news', name: 'a\u0007b' }, 'invisible character'],
    ['a right-to-left override', { scope: 'news', name: 'a\u202eb' }, 'invisible character'],
    ['a NUL', { scope: 'news', name: 'a\0b' }, 'invisible character'],
  ])('with %s the form shows the error', async (_name, fields, fault) => {
    const { person, accountId } = await signedIn(fixture);
    const page = await person.post(NEW_KEY, fields);
    expect(page.status).toBe(400);
    expect(viewOf(page).text).toContain(fault);
    expect(await keysOf(fixture, { id: accountId })).toEqual([]);
  });

  test.each([
    ['<script>alert(1)</script>'],
    ['" onfocus="alert(1)'],
    ["&amp; '</style>"],
    ['名前 🗝'],
  ])('a name with special characters (%s) is shown as entered, everywhere', async (name) => {
    const { person, accountId } = await signedIn(fixture);
    const typed = await person.post(NEW_KEY, { name });
    expect(viewOf(typed).all('#name')[0]?.getAttribute('value')).toBe(name);
    expect((await person.post(NEW_KEY, { name, scope: 'news' })).status).toBe(200);
    const [key] = await keysOf(fixture, { id: accountId });
    for (const path of [
      '/account',
      `/account/keys/${key?.id}/scopes`,
      `/account/keys/${key?.id}/revoke`,
    ]) {
      const page = await person.get(path);
      expect(viewOf(page).text).toContain(name);
      expect(viewOf(page).all('script, [onfocus]')).toEqual([]);
    }
  });

  test('an account has at most 20 valid keys, however many are requested at once', async () => {
    const { person, accountId } = await signedIn(fixture);
    for (let i = 0; i < 17; i++) {
      await fixture.access.accounts.issueKey({ accountId, origin: 'operator' });
    }
    const pages = await Promise.all(
      Array.from({ length: 8 }, () => person.post(NEW_KEY, { scope: 'news' })),
    );
    const statuses = pages.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 200, 409, 409, 409, 409, 409]);
    expect(await keysOf(fixture, { id: accountId })).toHaveLength(20);
    const rejected = pages.find(({ status }) => status === 409);
    expect(rejected?.text).toContain('20 active keys');
    const [first] = await keysOf(fixture, { id: accountId });
    await person.post(`/account/keys/${first?.id}/revoke`);
    expect((await person.post(NEW_KEY, { scope: 'news' })).status).toBe(200);
  });

  test('fails if the session ends while it waits, as by a revocation of the account', async () => {
    const { person, accountId } = await signedIn(fixture);
    const sql = new pg.Client({ connectionString: fixture.access.databaseUrl });
    await sql.connect();
    await sql.query('BEGIN');
    await sql.query('SELECT FROM access.bucket WHERE id = $1 FOR UPDATE', [
      bucketOfAccount(accountId),
    ]);
    const answer = person.post(NEW_KEY, { scope: 'news' });
    await lockWait(sql);
    await sql.query(
      'UPDATE access.account SET session_generation = session_generation + 1 WHERE id = $1',
      [accountId],
    );
    await sql.query('COMMIT');
    await sql.end();
    expect((await answer).status).toBe(409);
    expect(await keysOf(fixture, { id: accountId })).toEqual([]);
  });

  test('does not count expired keys', async () => {
    const { person, accountId } = await signedIn(fixture);
    for (let i = 0; i < 20; i++) {
      const key = { accountId, origin: 'registration', expiresInSeconds: 1 } as const;
      await fixture.access.accounts.issueKey(key);
    }
    expect((await person.post(NEW_KEY, { scope: 'news' })).status).toBe(409);
    fixture.access.clock.advance(1_000);
    expect((await person.post(NEW_KEY, { scope: 'news' })).status).toBe(200);
  });

  test('is possible 50 times a day, including revoked keys', async () => {
    const { person, accountId } = await signedIn(fixture);
    for (let i = 0; i < 50; i++) {
      const key = { accountId, origin: 'account_page' } as const;
      const { keyId } = await fixture.access.accounts.issueKey(key);
      if (i > 0) await fixture.access.accounts.revokeKey(keyId);
    }
    expect((await person.post(NEW_KEY, { scope: 'news' })).status).toBe(409);
    fixture.access.clock.advance(86_400_000);
    const { person: again } = await signedIn(fixture, await emailOf(accountId));
    expect((await again.post(NEW_KEY, { scope: 'news' })).status).toBe(200);
  });
});

async function emailOf(accountId: string): Promise<{ email: string }> {
  const account = await fixture.access.history.findAccount({ id: accountId });
  return { email: account?.email ?? '' };
}

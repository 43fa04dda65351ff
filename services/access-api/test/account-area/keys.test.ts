import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type ApiKey,
  bucketOfAccount,
  digestOf,
  parseApiKey,
  SCOPES,
  type Scope,
} from '@vcds/credentials';
import pg from 'pg';
import { rebuild } from '../../src/store/rebuild.ts';
import { type Fixture, openFixture } from '../registration/fixture.ts';
import { keyOn, Person, signedIn } from './person.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const NEW = '/account/keys/new';
const keysOf = async (accountId: string) =>
  (await fixture.access.history.findAccount({ id: accountId }))?.keys ?? [];
/** What Redis lets a key do. */
const check = async (text: string) => {
  const key = parseApiKey(text);
  if (key === undefined) throw new Error('That is no key.');
  return fixture.access.keeper.check(digestOf(key));
};
const scopesOf = async (text: string) => {
  const answer = await check(text);
  return 'refused' in answer
    ? answer.refused
    : answer.principal.scopes && [...answer.principal.scopes];
};
async function withKey(scopes: readonly Scope[] = SCOPES) {
  const { person, accountId } = await signedIn(fixture);
  await person.get(NEW);
  const key = keyOn(await person.post(NEW, { name: 'mine', scope: scopes }));
  const [record] = await keysOf(accountId);
  const id = record?.id ?? '';
  return { person, accountId, key, id, path: `/account/keys/${id}` };
}

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
    await person.get(NEW);
    const page = await person.post(NEW, { name: '  weekly   report ', scope: ['news', 'signals'] });
    expect(page.status).toBe(200);
    const key = keyOn(page);
    expect(page.text).toMatch(new RegExp(`<input class="key"[^>]* readonly[^>]*\\nvalue="${key}"`));
    const [record] = await keysOf(accountId);
    expect(record).toMatchObject({ label: 'weekly report', origin: 'account_page' });
    expect(record?.expiresAt).toBeNull();
    expect(await scopesOf(key)).toEqual(['news', 'signals']);
    const home = await person.get('/account');
    expect(home.text).toContain('weekly report');
    expect(home.text).toContain('news, signals');
    expect(home.text).not.toContain(key);
    expect(fixture.log()).not.toContain(key.slice(8));
  });

  test('with every box ticked it reaches what the plan allows, and no name is needed', async () => {
    const { accountId, key } = await withKey();
    expect(await scopesOf(key)).toBeNull();
    const { person } = await signedIn(fixture);
    await person.get(NEW);
    expect((await person.post(NEW, { scope: [...SCOPES], name: ' ' })).status).toBe(200);
    expect((await keysOf(accountId)).map(({ isNarrowed }) => isNarrowed)).toEqual([false]);
  });

  test.each([
    ['no box ticked', { scope: [] }, 'Tick at least one box'],
    ['a scope there is none of', { scope: 'constructor' }, 'Tick at least one box'],
    ['a name too long', { scope: 'news', name: 'x'.repeat(61) }, '60 characters at most'],
    ['a control character', { scope: 'news', name: 'a\u0007b' }, 'cannot be seen'],
    ['letters that run backwards', { scope: 'news', name: 'a\u202eb' }, 'cannot be seen'],
    ['a NUL', { scope: 'news', name: 'a\0b' }, 'cannot be seen'],
  ])('with %s the form comes back with what is wrong', async (_name, fields, fault) => {
    const { person, accountId } = await signedIn(fixture);
    await person.get(NEW);
    const page = await person.post(NEW, fields);
    expect(page.status).toBe(400);
    expect(page.text).toContain(fault);
    expect(await keysOf(accountId)).toEqual([]);
  });

  test.each([
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['" onfocus="alert(1)', '&quot; onfocus=&quot;alert(1)'],
    ["&amp; '</style>", '&amp;amp; &#39;&lt;/style&gt;'],
    ['名前 🗝', '名前 🗝'],
  ])('a naughty name (%s) is shown as it was typed, everywhere', async (name, escaped) => {
    const { person, accountId } = await signedIn(fixture);
    await person.get(NEW);
    const typed = await person.post(NEW, { name });
    expect(typed.text).toContain(`value="${escaped}"`);
    expect((await person.post(NEW, { name, scope: 'news' })).status).toBe(200);
    const [key] = await keysOf(accountId);
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
    await person.get(NEW);
    const pages = await Promise.all(
      Array.from({ length: 8 }, () => person.post(NEW, { scope: 'news' })),
    );
    const statuses = pages.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 200, 409, 409, 409, 409, 409]);
    expect(await keysOf(accountId)).toHaveLength(20);
    const refused = pages.find(({ status }) => status === 409);
    expect(refused?.text).toContain('20 keys that work');
    const [first] = await keysOf(accountId);
    await person.post(`/account/keys/${first?.id}/revoke`);
    expect((await person.post(NEW, { scope: 'news' })).status).toBe(200);
  });

  test('is refused when the session ends while it waits, as by a revocation of the account', async () => {
    const { person, accountId } = await signedIn(fixture);
    await person.get(NEW);
    const sql = new pg.Client({ connectionString: fixture.access.databaseUrl });
    await sql.connect();
    await sql.query('BEGIN');
    await sql.query('SELECT FROM access.bucket WHERE id = $1 FOR UPDATE', [
      bucketOfAccount(accountId),
    ]);
    const answer = person.post(NEW, { scope: 'news' });
    await someoneWaits(sql);
    await fixture.access.sessions.endAll(accountId);
    await sql.query('COMMIT');
    await sql.end();
    expect((await answer).status).toBe(409);
    expect((await answer).text).toContain('You were signed out meanwhile.');
    expect(await keysOf(accountId)).toEqual([]);
  });

  test('keys that have expired do not count', async () => {
    const { person, accountId } = await signedIn(fixture);
    for (let i = 0; i < 20; i++) {
      const wish = { accountId, origin: 'registration', expiresInSeconds: 1 } as const;
      await fixture.access.accounts.issueKey(wish);
    }
    await person.get(NEW);
    expect((await person.post(NEW, { scope: 'news' })).status).toBe(409);
    fixture.access.clock.advance(1_000);
    expect((await person.post(NEW, { scope: 'news' })).status).toBe(200);
  });

  test('at most 50 are made in a day, revoked or not', async () => {
    const { person, accountId } = await signedIn(fixture);
    for (let i = 0; i < 50; i++) {
      const wish = { accountId, origin: 'account_page' } as const;
      const { keyId } = await fixture.access.accounts.issueKey(wish);
      if (i > 0) await fixture.access.accounts.revokeKey(keyId);
    }
    await person.get(NEW);
    const refused = await person.post(NEW, { scope: 'news' });
    expect([refused.status, refused.text.includes('within a day')]).toEqual([409, true]);
    fixture.access.clock.advance(86_400_000);
    const { person: again } = await signedIn(fixture, await emailOf(accountId));
    await again.get(NEW);
    expect((await again.post(NEW, { scope: 'news' })).status).toBe(200);
  });
});

describe('narrowing a key', () => {
  test('takes scopes away, at once, and says so', async () => {
    const { person, key, path } = await withKey();
    const form = await person.get(`${path}/scopes`);
    expect(form.text.match(/type="checkbox"/g)).toHaveLength(SCOPES.length);
    const answer = await person.post(`${path}/scopes`, { scope: ['news', 'rounds'] });
    expect([answer.status, answer.headers.location]).toEqual([303, '/account?done=narrowed']);
    expect(await scopesOf(key)).toEqual(['rounds', 'news']);
    expect((await person.get('/account?done=narrowed')).text).toContain('The key is narrowed.');
    const less = await person.get(`${path}/scopes`);
    expect(less.text.match(/type="checkbox"/g)).toHaveLength(2);
  });

  test.each([
    ['a scope it does not have', ['news', 'people']],
    ['everything again', SCOPES],
    ['nothing', []],
  ])('to %s is 400 and leaves it as it is: a key is never widened', async (_name, scope) => {
    const { person, key, path } = await withKey(['news', 'rounds']);
    expect((await person.post(`${path}/scopes`, { scope })).status).toBe(400);
    expect(await scopesOf(key)).toEqual(['rounds', 'news']);
  });

  test('to what it has changes nothing, and a key that reaches everything stays one', async () => {
    const { person, accountId, key, path } = await withKey();
    const before = await fixture.access.history.snapshot(accountId);
    const answer = await person.post(`${path}/scopes`, { scope: SCOPES });
    expect(answer.headers.location).toBe('/account?done=unchanged');
    expect(await scopesOf(key)).toBeNull();
    expect(await fixture.access.history.snapshot(accountId)).toEqual(before);
  });

  test('from two sides at once leaves no more than both allow', async () => {
    const { person, key, path } = await withKey();
    const wishes = [
      ['news', 'rounds'],
      ['news', 'people'],
    ];
    const answers = await Promise.all(
      wishes.map((scope) => person.post(`${path}/scopes`, { scope })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400]);
    const won = wishes[answers.findIndex(({ status }) => status === 303)] ?? [];
    expect(new Set(await scopesOf(key))).toEqual(new Set(won));
  });

  test('is in the journal, with what it was and what it is', async () => {
    const { person, accountId, id, path } = await withKey(['news', 'rounds']);
    await person.post(`${path}/scopes`, { scope: 'news' });
    const events = await fixture.access.database.event.findMany({
      where: { accountId, kind: 'key_narrowed' },
    });
    expect(events.map(({ keyId, detail }) => [keyId, detail])).toEqual([
      [id, { from: ['rounds', 'news'], to: ['news'] }],
    ]);
  });
});

describe('revoking a key', () => {
  test('is asked about first, and takes effect at once', async () => {
    const { person, key, path } = await withKey();
    const question = await person.get(`${path}/revoke`);
    expect(question.text).toContain('<h1>Revoke this key?</h1>');
    expect(await scopesOf(key)).toBeNull();
    const answer = await person.post(`${path}/revoke`);
    expect([answer.status, answer.headers.location]).toEqual([303, '/account?done=revoked']);
    expect(await check(key)).toEqual({ refused: 'revoked' });
    expect((await person.get('/account')).text).toContain('<span class="state revoked">Revoked');
  });

  test('twice is once; nothing more can be done to it then', async () => {
    const { person, path } = await withKey();
    for (let i = 0; i < 2; i++) expect((await person.post(`${path}/revoke`)).status).toBe(303);
    for (const action of ['scopes', 'revoke']) {
      expect((await person.get(`${path}/${action}`)).status).toBe(409);
    }
    expect((await person.post(`${path}/scopes`, { scope: 'news' })).status).toBe(409);
  });
});

test('nobody reaches a key of another account, or one there is none of', async () => {
  const { key, id } = await withKey();
  const { person: stranger } = await signedIn(fixture);
  for (const keyId of [id, '00000000-0000-4000-8000-000000000000', 'x', `${id}%20`]) {
    for (const action of ['scopes', 'revoke']) {
      const path = `/account/keys/${keyId}/${action}`;
      expect((await stranger.get(path)).status).toBe(404);
      await stranger.get(NEW);
      expect((await stranger.post(path, { scope: 'news' })).status).toBe(404);
    }
  }
  expect(await scopesOf(key)).toBeNull();
});

test('what was done here survives a Redis that is wiped; sessions do not', async () => {
  const own = await openFixture();
  try {
    const { person, accountId } = await signedIn(own);
    await person.get(NEW);
    const make = async (): Promise<ApiKey> => {
      const key = parseApiKey(keyOn(await person.post(NEW, { scope: SCOPES })));
      if (key === undefined) throw new Error('The page shows no well-formed key.');
      return key;
    };
    const keys = [await make(), await make(), await make()];
    const { keeper, history, redis, clock } = own.access;
    const [narrowId, , goneId] = await Promise.all(
      keys.map(async (key) => (await history.findKey({ digest: digestOf(key) }))?.id),
    );
    await person.post(`/account/keys/${narrowId}/scopes`, { scope: 'news' });
    await person.post(`/account/keys/${goneId}/revoke`);
    const expectIntact = async (): Promise<void> => {
      const checks = await Promise.all(keys.map((key) => keeper.check(digestOf(key))));
      expect(checks).toMatchObject([
        { principal: { accountId, scopes: new Set(['news']) } },
        { principal: { accountId, scopes: null } },
        { refused: 'revoked' },
      ]);
    };
    await expectIntact();
    await redis.flushdb();
    await expectIntact();
    expect((await person.get('/account')).text).toContain('<h1>Sign in</h1>');
    await redis.flushdb();
    await rebuild(redis, history, clock);
    await expectIntact();
  } finally {
    await own.close();
  }
});

test('the list of keys comes in pages, those that work first', async () => {
  const { person, accountId } = await signedIn(fixture);
  for (let i = 0; i < 25; i++) {
    const wish = { accountId, origin: 'registration', label: `number ${i}.` } as const;
    const { keyId } = await fixture.access.accounts.issueKey(wish);
    if (i >= 15) await fixture.access.accounts.revokeKey(keyId);
    fixture.access.clock.advance(1_000);
  }
  const pages = [await person.get('/account'), await person.get('/account?page=2')];
  const [first = [], second = []] = pages.map(({ text }) => text.match(/number \d+\.(?=<\/bdi>)/g));
  const names = (from: number, to: number) =>
    Array.from({ length: from - to + 1 }, (_, i) => `number ${from - i}.`);
  expect(first).toEqual([...names(14, 0), ...names(24, 20)]);
  expect(second).toEqual(names(19, 15));
  expect(pages[0]?.text).toContain('Page 1 of 2');
  for (const page of ['0', '3', 'x', '-1', '1e9']) {
    expect((await person.get(`/account?page=${page}`)).status).toBe(404);
  }
});

test('pages are there for people who are signed out too', async () => {
  const page = await new Person(fixture.app).get('/account/no/such/place');
  expect(page.status).toBe(404);
  expect(page.text).toContain('<h1>There is nothing here</h1>');
});

async function emailOf(accountId: string): Promise<{ email: string }> {
  const account = await fixture.access.history.findAccount({ id: accountId });
  return { email: account?.email ?? '' };
}

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiKey, digestOf, parseApiKey, SCOPES } from '@vcds/credentials';
import { rebuild } from '../../src/store/rebuild.ts';
import { type Fixture, openFixture } from '../registration/fixture.ts';
import { check, NEW_KEY, scopesOf, withKey } from './key.ts';
import { keyOn, Person, signedIn } from './person.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

describe('narrowing a key', () => {
  test('takes scopes away, at once, and says so', async () => {
    const { person, key, path } = await withKey(fixture);
    const form = await person.get(`${path}/scopes`);
    expect(form.text.match(/type="checkbox"/g)).toHaveLength(SCOPES.length);
    const answer = await person.post(`${path}/scopes`, { scope: ['news', 'rounds'] });
    expect([answer.status, answer.headers.location]).toEqual([303, '/account?done=narrowed']);
    expect(await scopesOf(fixture, key)).toEqual(['rounds', 'news']);
    expect((await person.get('/account?done=narrowed')).text).toContain('Key permissions updated.');
    const less = await person.get(`${path}/scopes`);
    expect(less.text.match(/type="checkbox"/g)).toHaveLength(2);
  });

  test.each([
    ['a scope it does not have', ['news', 'people']],
    ['everything again', SCOPES],
    ['nothing', []],
  ])('to %s is 400 and leaves it as it is: a key is never widened', async (_name, scope) => {
    const { person, key, path } = await withKey(fixture, ['news', 'rounds']);
    expect((await person.post(`${path}/scopes`, { scope })).status).toBe(400);
    expect(await scopesOf(fixture, key)).toEqual(['rounds', 'news']);
  });

  test('to what it has changes nothing, and a key that reaches everything stays one', async () => {
    const { person, accountId, key, path } = await withKey(fixture);
    const before = await fixture.access.history.snapshot(accountId);
    const answer = await person.post(`${path}/scopes`, { scope: SCOPES });
    expect(answer.headers.location).toBe('/account?done=unchanged');
    expect(await scopesOf(fixture, key)).toBeNull();
    expect(await fixture.access.history.snapshot(accountId)).toEqual(before);
  });

  test('from two sides at once leaves no more than both allow', async () => {
    const { person, key, path } = await withKey(fixture);
    const wishes = [
      ['news', 'rounds'],
      ['news', 'people'],
    ];
    const answers = await Promise.all(
      wishes.map((scope) => person.post(`${path}/scopes`, { scope })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400]);
    const won = wishes[answers.findIndex(({ status }) => status === 303)] ?? [];
    expect(new Set(await scopesOf(fixture, key))).toEqual(new Set(won));
  });

  test('is in the journal, with what it was and what it is', async () => {
    const { person, accountId, id, path } = await withKey(fixture, ['news', 'rounds']);
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
    const { person, key, path } = await withKey(fixture);
    const question = await person.get(`${path}/revoke`);
    expect(question.text).toContain('<h1>Revoke this key?</h1>');
    expect(await scopesOf(fixture, key)).toBeNull();
    const answer = await person.post(`${path}/revoke`);
    expect([answer.status, answer.headers.location]).toEqual([303, '/account?done=revoked']);
    expect(await check(fixture, key)).toEqual({ rejected: 'revoked' });
    expect((await person.get('/account')).text).toContain('<span class="state revoked">Revoked');
  });

  test('twice is once; nothing more can be done to it then', async () => {
    const { person, path } = await withKey(fixture);
    for (let i = 0; i < 2; i++) expect((await person.post(`${path}/revoke`)).status).toBe(303);
    for (const action of ['scopes', 'revoke']) {
      expect((await person.get(`${path}/${action}`)).status).toBe(409);
    }
    expect((await person.post(`${path}/scopes`, { scope: 'news' })).status).toBe(409);
  });
});

test('nobody reaches a key of another account, or one there is none of', async () => {
  const { key, id } = await withKey(fixture);
  const { person: stranger } = await signedIn(fixture);
  for (const keyId of [id, '00000000-0000-4000-8000-000000000000', 'x', `${id}%20`]) {
    for (const action of ['scopes', 'revoke']) {
      const path = `/account/keys/${keyId}/${action}`;
      expect((await stranger.get(path)).status).toBe(404);
      await stranger.get(NEW_KEY);
      expect((await stranger.post(path, { scope: 'news' })).status).toBe(404);
    }
  }
  expect(await scopesOf(fixture, key)).toBeNull();
});

test('what was done here survives a Redis that is wiped; sessions do not', async () => {
  const own = await openFixture();
  try {
    const { person, accountId } = await signedIn(own);
    await person.get(NEW_KEY);
    const make = async (): Promise<ApiKey> => {
      const key = parseApiKey(keyOn(await person.post(NEW_KEY, { scope: SCOPES })));
      if (key === undefined) throw new Error('The page shows no well-formed key.');
      return key;
    };
    const keys = [await make(), await make(), await make()];
    const { guard, history, redis, clock } = own.access;
    const [narrowId, , goneId] = await Promise.all(
      keys.map(async (key) => (await history.findKey({ digest: digestOf(key) }))?.id),
    );
    await person.post(`/account/keys/${narrowId}/scopes`, { scope: 'news' });
    await person.post(`/account/keys/${goneId}/revoke`);
    const expectIntact = async (): Promise<void> => {
      const checks = await Promise.all(keys.map((key) => guard.check(digestOf(key))));
      expect(checks).toMatchObject([
        { principal: { accountId, scopes: new Set(['news']) } },
        { principal: { accountId, scopes: null } },
        { rejected: 'revoked' },
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
  expect(page.text).toContain('<h1>Page not found</h1>');
});

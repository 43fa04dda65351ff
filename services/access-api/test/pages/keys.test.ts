// Tests docs/spec/plans.md 13.3.
import { describe, expect, test } from '@jest/globals';
import { SCOPES } from '@vcds/credentials';
import { charge } from '../credits/spending.ts';
import { keysOf, openFixture } from '../registration/fixture.ts';
import { check, NEW_KEY, scopesOf, withKey } from './key.ts';
import { keyOn, Person, signedIn } from './person.ts';
import { textOf, viewOf } from './view.ts';

const fixture = await openFixture();

describe('narrowing a key', () => {
  test('removes scopes at once, and confirms it', async () => {
    const { person, key, path } = await withKey(fixture);
    const form = await person.get(`${path}/scopes`);
    expect(viewOf(form).all('input[type="checkbox"]')).toHaveLength(SCOPES.length);
    const answer = await person.post(`${path}/scopes`, { scope: ['news', 'rounds'] });
    expect([answer.status, answer.headers.location]).toEqual([303, '/account?done=narrowed']);
    expect(await scopesOf(fixture, key)).toEqual(['rounds', 'news']);
    expect(viewOf(await person.get('/account?done=narrowed')).all('[role="status"]')).toHaveLength(
      1,
    );
    const less = await person.get(`${path}/scopes`);
    expect(viewOf(less).all('input[type="checkbox"]')).toHaveLength(2);
  });

  test.each([
    ['a scope it does not have', ['news', 'people']],
    ['everything again', SCOPES],
    ['nothing', []],
  ])('to %s is 400 and changes nothing: a key never gains scopes', async (_name, scope) => {
    const { person, key, path } = await withKey(fixture, ['news', 'rounds']);
    expect((await person.post(`${path}/scopes`, { scope })).status).toBe(400);
    expect(await scopesOf(fixture, key)).toEqual(['rounds', 'news']);
  });

  test('to the scopes it has changes nothing, and an unrestricted key stays unrestricted', async () => {
    const { person, accountId, key, path } = await withKey(fixture);
    const before = await fixture.access.history.snapshot(accountId);
    const answer = await person.post(`${path}/scopes`, { scope: SCOPES });
    expect(answer.headers.location).toBe('/account?done=unchanged');
    expect(await scopesOf(fixture, key)).toBeNull();
    expect(await fixture.access.history.snapshot(accountId)).toEqual(before);
  });

  test('by two requests at once leaves the scopes that one of them allows', async () => {
    const { person, key, path } = await withKey(fixture);
    const requests = [
      ['news', 'rounds'],
      ['news', 'people'],
    ];
    const answers = await Promise.all(
      requests.map((scope) => person.post(`${path}/scopes`, { scope })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400]);
    const won = requests[answers.findIndex(({ status }) => status === 303)] ?? [];
    expect(new Set(await scopesOf(fixture, key))).toEqual(new Set(won));
  });

  test('is in the journal, with the old and the new scopes', async () => {
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

describe('the monthly limit of a key', () => {
  const limitOf = async (key: string) => {
    const answer = await check(fixture, key);
    return 'rejected' in answer ? answer.rejected : answer.principal.creditLimit;
  };

  test('is set when the key is created, changed and removed at once, and shown with its use', async () => {
    const { person, accountId } = await signedIn(fixture);
    const key = keyOn(await person.post(NEW_KEY, { limit: '300', scope: SCOPES }));
    const [{ id = '' } = {}] = await keysOf(fixture, { id: accountId });
    expect(await limitOf(key)).toBe(300);
    await charge(fixture.access.ledger, { account: accountId, keyId: id, amount: 7, limit: 500 });
    const shown = async () => new Map(viewOf(await person.get('/account')).facts);
    expect((await shown()).get('Monthly limit')).toBe('300 credits a month, 7 used');
    const path = `/account/keys/${id}/limit`;
    const form = viewOf(await person.get(path));
    expect(form.all('#limit')[0]?.getAttribute('value')).toBe('300');
    const answer = await person.post(path, { limit: '1000' });
    expect([answer.status, answer.headers.location]).toEqual([303, '/account?done=limited']);
    expect(await limitOf(key)).toBe(1_000);
    await person.post(path, { limit: '' });
    expect(await limitOf(key)).toBeNull();
    expect((await shown()).get('Monthly limit')).toBe('None');
  });

  test.each(['0', '-5', '1.5', '1,5', '1e3', '1000000001', 'many'])(
    'of %s is 400, and changes nothing',
    async (limit) => {
      const { person, key, path } = await withKey(fixture);
      expect((await person.post(`${path}/limit`, { limit })).status).toBe(400);
      expect(await limitOf(key)).toBeNull();
      expect((await person.post(NEW_KEY, { limit, scope: SCOPES })).status).toBe(400);
    },
  );
});

describe('revoking a key', () => {
  test('needs a confirmation, and takes effect at once', async () => {
    const { person, key, path } = await withKey(fixture);
    expect((await person.get(`${path}/revoke`)).status).toBe(200);
    expect(await scopesOf(fixture, key)).toBeNull();
    const answer = await person.post(`${path}/revoke`);
    expect([answer.status, answer.headers.location]).toEqual([303, '/account?done=revoked']);
    expect(await check(fixture, key)).toEqual({ rejected: 'revoked' });
    const { facts } = viewOf(await person.get('/account'));
    expect(facts.map(([term]) => term)).toContain('Revoked');
  });

  test('is idempotent; a revoked key cannot be changed', async () => {
    const { person, path } = await withKey(fixture);
    for (let i = 0; i < 2; i++) expect((await person.post(`${path}/revoke`)).status).toBe(303);
    for (const action of ['scopes', 'limit', 'revoke']) {
      expect((await person.get(`${path}/${action}`)).status).toBe(409);
    }
    expect((await person.post(`${path}/scopes`, { scope: 'news' })).status).toBe(409);
  });
});

test('a key of another account is 404, like an unknown key', async () => {
  const { key, id } = await withKey(fixture);
  const { person: other } = await signedIn(fixture);
  for (const keyId of [id, '00000000-0000-4000-8000-000000000000', 'x', `${id}%20`]) {
    for (const action of ['scopes', 'limit', 'revoke']) {
      const path = `/account/keys/${keyId}/${action}`;
      expect((await other.get(path)).status).toBe(404);
      expect((await other.post(path, { scope: 'news' })).status).toBe(404);
    }
  }
  expect(await scopesOf(fixture, key)).toBeNull();
});

test('the list of keys has pages, active keys first', async () => {
  const { person, accountId } = await signedIn(fixture);
  for (let i = 0; i < 25; i++) {
    const key = { accountId, origin: 'registration', label: `number ${i}.` } as const;
    const { keyId } = await fixture.access.accounts.issueKey(key);
    if (i >= 15) await fixture.access.accounts.revokeKey(keyId);
    fixture.access.clock.advance(1_000);
  }
  const pages = [await person.get('/account'), await person.get('/account?page=2')];
  const [first, second] = pages.map((page) => viewOf(page).all('h3').map(textOf));
  const names = (from: number, to: number) =>
    Array.from({ length: from - to + 1 }, (_, i) => `number ${from - i}.`);
  expect(first).toEqual([...names(14, 0), ...names(24, 20)]);
  expect(second).toEqual(names(19, 15));
  expect(pages.map((page) => viewOf(page).next)).toEqual(['/account?page=2', undefined]);
  for (const page of ['0', '3', 'x', '-1', '1e9']) {
    expect((await person.get(`/account?page=${page}`)).status).toBe(404);
  }
});

test('unknown paths are a 404 page, also for signed-out users', async () => {
  const page = await new Person(fixture.app).get('/account/no/such/place');
  expect(page.status).toBe(404);
  expect(page.headers['content-type']).toContain('text/html');
});

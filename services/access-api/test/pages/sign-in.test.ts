// Tests docs/spec/addresses.md 1.3.
// Tests docs/spec/registration.md 3.8.
import { describe, expect, test } from '@jest/globals';
import { eventually } from '@vcds/test-kit';
import pg from 'pg';
import { revokeAccount } from '../../src/admin/revoke-account.ts';
import { mailOf, newAddress, open, openFixture, register } from '../registration/fixture.ts';
import { Person, setCookies, signedIn } from './person.ts';
import { viewOf } from './view.ts';

const fixture = await openFixture({
  blockedDomains: ['throwaway.example.com'],
  environment: { SUPPORT_EMAIL: 'help@example.com' },
});

const ask = async (email: string, person = new Person(fixture.app)) => {
  return person.post('/account/sign-in', { email });
};
const queuedSoon = (count: number) => eventually(() => fixture.access.queued.length >= count);

describe('the sign-in form', () => {
  test('is at /account for signed-out users', async () => {
    const page = await new Person(fixture.app).get('/account');
    expect(page.status).toBe(200);
    const { hasSignInForm, isSignedIn } = viewOf(page);
    expect([hasSignInForm, isSignedIn]).toEqual([true, false]);
  });

  test('sends the message of a registration, whose link signs in', async () => {
    const email = newAddress();
    const before = fixture.access.queued.length;
    const person = new Person(fixture.app);
    const answer = await ask(email, person);
    expect(answer.status).toBe(202);
    expect(answer.text).toContain(email);
    await queuedSoon(before + 1);
    const mail = await mailOf(fixture, fixture.access.queued[before] ?? '');
    expect(mail.to).toBe(email);
    const path = new URL(mail.linkUrl).pathname;
    await person.post(path);
    expect(viewOf(await person.get('/account')).text).toContain(email);
  });

  test('has the same response for an address with an account, a rejected one, and one over its limit', async () => {
    const known = newAddress();
    await fixture.access.accounts.create({ email: known, plan: 'free' });
    const fresh = newAddress();
    const said = async (email: string): Promise<unknown> => {
      const { status, text, headers } = await ask(email);
      return [status, Object.keys(headers).sort(), text.replaceAll(email, '')];
    };
    const answer = await said(known);
    expect(await said(fresh)).toEqual(answer);
    expect(await said('person@throwaway.example.com')).toEqual(answer);
    for (let i = 0; i < 3; i++) await said(known);
    expect(await said(known)).toEqual(answer);
  });

  test('counts against the limits of registration: three an hour for an address', async () => {
    const email = newAddress();
    for (let i = 0; i < 2; i++) expect((await register(fixture, email)).body.status).toBe('sent');
    const before = fixture.access.queued.length;
    await ask(email);
    await queuedSoon(before + 1);
    expect((await ask(email)).status).toBe(202);
    expect((await register(fixture, email)).body.status).toBe('accepted');
    expect(fixture.access.queued).toHaveLength(before + 1);
  });

  test('counts 20 an hour for a network, and then shows how long to wait', async () => {
    const person = new Person(fixture.app);
    for (let i = 0; i < 20; i++) expect((await ask(newAddress(), person)).status).toBe(202);
    const answer = await ask(newAddress(), person);
    expect(answer.status).toBe(429);
    expect(answer.headers['retry-after']).toBe('3600');
    expect(viewOf(answer).text).toContain('60 minutes');
  });

  test.each([
    ['nothing', ''],
    ['an invalid address', 'ada at example.com'],
    ['mark-up', '"><script>alert(1)</script>@example.com'],
  ])('%s is 400 on the same form, which keeps the input', async (_name, email) => {
    const before = fixture.access.queued.length;
    const page = await ask(email);
    expect(page.status).toBe(400);
    const [input] = viewOf(page).all('#email[aria-invalid]');
    expect(input?.getAttribute('value')).toBe(email);
    expect(viewOf(page).all('script')).toEqual([]);
    expect(fixture.access.queued).toHaveLength(before);
  });

  test.each([
    ['JSON', 'application/json', '{"email":"a@example.com"}', 415],
    ['a form above 16 KiB', 'application/x-www-form-urlencoded', 'x'.repeat(17_000), 413],
    ['a form that is not UTF-8', 'application/x-www-form-urlencoded', '\xff', 400],
  ])('%s is rejected with a page', async (_name, type, body, status) => {
    const person = new Person(fixture.app);
    const answer = await person.send('/account/sign-in', type, Buffer.from(body, 'latin1'));
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toContain('text/html');
  });

  test('the paths of forms redirect GET to the account', async () => {
    for (const path of ['/account/sign-in', '/account/sign-out']) {
      const answer = await new Person(fixture.app).get(path);
      expect([answer.status, answer.headers.location]).toEqual([303, '/account']);
    }
  });
});

describe('a session', () => {
  const isIn = async (person: Person): Promise<boolean> =>
    viewOf(await person.get('/account')).isSignedIn;

  test('is 32 random bytes in a cookie that is not for scripts, other sites or plain HTTP', async () => {
    const { landing, person } = await signedIn(fixture);
    const [cookie = ''] = setCookies(landing).filter((text) => text.includes('session'));
    expect(cookie).toMatch(
      /^__Host-vcds-session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(await isIn(person)).toBe(true);
  });

  test('is in Redis as a digest only, for twelve hours', async () => {
    const { person } = await signedIn(fixture);
    const token = person.cookies.get('__Host-vcds-session') ?? '';
    const names = await fixture.access.redis.keys('session:*');
    expect(names.join()).not.toContain(token);
    for (const name of names) {
      expect(name).toMatch(/^session:[0-9a-f]{64}$/);
      expect(await fixture.access.redis.get(name)).not.toContain(token);
      expect(await fixture.access.redis.ttl(name)).toBeLessThanOrEqual(43_200);
    }
    fixture.access.clock.advance(43_199_999);
    expect(await isIn(person)).toBe(true);
    fixture.access.clock.advance(1);
    expect(await isIn(person)).toBe(false);
    const { person: other } = await signedIn(fixture);
    await fixture.access.redis.del(await fixture.access.redis.keys('session:*'));
    expect(await isIn(other)).toBe(false);
  });

  test('that has ended is useless: a form is 401 and changes nothing', async () => {
    const { person, accountId } = await signedIn(fixture);
    fixture.access.clock.advance(43_200_000);
    const answer = await person.post('/account/keys/new', { scope: 'news' });
    expect(answer.status).toBe(401);
    expect(viewOf(answer).hasSignInForm).toBe(true);
    expect((await fixture.access.history.findAccount({ id: accountId }))?.keys).toEqual([]);
  });

  test.each(['/account/usage', '/account/usage/charges', '/account/keys/new'])(
    'is required for %s: 401 with the sign-in form',
    async (path) => {
      const page = await new Person(fixture.app).get(path);
      expect(page.status).toBe(401);
      expect(viewOf(page).hasSignInForm).toBe(true);
    },
  );

  test('ends with the sign-out, also for a copy of the cookie', async () => {
    const { person } = await signedIn(fixture);
    const thief = new Person(fixture.app);
    for (const [name, value] of person.cookies) thief.cookies.set(name, value);
    expect(await isIn(thief)).toBe(true);
    const answer = await person.post('/account/sign-out');
    expect([answer.status, answer.headers.location]).toEqual([303, '/account']);
    expect(person.cookies.has('__Host-vcds-session')).toBe(false);
    expect(await isIn(thief)).toBe(false);
  });

  test('ends with the sign-out while PostgreSQL does not respond', async () => {
    const { person } = await signedIn(fixture);
    const thief = new Person(fixture.app);
    for (const [name, value] of person.cookies) thief.cookies.set(name, value);
    const sql = new pg.Client({ connectionString: fixture.access.databaseUrl });
    await sql.connect();
    try {
      await sql.query('BEGIN; LOCK TABLE access.account');
      expect((await person.post('/account/sign-out')).status).toBe(303);
    } finally {
      await sql.end();
    }
    expect(await isIn(thief)).toBe(false);
  });

  test('ends when the operator revokes the account, and creates no more keys', async () => {
    const { person, accountId, email } = await signedIn(fixture);
    const { person: other } = await signedIn(fixture);
    expect(await revokeAccount(fixture.access, accountId)).toBe(0);
    expect((await person.post('/account/keys/new', { scope: 'news' })).status).toBe(401);
    expect((await fixture.access.history.findAccount({ email }))?.keys).toEqual([]);
    expect(await isIn(other)).toBe(true);
    fixture.access.clock.advance(1);
    expect(await isIn((await signedIn(fixture, { email })).person)).toBe(true);
  });

  test('stays ended if Redis loses its last writes after the account is revoked', async () => {
    const { redis } = fixture.access;
    const { person, accountId } = await signedIn(fixture);
    const names = await redis.keys('session*');
    const values = await redis.mget(names);
    await revokeAccount(fixture.access, accountId);
    const written = await redis.keys('session*');
    if (written.length > 0) await redis.del(written);
    for (const [i, name] of names.entries()) await redis.set(name, values[i] ?? '');
    expect(await isIn(person)).toBe(false);
  });

  test('is always new, against fixation, and replaces the previous one', async () => {
    const planted = 'A'.repeat(43);
    const { person: first } = await signedIn(fixture);
    const old = first.cookies.get('__Host-vcds-session') ?? '';
    const { path, email } = await mailedLink();
    await first.post(path, { key: 'none' });
    expect(first.cookies.get('__Host-vcds-session')).not.toBe(old);
    expect(viewOf(await first.get('/account')).text).toContain(email);
    const other = new Person(fixture.app);
    other.cookies.set('__Host-vcds-session', old);
    expect(await isIn(other)).toBe(false);
    other.cookies.set('__Host-vcds-session', planted);
    const next = await mailedLink();
    await other.post(next.path, { key: 'none' });
    expect(other.cookies.get('__Host-vcds-session')).not.toBe(planted);
    expect(await isIn(other)).toBe(true);
  });

  test('is ignored if its cookie occurs twice or is malformed', async () => {
    const { person } = await signedIn(fixture);
    const token = person.cookies.get('__Host-vcds-session') ?? '';
    for (const cookie of [
      `__Host-vcds-session=${token}; __Host-vcds-session=${'B'.repeat(43)}`,
      `vcds-session=${token}`,
      `__Host-vcds-session=${token}x`,
      `__Host-vcds-session=*`,
    ]) {
      const page = await new Person(fixture.app).get('/account', { Cookie: cookie });
      expect(viewOf(page).hasSignInForm).toBe(true);
    }
  });
});

const OURS = 'https://access.example.com';

describe('a form', () => {
  test.each<[string, Record<string, string>]>([
    ['from our own page', { 'Sec-Fetch-Site': 'same-origin', Origin: OURS }],
    [
      'from our own page that hides its origin',
      { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' },
    ],
    ['from our own page, in a browser without Sec-Fetch-Site', { Origin: OURS }],
  ])('%s is accepted', async (_name, headers) => {
    const { person } = await signedIn(fixture);
    const answer = await person.post('/account/keys/new', { scope: 'news' }, headers);
    expect(answer.status).toBe(200);
  });

  test.each<[string, Record<string, string>]>([
    ['from another site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example.com' }],
    ['from a sandboxed frame', { 'Sec-Fetch-Site': 'cross-site', Origin: 'null' }],
    ['from a neighbouring host', { 'Sec-Fetch-Site': 'same-site' }],
    ['from no page', { 'Sec-Fetch-Site': 'none' }],
    ['with an unknown Sec-Fetch-Site', { 'Sec-Fetch-Site': 'same-origin, cross-site' }],
    ['from another site, with our origin', { 'Sec-Fetch-Site': 'cross-site', Origin: OURS }],
    ['from another origin', { Origin: 'https://evil.example.com' }],
    ['from a host that begins with our name', { Origin: `${OURS}.evil.test` }],
    ['from our host over plain HTTP', { Origin: 'http://access.example.com' }],
    ['from another port of our host', { Origin: `${OURS}:8443` }],
    ['from the Host of the request', { Origin: 'http://other.test:81', Host: 'other.test:81' }],
    ['with a hidden origin', { Origin: 'null' }],
    ['without both headers', {}],
  ])('%s is 403 and changes nothing, signed in or not', async (_name, headers) => {
    const { person, accountId } = await signedIn(fixture);
    const answer = await person.post('/account/keys/new', { scope: 'news' }, headers);
    expect(answer.status).toBe(403);
    expect((await fixture.access.history.findAccount({ id: accountId }))?.keys).toEqual([]);
    // Login CSRF: a form of another site neither signs in nor sends mail.
    const victim = new Person(fixture.app);
    const { path, email } = await mailedLink();
    const queued = fixture.access.queued.length;
    expect((await victim.post(path, { key: 'none' }, headers)).status).toBe(403);
    expect((await victim.post('/account/sign-in', { email }, headers)).status).toBe(403);
    expect(victim.cookies.size).toBe(0);
    expect(fixture.access.queued).toHaveLength(queued);
    expect((await victim.post(path, { key: 'none' })).status).toBe(303);
  });

  test('of a page that another site opened is accepted, with the session of the cookie', async () => {
    const { person } = await signedIn(fixture);
    const foreign = { 'Sec-Fetch-Site': 'cross-site' };
    expect((await person.get('/account/keys/new', foreign)).status).toBe(200);
    const { path } = await mailedLink();
    expect((await person.get(path, foreign)).status).toBe(200);
    expect((await person.post(path, { key: 'none' })).status).toBe(303);
  });
});

describe('over plain HTTP, as in the embedded default', () => {
  test('cookies have no prefix and no Secure, and everything works', async () => {
    const plain = await openFixture({
      environment: { ACCESS_API_PUBLIC_URL: 'http://127.0.0.1:8081' },
    });
    const { landing, person } = await signedIn(plain);
    const [cookie] = setCookies(landing).filter((text) => text.includes('session'));
    expect(cookie).toMatch(
      /^vcds-session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(viewOf(await person.get('/account')).isSignedIn).toBe(true);
    const secure = { 'X-Forwarded-Proto': 'https', 'Sec-Fetch-Site': 'same-origin' };
    const { linkUrl } = await open(plain, newAddress());
    const answer = await person.post(new URL(linkUrl).pathname, { key: 'none' }, secure);
    expect(setCookies(answer).join()).toMatch(/^__Host-vcds-session=[^;]+;.*; Secure/);
  });
});

async function mailedLink(): Promise<{ path: string; email: string }> {
  const email = newAddress();
  const { body } = await register(fixture, email);
  const { linkUrl } = await mailOf(fixture, body.request_id);
  return { path: new URL(linkUrl).pathname, email };
}

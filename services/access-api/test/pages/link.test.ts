// Tests docs/spec/registration.md 3.6.
import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { BASE, open, openFixture, status } from '../registration/fixture.ts';
import { keyOn, Person } from './person.ts';
import { textOf, viewOf } from './view.ts';

const KEY = /pk_live_[0-9A-Za-z]{49}/;
const fixture = await openFixture();

const openLink = async (of = fixture) => {
  const mail = await open(of);
  return { ...mail, path: new URL(mail.linkUrl).pathname, person: new Person(of.app) };
};

describe('the mailed link', () => {
  test('opening it changes nothing, however often, for example by scanners', async () => {
    const { path, person, registrationId } = await openLink();
    for (let i = 0; i < 3; i++) {
      const page = await person.get(path);
      expect(page.status).toBe(200);
      expect(viewOf(page).all('form[method="post"] button')).toHaveLength(2);
      expect(page.text).not.toMatch(KEY);
      expect((await request(fixture.app).head(path)).status).toBe(200);
    }
    expect(await status(fixture, registrationId)).toBe('pending');
  });

  test('its button signs in and shows one key, once, which is valid and does not expire', async () => {
    const { path, person, registrationId, to } = await openLink();
    const page = await person.post(path);
    expect(page.status).toBe(200);
    const key = keyOn(page);
    expect(textOf(viewOf(page).all('[role="textbox"]')[0] ?? null)).toBe(key);
    expect(viewOf(page).text).toContain(to);
    expect(viewOf(page).facts.map(([, value]) => value)).toContain('500 of 500');
    expect(await status(fixture, registrationId)).toBe('link_used');
    const usage = await request(fixture.app).get(`${BASE}/usage`).set('X-Api-Key', key);
    expect(usage.status).toBe(200);
    const account = await fixture.access.history.findAccount({ email: to });
    expect(account?.keys.map(({ origin, expiresAt }) => [origin, expiresAt])).toEqual([
      ['account_page', null],
    ]);
    const home = await person.get('/account');
    expect([viewOf(home).isSignedIn, viewOf(home).text.includes(to)]).toEqual([true, true]);
    for (const again of [await person.post(path), await person.get(path)]) {
      expect(again.status).toBe(410);
      expect(again.text).not.toMatch(KEY);
    }
  });

  test('its other button signs in without a key', async () => {
    const { path, person, registrationId, to } = await openLink();
    const answer = await person.post(path, { key: 'none' });
    expect([answer.status, answer.headers.location]).toEqual([303, '/account']);
    expect(await status(fixture, registrationId)).toBe('link_used');
    expect(viewOf(await person.get('/account')).isSignedIn).toBe(true);
    expect((await fixture.access.history.findAccount({ email: to }))?.keys).toEqual([]);
  });

  test('an account with the maximum number of keys is signed in without a new one', async () => {
    const { path, person, to } = await openLink();
    const accountId = await fixture.access.accounts.create({ email: to, plan: 'free' });
    for (let i = 0; i < 20; i++) {
      await fixture.access.accounts.issueKey({ accountId, origin: 'operator' });
    }
    const page = await person.post(path);
    expect(page.status).toBe(200);
    expect(page.text).not.toMatch(KEY);
    expect(viewOf(await person.get('/account')).text).toContain('20 active keys');
  });

  test('submitted many times at once it gives one key and one session', async () => {
    const { path, person, to } = await openLink();
    const pages = await Promise.all(Array.from({ length: 50 }, () => person.post(path)));
    expect(pages.filter((page) => page.status === 200)).toHaveLength(1);
    expect(pages.filter((page) => page.status === 410)).toHaveLength(49);
    expect((await fixture.access.history.findAccount({ email: to }))?.keys).toHaveLength(1);
  });

  test.each([
    ['a wrong secret', (path: string) => path.replace(/.$/, (last) => (last === 'f' ? '0' : 'f'))],
    ['another registration', (path: string) => path.replace(/in\/.{8}/, 'in/00000000')],
    ['a truncated link', (path: string) => path.slice(0, -1)],
    ['no link', () => '/account/sign-in/x'],
  ])('%s is 410, does not sign in and invalidates nothing', async (_name, change) => {
    const { path, person, registrationId } = await openLink();
    const wrongPath = change(path);
    expect((await person.get(wrongPath)).status).toBe(410);
    expect((await person.post(wrongPath)).status).toBe(410);
    expect(viewOf(await person.get('/account')).hasSignInForm).toBe(true);
    expect(await status(fixture, registrationId)).toBe('pending');
  });

  test('pages run one script, load nothing from other hosts, and are neither framed, cached nor in referrers', async () => {
    const { path, person } = await openLink();
    const pages = [await person.get(path), await person.post(path), await person.get(path)];
    for (const place of ['', '/keys/new', '/usage', '/usage/charges', '/credits', '/nothing']) {
      pages.push(await person.get(`/account${place}`));
    }
    for (const page of pages) {
      const policy = page.headers['content-security-policy'];
      expect(policy).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'$/,
      );
      expect(page.headers['cache-control']).toBe('no-store');
      expect(page.headers['referrer-policy']).toBe('same-origin');
      expect(page.headers).toMatchObject({
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': expect.stringContaining('camera=()'),
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'x-permitted-cross-domain-policies': 'none',
      });
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page.headers).not.toHaveProperty('access-control-allow-origin');
      expect(page.text).toMatch(/^<!doctype html>/);
      const { all } = viewOf(page);
      const foreign = (name: string) => `[${name}]:not([${name}^="/"]):not([${name}^="#"])`;
      expect(all(`img, [src], [style], ${foreign('href')}, ${foreign('action')}`)).toEqual([]);
      for (const element of all('script, style')) {
        const digest = createHash('sha256').update(element.innerHTML).digest('base64');
        const name = element.tagName.toLowerCase();
        expect(policy).toContain(`${name}-src 'sha256-${digest}'`);
      }
      expect(viewOf(page).all('html[lang] main h1')).toHaveLength(1);
    }
  });

  test('503 as a page while Redis is unavailable', async () => {
    const other = await openFixture();
    const { path, person } = await openLink(other);
    await other.close();
    for (const page of [await person.get(path), await person.post(path)]) {
      expect(page.status).toBe(503);
      expect(page.headers['retry-after']).toBe('30');
      expect(page.headers['content-type']).toContain('text/html');
    }
  });

  test('the link stays valid if the key cannot be created', async () => {
    let isBroken = true;
    const other = await openFixture({
      replace: (real) => ({
        accountKeys: {
          ...real.accountKeys,
          create: (input) =>
            isBroken ? Promise.reject(new Error('no database')) : real.accountKeys.create(input),
        },
      }),
    });
    const { path, person, registrationId } = await openLink(other);
    expect((await person.post(path)).status).toBe(503);
    expect(await status(other, registrationId)).toBe('pending');
    isBroken = false;
    expect((await person.post(path)).status).toBe(200);
  });
});

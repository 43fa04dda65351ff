import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { html } from '../../src/pages/html.ts';
import { BASE, type Fixture, open, openFixture, status, verify } from '../registration/fixture.ts';

const KEY = /pk_live_[0-9A-Za-z]{49}/;
let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const get = (path: string) => request(fixture.app).get(path);
const post = (path: string) => request(fixture.app).post(path).type('form');
const openLink = async () => {
  const mail = await open(fixture);
  return { ...mail, path: new URL(mail.linkUrl).pathname };
};

describe('the mailed link', () => {
  test('looking at it changes nothing, however often and by whatever scanner', async () => {
    const { path, registrationId } = await openLink();
    for (let i = 0; i < 3; i++) {
      const page = await get(path);
      expect(page.status).toBe(200);
      expect(page.text).toContain('<form method="post">');
      expect(page.text).not.toMatch(KEY);
      expect((await request(fixture.app).head(path)).status).toBe(200);
    }
    expect(await status(fixture, registrationId)).toBe('pending');
  });

  test('its button shows one key, once, which works and does not expire', async () => {
    const { path, registrationId, to } = await openLink();
    const page = await post(path);
    expect(page.status).toBe(200);
    const [key = ''] = KEY.exec(page.text) ?? [];
    expect(page.text.split(key)).toHaveLength(2);
    expect(page.text).toContain(to);
    expect(page.text).toContain('500 of 500');
    expect(await status(fixture, registrationId)).toBe('link_used');
    const usage = await get(`${BASE}/usage`).set('X-Api-Key', key);
    expect(usage.status).toBe(200);
    const account = await fixture.access.history.findAccount({ email: to });
    expect(account?.keys.map(({ origin, expiresAt }) => [origin, expiresAt])).toEqual([
      ['account_page', null],
    ]);
    for (const again of [await post(path), await get(path)]) {
      expect(again.status).toBe(410);
      expect(again.text).not.toMatch(KEY);
    }
  });

  test('pressed many times at once it gives one key', async () => {
    const { path, to } = await openLink();
    const pages = await Promise.all(Array.from({ length: 50 }, () => post(path)));
    expect(pages.filter((page) => page.status === 200)).toHaveLength(1);
    expect(pages.filter((page) => page.status === 410)).toHaveLength(49);
    expect((await fixture.access.history.findAccount({ email: to }))?.keys).toHaveLength(1);
  });

  test('code and link are one registration: whichever is used, the other is spent', async () => {
    const first = await openLink();
    expect((await post(first.path)).status).toBe(200);
    const late = await verify(fixture, { request_id: first.registrationId, code: first.code });
    expect([late.status, late.body.error.code]).toEqual([410, 'invalid_or_expired']);
    const second = await openLink();
    await verify(fixture, { request_id: second.registrationId, code: second.code });
    expect((await get(second.path)).status).toBe(410);
    expect((await post(second.path)).status).toBe(410);
  });

  test('it lives ten minutes', async () => {
    const { path } = await openLink();
    fixture.access.clock.advance(599_999);
    expect((await get(path)).status).toBe(200);
    fixture.access.clock.advance(1);
    expect((await get(path)).status).toBe(410);
    expect((await post(path)).status).toBe(410);
  });

  test.each([
    ['a wrong secret', (path: string) => path.replace(/.{4}$/, 'ffff')],
    ['another registration', (path: string) => path.replace(/in\/.{8}/, 'in/00000000')],
    ['a part of it', (path: string) => path.slice(0, -1)],
    ['no link at all', () => '/account/sign-in/x'],
  ])('%s is 410 and uses nothing up', async (_name, spoil) => {
    const { path, registrationId } = await openLink();
    const spoilt = spoil(path);
    expect((await get(spoilt)).status).toBe(410);
    expect((await post(spoilt)).status).toBe(410);
    expect(await status(fixture, registrationId)).toBe('pending');
  });

  test('no page runs scripts, loads anything, may be framed, kept, or names itself to others', async () => {
    const { path } = await openLink();
    for (const page of [await get(path), await post(path), await get(path)]) {
      const policy = page.headers['content-security-policy'];
      expect(policy).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame/,
      );
      expect(page.headers['cache-control']).toBe('no-store');
      expect(page.headers['referrer-policy']).toBe('no-referrer');
      expect(page.headers['x-content-type-options']).toBe('nosniff');
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page.headers).not.toHaveProperty('access-control-allow-origin');
      expect(page.headers).not.toHaveProperty('location');
      expect(page.text).toMatch(/^<!doctype html>\n<html lang="en">/);
      expect(page.text).not.toMatch(/<script|<img|<link|src=|href=|style=/);
      expect(page.text.match(/<h1>/g)).toHaveLength(1);
      expect(page.text).toContain('<main>');
    }
  });

  test('503 as a page while Redis is out of reach', async () => {
    const other = await openFixture();
    const path = new URL((await open(other)).linkUrl).pathname;
    await other.close();
    for (const page of [await request(other.app).get(path), await request(other.app).post(path)]) {
      expect(page.status).toBe(503);
      expect(page.headers['retry-after']).toBe('30');
      expect(page.text).toContain('<h1>Not available at the moment</h1>');
    }
  });

  test('when the key cannot be made the link is given back', async () => {
    let isBroken = true;
    const other = await openFixture({
      issuance: (real) => ({
        ...real,
        accounts: {
          ...real.accounts,
          issueKey: (wish) =>
            isBroken ? Promise.reject(new Error('no database')) : real.accounts.issueKey(wish),
        },
      }),
    });
    try {
      const { linkUrl, registrationId } = await open(other);
      const { pathname } = new URL(linkUrl);
      expect((await request(other.app).post(pathname)).status).toBe(503);
      expect(await status(other, registrationId)).toBe('pending');
      isBroken = false;
      expect((await request(other.app).post(pathname)).status).toBe(200);
    } finally {
      await other.close();
    }
  });
});

test('html escapes what is put in, and nothing twice', () => {
  const piece = html`<b title="${'"\'&'}">${'<script>'}</b>`;
  expect(piece.markup).toBe('<b title="&quot;&#39;&amp;">&lt;script&gt;</b>');
  expect(html`<p>${piece}</p>`.markup).toBe(`<p>${piece.markup}</p>`);
});

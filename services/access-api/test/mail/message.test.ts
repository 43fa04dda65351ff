import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { renderMessage } from '../../src/mail/message.ts';
import type { PendingMail } from '../../src/registration/mail-source.ts';

const MAIL: PendingMail = {
  registrationId: 'ab0b6c0e-6f5f-4f43-9c15-0d6b1f0c2a11',
  to: 'ada@mail.example',
  code: '048213',
  linkUrl: 'https://data.example/account/sign-in/ab.cd?x=1&y=2',
  expiresAt: new Date('2026-11-21T00:07:59.999Z'),
};
const { subject, text, html, headers } = renderMessage(MAIL);
const plain = (source: string): string =>
  source
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

describe('the message', () => {
  test.each([
    ...['048213', MAIL.linkUrl, MAIL.to, '10 minutes', '00:07 UTC on 21 November 2026', 'Not you?'],
  ])('shows %s, in text and in HTML', (shown) => {
    for (const body of [text, plain(html)]) expect(body).toContain(shown);
  });

  test('has the code on a line of its own in text, and large in HTML, and not in the subject', () => {
    expect(text.split('\n').map((line) => line.trim())).toContain('048213');
    const size = /font-size:(\d+)px[^>]*>048213</.exec(html)?.[1];
    expect(Number(size)).toBeGreaterThanOrEqual(28);
    // It shows on locked screens.
    expect(subject).not.toContain(MAIL.code);
  });

  test('says that a code creates a key, and that a connection needs none', () => {
    expect(text).toContain('It creates a key');
    expect(text).toContain('connect an assistant, open this page and share no code');
  });

  test('prevents automatic replies', () => {
    expect(headers).toEqual({
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
    });
  });

  test('loads nothing, runs nothing, and has one link', () => {
    expect(html).not.toMatch(/<(img|script|link|iframe|object|embed|form|style)\b/i);
    expect(html).not.toMatch(/url\(|@import|\bsrc=|background=|srcset/i);
    const urls = html.match(/\bhttps?:\/\/[^\s"<]+/g) ?? [];
    expect(new Set(urls)).toEqual(new Set([MAIL.linkUrl.replace('&', '&amp;')]));
    const links = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, url = '']) => plain(url));
    expect(links).toEqual([MAIL.linkUrl]);
  });

  test('escapes address and link', () => {
    const nasty = fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', ';', 'a', '@', '/') });
    const tags = (source: string): string[] => source.match(/<[a-z/!][^>]*>/gi) ?? [];
    fc.assert(
      fc.property(nasty, nasty, (to, path) => {
        const linkUrl = `https://data.example/${path}`;
        const rendered = renderMessage({ ...MAIL, to, linkUrl });
        expect(tags(rendered.html)).toHaveLength(tags(html).length);
        expect(plain(rendered.html)).toContain(to);
        const [, href = ''] = /<a href="([^"]*)"/.exec(rendered.html) ?? [];
        expect(href).not.toMatch(/[<>']/);
        expect(plain(href)).toBe(linkUrl);
      }),
    );
  });
});

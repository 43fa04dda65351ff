// Tests docs/spec/find.md 20.5.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { reduceRobots, robotsRules } from '../../src/reader/robots-rules.ts';

const ORIGIN = 'https://acme.example';
const rulesOf = (text: string) => robotsRules(ORIGIN, reduceRobots(text, 'VCDS-Bot'));
const isAllowed = (text: string, path: string): boolean =>
  rulesOf(text).isAllowed(new URL(path, ORIGIN));

const FORBIDDEN = 'User-agent: *\nDisallow: /\n';

describe('robots.txt', () => {
  test.each([
    ['', '/', true],
    [FORBIDDEN, '/', false],
    ['User-agent: *\nDisallow:\n', '/', true],
    ['User-agent: *\nDisallow: /private', '/', true],
    ['User-agent: *\nDisallow: /private', '/private/x', false],
    ['User-agent: *\nDisallow: /\nAllow: /$', '/', true],
    ['User-agent: *\nDisallow: /\nAllow: /$', '/about', false],
    ['User-agent: *\nDisallow: /*.html$\n', '/a/b.html', false],
    ['User-agent: *\nDisallow: /*.html$\n', '/a/b.html?x', true],
    ['User-agent: *\nDisallow: /a**b\n', '/axxb', false],
    ['User-agent: *\nDisallow: /caf%C3%A9', '/café', false],
    ['User-agent: *\nDisallow: /café', '/caf%c3%a9', false],
    [`${FORBIDDEN}\nUser-agent: VCDS-Bot\nAllow: /`, '/', true],
    ['User-agent: vcds-bot\nDisallow: /\n\nUser-agent: *\nAllow: /', '/', false],
    ['User-agent: VCDS-Bot/9.9\nDisallow: /', '/', false],
    ['User-agent: VCDS-Bot-Images\nDisallow: /', '/', true],
    ['User-agent: other\nUser-agent: VCDS-Bot\nDisallow: /', '/', false],
    ['User-agent: VCDS-Bot\nUser-agent: other\nDisallow: /', '/', false],
    ['User-agent: VCDS-Bot\nDisallow: /a\n\nUser-agent: VCDS-Bot\nDisallow: /b', '/b', false],
    ['User-agent: VCDS-Bot\nSitemap: /s.xml\nDisallow: /', '/', false],
    [`User-agent: VCDS-Bot\n\n${FORBIDDEN}`, '/', false],
    [`User-agent: VCDS-Bot\nDisallow:\n\n${FORBIDDEN}`, '/', true],
    ['User-agent: other\nDisallow: /', '/', true],
    ['Disallow: /', '/', true],
    [`\uFEFF${FORBIDDEN}`, '/', false],
    [FORBIDDEN.replaceAll('\n', '\r'), '/', false],
    ['  USER-AGENT :  *   # all\n DISALLOW : / # nothing', '/', false],
    ['<!doctype html><title>Not found</title>', '/', true],
    [`${'#'.repeat(600 * 1024)}\n${FORBIDDEN}`, '/', true],
  ])('%j for %s: %j', (text, path, expected) => {
    expect(isAllowed(text, path)).toBe(expected);
  });

  test.each([
    ['Crawl-delay: 3', 3_000],
    ['Crawl-delay: 0.5', 500],
    ['Crawl-delay: -1', 0],
    ['Crawl-delay: soon', 0],
    ['Disallow: /x', 0],
  ])('%s is a pause of %d ms', (line, expected) => {
    expect(rulesOf(`User-agent: *\n${line}\n`).crawlDelayMs).toBe(expected);
  });

  test('of many agents and rules is reduced to the rules of one', () => {
    const agents = Array.from({ length: 20_000 }, (_, index) => `User-agent: a${index}\n`).join('');
    const rules = 'Disallow: /x\n'.repeat(10_000);
    expect(reduceRobots(`${agents}${rules}${FORBIDDEN}`, 'VCDS-Bot')).toBe(
      FORBIDDEN.replace('Disallow', 'disallow'),
    );
  });

  test('with too many wildcards allows nothing', () => {
    const rule = `Disallow: /${'*a'.repeat(1_000)}\n`;
    expect(isAllowed(`User-agent: *\n${rule.repeat(5)}`, '/')).toBe(true);
    expect(isAllowed(`User-agent: *\n${rule.repeat(50)}`, '/')).toBe(false);
  });

  test.each([
    ['2,000 rules it allows nothing', 2_001, '/x', false],
    ['1,998 rules it is followed', 1_999, '/x', true],
    ['128 KiB of rules it allows nothing', 100, `/x${'y'.repeat(1_400)}`, false],
  ])('with more than %s', (_, count, path, expected) => {
    const text = `User-agent: *\n${`Disallow: ${path}\n`.repeat(count)}`;
    expect(isAllowed(text, '/other')).toBe(expected);
  });

  test('of any text has rules', () => {
    const line = fc.oneof(
      fc.constantFrom('User-agent: *', 'User-agent: VCDS-Bot', 'Disallow: /', 'Allow: /', ':', '#'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        expect(typeof isAllowed(lines.join('\n'), '/')).toBe('boolean');
      }),
    );
  });
});

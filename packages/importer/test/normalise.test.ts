// Tests docs/spec/import.md 14.3, 14.6.
import { describe, expect, test } from '@jest/globals';
import { closedValueOf, isDay } from '@vcds/odata-query';
import { runs } from '@vcds/test-kit';
import {
  exitStatuses,
  investorTypes,
  memberBuckets,
  operatingStatuses,
  personRoles,
  primarySources,
  readDay,
  readInstant,
  stages,
  websiteForms,
} from '@vcds/venture-model';
import fc from 'fast-check';
import type { Note } from '../src/errors/line-error.ts';
import { closedValue, formsOf } from '../src/normalise/closed-lookup.ts';
import { cleanSite } from '../src/normalise/site.ts';
import { cleanSpelling, cleanText } from '../src/normalise/text.ts';

const noted = <T>(work: (note: (note: Note) => void) => T): [T, ...string[]] => {
  const notes: Note[] = [];
  const result = work((note) => notes.push(note));
  return [result, ...notes.map(({ kind, done }) => `${kind}: ${done}`)];
};

describe('texts', () => {
  test.each([
    ['  Acme  ', ['Acme']],
    ['', [null]],
    [' \u00a0\ufeff\u200b ', [null]],
    ['e\u0301', ['é']],
    ['a\0b', ['ab', 'normalised: NUL characters left out']],
    ['a\ud83d', ['a\ufffd', 'normalised: unpaired surrogates replaced']],
    ['👩‍🚀', ['👩‍🚀']],
    ['two\nlines', ['two\nlines']],
  ])('%j is kept as %j', (text, expected) => {
    expect(noted((note) => cleanText(text, 'Name', note))).toEqual(expected);
  });

  test('of tags and places have single spaces', () => {
    expect(noted((note) => cleanSpelling(' San\u00a0 \tFrancisco\n', 'City', note))).toEqual([
      'San Francisco',
    ]);
  });

  test('cleaned once are clean', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = cleanText(text, 'Name', () => undefined);
        if (once !== null) {
          expect(noted((note) => cleanText(once, 'Name', note))).toEqual([once]);
          expect(once).not.toMatch(/\0|\p{Cs}/u);
        }
      }),
    );
  });
});

describe('sites', () => {
  const repaired = 'repaired: not a valid URL';
  test.each([
    ['https://acme.com/', ['https://acme.com/', 'acme.com']],
    ['http://www.acme.com', ['http://www.acme.com', 'acme.com']],
    ['https://www2.acme.co.uk/a?b=c', ['https://www2.acme.co.uk/a?b=c', 'acme.co.uk']],
    ['https://www.com', ['https://www.com', 'www.com']],
    [' https://acme.com ', ['https://acme.com', 'acme.com', 'normalised: spaces trimmed']],
    ['Https://Acme.VC', ['https://acme.vc', 'acme.vc', 'normalised: written as an address']],
    ['acme.com', ['http://acme.com', 'acme.com', 'normalised: scheme added']],
    ['www.acme.com/x', ['http://www.acme.com/x', 'acme.com', 'normalised: scheme added']],
    ['https:acme.com', ['http://acme.com', 'acme.com', 'normalised: scheme added']],
    ['https://bücher.example', ['https://bücher.example', 'xn--bcher-kva.example']],
    ['http://acme.com:8080/x', ['http://acme.com:8080/x', 'acme.com']],
    [
      'http://a.com/\n http://b.com/',
      ['http://a.com/', 'a.com', 'normalised: written as an address'],
    ],
    [
      'https://a.com, https://b.com',
      ['https://a.com', 'a.com', 'normalised: written as an address'],
    ],
    [
      'http://acme.com/a b',
      ['http://acme.com/a%20b', 'acme.com', 'normalised: written as an address'],
    ],
    ['', [null]],
    ['http://', [null, repaired]],
    ['http://url', [null, repaired]],
    ['htp://acme.com', [null, repaired]],
    ['javascript:alert(1)', [null, repaired]],
    ['mailto:a@acme.com', [null, repaired]],
    ['http://https://acme.com', [null, repaired]],
    ['a..b', [null, repaired]],
    ['n/a', [null, repaired]],
    ['http://[::1]/', [null, repaired]],
    ['http://93.184.215.14/', ['http://93.184.215.14/', '93.184.215.14']],
    ['3.14', [null, repaired]],
    ['http://0.0', [null, repaired]],
    ['http://0x5d.47118', [null, repaired]],
    ['http://1.2.3.999', [null, repaired]],
  ])('%j is kept as %j', (text, expected) => {
    const [site, ...notes] = noted((note) => cleanSite(text, 'Website', note));
    expect(site === null ? [null, ...notes] : [site.url, site.domain, ...notes]).toEqual(expected);
  });

  test('with a host of more than 253 characters are invalid', () => {
    const site = (text: string) => noted((note) => cleanSite(text, 'Website', note));
    const host = (length: number) => `${'a.'.repeat((length - 2) / 2)}io`;
    for (const prefix of ['', 'http://', 'https://', 'HTTP://']) {
      expect(site(`${prefix}${host(252)}/a`)[0]?.domain).toHaveLength(252);
      expect(site(`${prefix}${host(254)}/a`)).toEqual([null, repaired]);
      expect(site(`${prefix}www.${host(250)}`)).toEqual([null, repaired]);
    }
    // 114 characters, 410 in A-labels.
    expect(site(`http://${'日本.'.repeat(37)}com`)).toEqual([null, repaired]);
  });

  test('once kept are kept as they are', () => {
    const numbers = fc.stringMatching(/^(http:\/\/)?[0-9]{1,2}(\.[0-9x]{1,3}){1,3}$/);
    const sites = fc.oneof(fc.webUrl(), fc.domain(), fc.string(), numbers);
    fc.assert(
      fc.property(sites, (text) => {
        const once = cleanSite(text, 'Website', () => undefined);
        if (once !== null) expect(cleanSite(once.url, 'Website', () => undefined)).toEqual(once);
      }),
    );
  });
});

describe('a site and a closed value', () => {
  test('have the host by which a search finds the site', () => {
    const prefix = fc.constantFrom(
      '',
      '//',
      'http:',
      'http://',
      'https://www.',
      'HTTP://www.www2.',
    );
    const suffix = fc.constantFrom('', '.', ':80', '/a', ' ');
    const written = fc.tuple(prefix, fc.domain(), suffix).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(written, fc.webUrl()), (text) => {
        const kept = cleanSite(text, 'Website', () => undefined);
        if (kept === null) return;
        expect(websiteForms(text)?.host).toBe(kept.domain);
        expect(websiteForms(kept.url)?.host).toBe(kept.domain);
      }),
      { ...runs(900), examples: [['http://www.www.example.com']] },
    );
  });

  test.each([
    ['//example.com/a', 'http://example.com/a'],
    ['http:/example.com', 'http://example.com'],
  ])('%s is kept as %s', (text, url) => {
    expect(cleanSite(text, 'Website', () => undefined)?.url).toBe(url);
  });

  test.each([
    ['stages', stages],
    ['headcounts', memberBuckets],
    ['investor types', investorTypes],
    ['operating statuses', operatingStatuses],
    ['exit statuses', exitStatuses],
    ['sources', primarySources],
    ['roles', personRoles],
  ])('of the %s is accepted on a line as in a filter', (_, list) => {
    for (const row of list) {
      for (const spelling of [row.value, String(row.value), row.label, row.slug, row.name]) {
        expect(closedValueOf(list, String(spelling))?.value).toBe(row.value);
        expect(formsOf(row)).toContain(spelling);
        expect(closedValue(list, spelling)).toBe(row.value);
      }
    }
    for (const text of ['', '04', 'SEED', 'toString']) {
      expect(closedValue(list, text)).toBe(closedValueOf(list, text)?.value);
    }
  });
});

describe('days and instants', () => {
  test.each([
    ['2024-02-29', '2024-02-29'],
    ['2023-02-29', undefined],
    ['2100-02-29', undefined],
    ['0001-01-01', '0001-01-01'],
    ['0000-01-01', undefined],
    ['2024-1-1', undefined],
    ['2024-01-31T23:30:00-01:00', '2024-02-01'],
    ['2024-01-31 12:00', '2024-01-31'],
    ['31.01.2024', undefined],
  ])('the day %s is %s', (text, day) => {
    expect(readDay(text)).toBe(day);
  });

  test.each([
    ['2024-01-31', '2024-01-31T00:00:00.000Z'],
    ['2024-01-31T12:00:00Z', '2024-01-31T12:00:00.000Z'],
    ['2021-12-02T23:40:22+05:30', '2021-12-02T18:10:22.000Z'],
    ['2024-01-31T12:00:00.987654Z', '2024-01-31T12:00:00.987Z'],
    ['2024-01-31t12:00:00,5z', '2024-01-31T12:00:00.500Z'],
    ['2024-01-31T12:00+0130', '2024-01-31T10:30:00.000Z'],
    ['2024-01-31T24:00:00Z', undefined],
    ['2024-01-31T12:60:00Z', undefined],
    ['2024-01-31T12:00:60Z', '2024-01-31T12:01:00.000Z'],
    ['2024-01-31T12:00:61Z', undefined],
    ['2024-01-31T12:00:00+14:01', undefined],
    ['2024-01-31T12:00,5Z', undefined],
    ['0001-01-01T00:00:00+01:00', undefined],
    ['yesterday', undefined],
  ])('the instant %s is %s', (text, instant) => {
    expect(readInstant(text)).toBe(instant);
  });

  test('agree with the calendar', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          const iso = date.toISOString();
          expect(readInstant(iso)).toBe(iso);
          expect(isDay(iso.slice(0, 10))).toBe(true);
        },
      ),
    );
  });
});

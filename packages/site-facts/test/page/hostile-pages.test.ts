// Tests docs/spec/find.md 20.3.
import { describe, expect, test } from '@jest/globals';
import { readCompanyPage } from '@vcds/site-facts/page';
import { parseLenientJson } from '../../src/page/lenient-json.ts';
import { readMarkup } from '../../src/page/markup.ts';

const LENGTH = 512 * 1024;
const LENGTH_MAX = 2 * 1024 * 1024;
const HEAD = '<title>Acme</title><meta property="og:site_name" content="Acme">';

function fill(unit: string): string {
  return unit.repeat(Math.floor(LENGTH / unit.length));
}

function read(html: string) {
  return readCompanyPage({ html, url: 'https://acme.example/', now: new Date('2026-03-01') });
}

const jsonLd = (data: object) =>
  `<script type="application/ld+json">${JSON.stringify(data)}</script>`;

/** Organizations whose every property refers to fifty others. */
function references(count: number): string {
  const all = Array.from({ length: 50 }, (_, index) => ({ '@id': `#${index}` }));
  const nodes = Array.from({ length: count }, (_, index) => ({
    ...{ '@id': `#${index}`, '@type': ['Organization', 'NewsArticle', 'WebPage'] },
    ...{ publisher: all, mainEntity: all, location: all, address: all, logo: all },
    addressCountry: all,
  }));
  return jsonLd({ '@graph': nodes }).repeat(3);
}

function longText(count: number): string {
  const place = { '@id': '#a', '@type': 'PostalAddress', addressCountry: '&amp;'.repeat(20_000) };
  const one = { '@type': 'Organization', name: 'Acme', address: [{ '@id': '#a' }] };
  return jsonLd([place, ...Array.from({ length: count }, () => one)]);
}

// Work in proportion to the square of the length would take longer than a test may.
describe('a hostile page', () => {
  test.each([
    ['nested elements', fill('<b>')],
    ['nested elements with ends of others', `${'<b>'.repeat(1_000)}${fill('</i>')}`],
    ['elements and the ends of all', fill('<div><p>') + fill('</div>')],
    ['nested items with properties', fill('<p itemscope itemprop=a itemtype=b>')],
    ['values of properties in values', `<p itemscope>${fill('<p itemprop=a>x')}`],
    ['nested logos', fill('<div class=logo>x')],
    ['attributes', `<p ${fill('a b ')}>`],
    ['a value', `<meta name="description" content="${fill('&lt;')}">`],
    ['a tag without its end', `<a href="${fill('x')}`],
    ['a comment without its end', `<!--${fill('-')}`],
    ['entities', fill('&amp;&#x41;&ampx')],
    ['links', fill('<a href="https://github.com/a">')],
    ['dates', fill('<time datetime="2026-01-01T00:00:00Z">')],
    ['meta elements', fill('<meta property="og:title" content="">')],
    ['years', fill('founded in 2014 ')],
    ['phrases', fill('serving us since ')],
    ['blanks in the title', `<title>${fill(' ')}`],
    ['separators in the title', `<title>${fill(' - ')}</title>`],
    ['blocks of JSON-LD', fill('<script type="application/ld+json">{}</script>')],
    ['nested JSON-LD', `<script type="application/ld+json">${'['.repeat(400_000)}</script>`],
    ['quotes in JSON-LD', `<script type="application/ld+json">${'"\\'.repeat(200_000)}</script>`],
    ['commas in JSON-LD', `<script type="application/ld+json">[${', '.repeat(200_000)}</script>`],
    [
      'comments in JSON-LD',
      `<script type="application/ld+json">${'<!--/*'.repeat(80_000)}</script>`,
    ],
    ['references into each other', references(140)],
    ['one long text by many references', longText(3_000)],
  ])(
    'is read in linear time: %s',
    (_, html) => {
      expect(read(HEAD + html)).toMatchObject({ name: 'Acme', title: 'Acme' });
    },
    60_000,
  );

  test('is read to its bounds', () => {
    const { anchors, text } = readMarkup(fill('<a href="/x">some text</a>'));
    expect(anchors).toHaveLength(5_000);
    expect(text.length).toBeLessThan(210_000);
    expect(readMarkup(`${' '.repeat(LENGTH_MAX)}<h1>late</h1>`).headings).toEqual([]);
  });
});

describe('half of a surrogate pair is no part of a fact', () => {
  const HALF = '\ud83d';
  const organization = (facts: object) =>
    `<script type="application/ld+json">${JSON.stringify({ '@type': 'Organization', ...facts })}</script>`;
  // Longer than any text that is read, so that pairs are cut at each of the bounds.
  const long = (before: string) => `${before}${'🚀'.repeat(10_000)}`;
  const facts = (text: string) =>
    organization({
      ...{ name: text, legalName: text, description: text, foundingDate: `2014 ${text}` },
      ...{ address: { addressCountry: `DE${text}` }, logo: { url: `/${text}.png` } },
      sameAs: `https://github.com/${text}`,
    });
  test.each([
    ['a name', organization({ name: `Acme ${HALF}` })],
    ['all properties', facts(HALF)],
    ['long properties', facts(long(''))],
    ['properties that are longer by one', facts(long('x'))],
    ['a long title', `<title>${long('')}</title>`],
    ['a title that is longer by one', `<title>${long('x')}</title>`],
    ['a long description', `<meta name="description" content="${long('x')}">`],
    ['a long logo', `<img class="logo" alt="${long('x')}" src="/logo.png">`],
    ['a long heading', `<h1>${long('x')}</h1>`],
  ])('of %s', (_, html) => {
    expect(JSON.stringify(read(html))).not.toMatch(/\\ud[89a-f]/);
  });
});

describe('a broken page', () => {
  test.each([
    ['without head and body', 'Hi <meta property=og:site_name content=Acme><p>there'],
    [
      'with unclosed elements',
      '<html><head><script>var a;</script><span><meta property="og:site_name" content="Acme"><p',
    ],
    ['with the head in the body', '<body><div><meta property="og:site_name" content="Acme">'],
    [
      'with repeated attributes',
      '<meta property="og:site_name" property=x content="Acme" content=B>',
    ],
    [
      'with names of prototypes',
      '<meta name="__proto__" content=x><meta name=constructor content=y><meta property="og:site_name" content="Acme"><p itemscope><b itemprop="__proto__ constructor">x</b></p>',
    ],
    ['with entities', '<meta property="og:site_name" content="&#65;c&#x6d;e">'],
    ['with control characters', '<meta property="og:site_name" content="\u0000Ac\u200bme\u0007">'],
    [
      'with a title of an image',
      '<svg><title>Icon</title></svg><meta property="og:site_name" content="Acme">',
    ],
  ])('is read as far as it goes: %s', (_, html) => {
    expect(read(html).name).toMatch(/^Ac ?me$/u);
  });

  test.each<[string, string, unknown]>([
    ['comments', '/* a */ {"a": 1, // b\n "u": "http://c" }', { a: 1, u: 'http://c' }],
    ['commas before the end', '{"a": [1, 2,], }', { a: [1, 2] }],
    ['control characters', '{"a": "b\n\tc"}', { a: 'b  c' }],
    ['missing values', '{"a": , "b": }', { a: null, b: null }],
    ['a comment of HTML around it', '<!-- {"a": 1} -->', { a: 1 }],
    ['CDATA', '//<![CDATA[\n{"a": "/*b*/,}"}\n//]]>', { a: '/*b*/,}' }],
    ['a semicolon', '{"a": 1};', { a: 1 }],
    ['anything else', '{a}', undefined],
  ])('has JSON-LD with %s', (_, text, value) => {
    expect(parseLenientJson(text)).toEqual(value);
  });
});

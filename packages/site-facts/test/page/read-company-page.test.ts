// Tests docs/spec/find.md 20.3.
import { describe, expect, test } from '@jest/globals';
import { type CompanyPage, readCompanyPage } from '@vcds/site-facts/page';

const NOW = new Date('2026-03-01T12:00:00Z');

function read(html: string, url = 'https://www.acme.example/'): CompanyPage {
  return readCompanyPage({ html, url, now: NOW });
}

function jsonLd(...nodes: readonly object[]): string {
  const graph = { '@context': 'https://schema.org', '@graph': nodes };
  return `<script type="application/ld+json">${JSON.stringify(graph)}</script>`;
}

function organization(facts: object): string {
  return jsonLd({ '@type': 'Organization', name: 'Acme', ...facts });
}

/** The evidence of a field, as `source: value`. */
function evidenceOf(page: CompanyPage, field: string): readonly string[] {
  return page.evidence
    .filter((each) => each.field === field)
    .map(({ source, value }) => `${source}: ${value}`);
}

test('structured data with prefixes, nested lists, and words of other languages is read', () => {
  const node = {
    ...{ '@type': 'schema:Organization', 'schema:name': 'Acme' },
    'schema:foundingDate': 'March 2011',
    'schema:address': { 'schema:addressCountry': 'Deutschland' },
    'schema:logo': [[{ '@type': 'ImageObject', contentUrl: '/logo.png' }]],
  };
  const html = `<script type="application/ld+json">${JSON.stringify({ '@graph': [[node]] })}</script>`;
  expect(read(html)).toMatchObject({
    ...{ name: 'Acme', foundedYear: 2011, country: 'Germany' },
    logoUrl: 'https://www.acme.example/logo.png',
  });
});

describe('the page of a company', () => {
  test('states all facts, each with its evidence', () => {
    const page = read(`<!doctype html><html lang="de-DE"><head>
      <title>Acme – Zahlungen für alle</title>
      <meta name="description" content="Acme nimmt Zahlungen  an.">
      <link rel="icon" href="/icon.png" sizes="32x32">
      ${jsonLd(
        { '@type': 'WebSite', name: 'Acme', publisher: { '@id': '#acme' } },
        {
          ...{ '@type': ['Corporation'], '@id': '#acme', name: 'Acme', foundingDate: '2014-05-01' },
          logo: { '@type': 'ImageObject', url: '/logo.svg' },
          address: { '@type': 'PostalAddress', addressCountry: 'DE' },
          sameAs: ['https://de.linkedin.com/company/acme/', 'http://twitter.com/acme'],
        },
      )}</head><body><a href="https://github.com/acme">Code</a></body></html>`);
    expect(page).toMatchObject({
      ...{ name: 'Acme', title: 'Acme – Zahlungen für alle', language: 'de', country: 'Germany' },
      ...{ description: 'Acme nimmt Zahlungen an.', foundedYear: 2014 },
      logoUrl: 'https://www.acme.example/logo.svg',
      socialProfiles: [
        { network: 'LinkedIn', url: 'https://linkedin.com/company/acme' },
        { network: 'X', url: 'https://x.com/acme' },
        { network: 'GitHub', url: 'https://github.com/acme' },
      ],
      liveness: { state: 'alive', lastPostAt: undefined },
    });
    expect(page.evidence.map(({ field, source }) => `${field}: ${source}`)).toEqual([
      'name: json-ld WebSite.publisher.name',
      'title: title',
      'description: meta description',
      'logoUrl: json-ld WebSite.publisher.logo',
      'language: html lang',
      'country: json-ld WebSite.publisher.address.addressCountry',
      'foundedYear: json-ld WebSite.publisher.foundingDate',
      'socialProfiles: json-ld WebSite.publisher.sameAs',
      'socialProfiles: json-ld WebSite.publisher.sameAs',
      'socialProfiles: a href',
    ]);
    expect(evidenceOf(page, 'language')).toEqual(['html lang: de-DE']);
  });

  test('states nothing that the page does not', () => {
    const page = read('<p>Hello</p>', 'https://www.acme.de/');
    const { liveness, ...facts } = page;
    expect(facts).toEqual({
      ...{ name: null, title: null, description: null, logoUrl: null, language: null },
      ...{ country: null, foundedYear: null, socialProfiles: [], evidence: [] },
    });
    expect(liveness.state).toBe('alive');
  });

  test.each<[string, string, string | null]>([
    ['Open Graph', '<meta property="og:site_name" content="Acme">', 'Acme'],
    ['an organization', organization({}), 'Acme'],
    [
      'microdata',
      '<div itemscope itemtype="http://schema.org/Organization"><b itemprop="name">Acme</b></div>',
      'Acme',
    ],
    [
      'RDFa',
      '<div vocab="http://schema.org/" typeof="Organization"><b property="name">Acme</b></div>',
      'Acme',
    ],
    ['the application name', '<meta name="Application-Name" content="Acme">', 'Acme'],
    ['the part of the title with the name of the domain', '<title>Payments | ACME</title>', 'ACME'],
    [
      'the image of the logo',
      '<a class="site-logo"><img src="/l.png" alt="Acme Corp. logo"></a>',
      'Acme Corp.',
    ],
    [
      'no slogan in the title of a start page',
      '<title>Payments for all - Simple and fast</title>',
      null,
    ],
    ['no organization among several', organization({}) + organization({ name: 'Other' }), null],
    [
      'the organization with this site',
      organization({ url: 'https://acme.example' }) + organization({ name: 'Other' }),
      'Acme',
    ],
    ['no general word', '<a class="logo">Home</a><title>Welcome</title>', null],
    ['entities in JSON-LD', organization({ name: 'A&amp;B' }), 'A&B'],
    ['nothing of a person', jsonLd({ '@type': 'Person', name: 'Ann' }), null],
    ['not an overlong text', `<meta property="og:site_name" content="${'a'.repeat(201)}">`, null],
  ])('has the name of %s', (_, html, name) => {
    expect(read(html).name).toBe(name);
  });

  test('has the name of a domain with an addition', () => {
    for (const host of ['getacme.com', 'acmehq.co.uk']) {
      expect(read('<title>Acme: widgets</title>', `https://${host}/`).name).toBe('Acme');
    }
  });

  test.each<[string, string | null]>([
    ['<html lang="en-US">', 'en'],
    ['<html lang="zh-hant-TW">', 'zh-Hant'],
    ['<meta property="og:locale" content="pt_BR">', 'pt'],
    ['<meta http-equiv="Content-Language" content="fr, en">', 'fr'],
    ['<html lang="xx-YY">', null],
    ['<html lang="english">', null],
    ['<html lang="en"><meta property="og:locale" content="fr_FR">', 'fr'],
  ])('has the language of %s', (html, language) => {
    expect(read(html).language).toBe(language);
  });

  test.each<[string, object, string | null]>([
    ['a code', { address: { addressCountry: 'USA' } }, 'United States'],
    [
      'an object',
      { address: { addressCountry: { '@type': 'Country', name: 'France' } } },
      'France',
    ],
    ['a place', { location: { address: [{ addressCountry: 'gb' }] } }, 'United Kingdom'],
    ['no unknown name', { address: { addressCountry: 'Atlantis' } }, null],
    ['no text', { address: 'Hauptstr. 1, Berlin, Germany' }, null],
    ['not one of several', { address: [{ addressCountry: 'DE' }, { addressCountry: 'FR' }] }, null],
  ])('has the country of an address: %s', (_, facts, country) => {
    expect(read(organization(facts)).country).toBe(country);
  });

  test.each([
    ['<meta name="geo.region" content="DE-BE">', 'Germany'],
    ['<p class="adr"><span class="country-name">Spain</span></p>', 'Spain'],
  ])('has the country of %s', (html, country) => {
    expect(read(html).country).toBe(country);
  });

  test.each<[string, number | null]>([
    ['Acme was founded in 2011 by two friends.', 2011],
    ['Our story. Founded in 2011, we serve many.', 2011],
    ['Est. 1998', 1998],
    ['Family-owned and trusted by bakers since 1921.', 1921],
    ['Das Unternehmen wurde gegründet im Jahr 1987.', 1987],
    ['Founded in 2009, Agari partnered with many to fight phishing attacks.', null],
    ['Our investor Beta was founded in 1970.', null],
    ['We have used PostgreSQL since 2015.', null],
    ['© 2009–2026 Acme', null],
    ['Acme was founded in 2031.', null],
    ['Acme was founded in 2011. Acme was founded in 2012.', null],
  ])('has the year of foundation of its text: %s', (text, year) => {
    expect(
      read(`${'<meta property="og:site_name" content="Acme">'}<p>${text}</p>`).foundedYear,
    ).toBe(year);
  });

  test('has no year of foundation of the text of an article, but of its data', () => {
    const article = '<meta property="og:type" content="article"><p>Acme was founded in 2011.</p>';
    expect(read(article + organization({})).foundedYear).toBeNull();
    expect(read(article + organization({ foundingDate: 1999 })).foundedYear).toBe(1999);
    expect(read(organization({ foundingDate: '19995' })).foundedYear).toBeNull();
  });

  test.each<[string, string, string | null]>([
    [
      'by https before http',
      '<link rel=icon href="http://a.example/i.png"><link rel=icon href="https://a.example/i.png">',
      'https://a.example/i.png',
    ],
    [
      'relative to the base',
      '<base href="https://cdn.example/x/"><link rel="shortcut icon" href="i.png">',
      'https://cdn.example/x/i.png',
    ],
    [
      'the largest icon',
      '<link rel=icon sizes=16x16 href=/s.png><link rel=icon sizes=192x192 href=/l.png>',
      'https://www.acme.example/l.png',
    ],
    [
      'an icon before a wide logo',
      `${organization({ logo: { url: '/w.png', width: 600, height: 60 } })}<link rel=icon href=/i.png>`,
      'https://www.acme.example/i.png',
    ],
    [
      'a wide logo before none',
      organization({ logo: { url: '/w.png', width: 600, height: 60 } }),
      'https://www.acme.example/w.png',
    ],
    [
      'no data or script',
      '<link rel=icon href="data:image/png;base64,AA"><link rel=icon href="javascript:alert(1)">',
      null,
    ],
  ])('has a logo: %s', (_, html, logoUrl) => {
    expect(read(html).logoUrl).toBe(logoUrl);
  });

  test('has profiles of its own only: no shared links, posts, persons and other accounts', () => {
    const links = [
      ...['https://www.facebook.com/sharer/sharer.php?u=x', 'https://twitter.com/intent/tweet'],
      ...['https://www.linkedin.com/in/ann', 'https://twitter.com/acme/status/1'],
      ...['https://instagram.com/other', 'https://instagram.com/acme.official'],
      ...['https://github.com/first', 'https://github.com/second', 'https://fb.com/acme/'],
    ];
    const page = read(links.map((href) => `<a href="${href}">x</a>`).join(''));
    expect(page.socialProfiles).toEqual([
      { network: 'Facebook', url: 'https://facebook.com/acme' },
      { network: 'Instagram', url: 'https://instagram.com/acme.official' },
    ]);
  });
});

describe('the state of a site', () => {
  test.each([
    ['a phrase', '<title>acme.example</title><h1>This domain is for sale!</h1>', 'parked'],
    [
      'a frame of a parking company',
      '<iframe src="https://www.sedoparking.com/acme"></iframe>',
      'parked',
    ],
    ['a default page', '<title>Welcome to nginx!</title><h1>Welcome to nginx!</h1>', 'dead'],
    ['a suspended account', '<h1>Account Suspended</h1>', 'dead'],
    ['an empty page', '<html><body></body></html>', 'dead'],
    ['a page of a script', '<div id=root></div><script src=/app.js></script>', 'alive'],
    ['a long text about domains', `<p>Buy this domain. ${'Some text. '.repeat(400)}</p>`, 'alive'],
  ])('is by %s', (_, html, state) => {
    expect(read(html).liveness.state).toBe(state);
  });

  test('is parked where a redirect leads to a dealer', () => {
    expect(read('<p>x</p>', 'https://www.hugedomains.com/acme').liveness.state).toBe('parked');
  });

  test.each([
    ['<time datetime="2026-02-03">3 Feb</time><time datetime="2025-01-01">', '2026-02-03'],
    [
      '<time datetime="2027-01-01">an event to come</time><time datetime="2024-01-01">',
      '2024-01-01',
    ],
    [jsonLd({ '@type': 'BlogPosting', datePublished: '2025-06-01T10:00:00+02:00' }), '2025-06-01'],
    ['<a href="/blog/2025/11/09/a-post">A post</a>', '2025-11-09'],
    ['<meta property="article:published_time" content="2025-10-01T00:00:00Z">', '2025-10-01'],
  ])('has the latest post: %s', (html, day) => {
    expect(read(html).liveness.lastPostAt?.toISOString().slice(0, 10)).toBe(day);
  });
});

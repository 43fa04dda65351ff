// Tests docs/spec/search.md 7.2.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { foldName } from '@vcds/name-search';
import { closedAfterAll, describeWithData, runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { Q_LENGTH_MAX } from '../../src/search/search-request.ts';
import { openSearchFixture } from './support/search-fixture.ts';

const fixture = await closedAfterAll(
  openSearchFixture([
    { name: 'Acme', website: 'https://www.acme.com/en' },
    { name: 'Acme Labs', website: 'https://labs.acme.com' },
    { name: 'Foo', website: 'http://foo.co.uk' },
    { name: 'Bar', website: 'http://bar.co.uk' },
    { name: 'Weblog', website: 'https://weblog.github.io' },
    { name: 'Weblog Two', website: 'https://other.github.io' },
    { name: 'Münchner', website: 'https://münchner.de' },
    { name: 'App One', website: 'https://play.google.com/store/apps/details?id=com.one' },
    { name: 'App Two', website: 'https://play.google.com/store/apps/details?id=com.two&hl=de' },
    { name: 'Letter One', website: 'https://one.substack.com' },
    { name: 'Shared One', website: 'https://www.linkedin.com/company/one' },
    { name: 'Shared Two', website: 'https://www.linkedin.com/company/two' },
    { name: 'On X', website: 'https://twitter.com/OnX' },
    { name: 'Channel', website: 'https://www.youtube.com/channel/UCaB' },
    { name: 'Fund One', website: 'https://house.vc/one', type: 'fund' },
    { name: 'Fund Two', website: 'https://house.vc/two', type: 'fund' },
    { name: 'Deleted', website: 'https://deleted.com', deleted: true },
    { name: 'Numbers', website: 'http://127.0.0.1/' },
    { name: 'Stripe' },
    { name: 'Wrong Stripe', website: 'https://stripe.com' },
    { name: 'Globex', website: 'https://globex.com' },
    { name: 'Globex', website: 'https://globex.io', type: 'fund' },
    {
      name: 'Known',
      identifiers: ['linkedin:known', 'lei:5493001KJTIIGC8Y1R12', 'domain:known.org'],
    },
    { name: 'Known Site', website: 'https://known.org' },
    { name: 'Unlisted', website: 'https://unlisted.example' },
  ]),
);

const found = async (website: string) =>
  (await fixture.find({ website })).map(({ Name, Score }) => [Name, Score]);

test.each([
  'acme.com',
  'www.acme.com',
  'ACME.COM',
  'http://acme.com',
  'Https://www.Acme.com/en',
  '//acme.com',
  'https://acme.com/en/?ref=1#top',
  'acme.com/en',
  'https://acme.com:443/en',
  ' acme.com. ',
  'someone@acme.com',
])('%s finds the company at the host first', async (website) => {
  const [first] = await fixture.find({ website });
  expect(first).toMatchObject({ Name: 'Acme', MatchedOn: 'website', Domain: 'acme.com' });
  expect(first?.Score).toBeGreaterThanOrEqual(0.99);
});

test('hosts of one network are one, and capitals of codes matter', async () => {
  for (const website of ['x.com/onx', 'https://twitter.com/OnX/', 'mobile.twitter.com/onx']) {
    expect([website, await found(website)]).toEqual([website, [['On X', 1]]]);
  }
  expect(await found('x.com/other')).toEqual([]);
  expect(await found('youtube.com/channel/UCaB')).toEqual([['Channel', 1]]);
  expect(await found('youtube.com/channel/UCAB')).toEqual([]);
});

test('the same page scores 1', async () => {
  expect((await found('https://www.acme.com/en'))[0]).toEqual(['Acme', 1]);
});

test('a subdomain finds the company of the domain with a lower score, and vice versa', async () => {
  expect(await found('blog.acme.com')).toEqual([
    ['Acme', 0.85],
    ['Acme Labs', 0.8],
  ]);
  expect(await found('acme.com')).toEqual([
    ['Acme', 0.99],
    ['Acme Labs', 0.85],
  ]);
});

test.each(['baz.co.uk', 'co.uk', 'third.github.io', 'github.io', 'uk', 'com', '127.0.0.2'])(
  '%s finds nothing: a shared public suffix does not count',
  async (website) => {
    expect(await found(website)).toEqual([]);
  },
);

test('an internationalized host is found in both spellings', async () => {
  expect(await found('münchner.de')).toEqual([['Münchner', 1]]);
  expect(await found('xn--mnchner-n2a.de')).toEqual([['Münchner', 1]]);
});

test('on a shared host only the path identifies the company', async () => {
  expect(await found('https://linkedin.com/company/one')).toEqual([['Shared One', 1]]);
  expect(await found('https://linkedin.com/company/one/about')).toEqual([['Shared One', 0.99]]);
  expect(await found('https://linkedin.com/company/three')).toEqual([]);
});

test('of two companies of one host, the one of the page comes first', async () => {
  expect(await found('https://house.vc/two')).toEqual([
    ['Fund Two', 1],
    ['Fund One', 0.99],
  ]);
});

test('a deleted record is never found', async () => {
  expect(await found('deleted.com')).toEqual([]);
});

test.each(['', ' ', 'not a site', '😀', 'http://', '://', '%', '\0', '[::1]', '-', '..'])(
  'a site without a host finds nothing: %j',
  async (website) => {
    expect(await found(website)).toEqual([]);
  },
);

describe('q that looks like a site', () => {
  test('finds the company at that site first, and the company of that name', async () => {
    const matches = await fixture.find({ q: 'stripe.com' });
    expect(matches.map(({ Name, MatchedOn }) => [Name, MatchedOn])).toEqual([
      ['Wrong Stripe', 'both'],
      ['Stripe', 'name'],
    ]);
  });

  test('is a site if it has a scheme, also below a suffix that is not in public use', async () => {
    const matches = await fixture.find({ q: 'https://unlisted.example/about' });
    expect(matches).toMatchObject([{ Name: 'Unlisted', MatchedOn: 'website' }]);
  });

  test('is only a site if it has a scheme', async () => {
    const matches = await fixture.find({ q: 'https://www.acme.com/en' });
    expect(matches[0]).toMatchObject({ Name: 'Acme', MatchedOn: 'website', Score: 1 });
  });

  test('gives a similar name of another site a lower score', async () => {
    const [elsewhere] = await fixture.find({ q: 'acme.org' });
    expect(elsewhere).toMatchObject({ Name: 'Acme', MatchedOn: 'name' });
    expect(elsewhere?.Score).toBeLessThan(0.8);
  });
});

describe('q and website together', () => {
  test('hits on both come before hits on one', async () => {
    const matches = await fixture.find({ q: 'Globex', website: 'globex.io' });
    expect(matches.map(({ Domain, MatchedOn }) => [Domain, MatchedOn])).toEqual([
      ['globex.io', 'both'],
      ['globex.com', 'name'],
    ]);
    expect(matches.map(({ Score }) => Score)).toEqual([1, 0.7]);
  });

  test('a similar name at the site comes before the exact name at another', async () => {
    await fixture.insert(
      { name: 'Initech Software Group', website: 'initech.io' },
      { name: 'Initech', website: 'initech.org' },
    );
    const matches = await fixture.find({ q: 'Initech', website: 'initech.io' });
    expect(matches.map(({ Domain }) => Domain)).toEqual(['initech.io', 'initech.org']);
  });

  test('a match of the site alone, with another name, has a lower score', async () => {
    const matches = await fixture.find({ q: 'Unheard Of', website: 'globex.com' });
    expect(matches).toHaveLength(1);
    expect(matches[0]).toMatchObject({ Domain: 'globex.com', MatchedOn: 'website', Score: 0.7 });
  });
});

test('no text makes a search fail', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary', maxLength: Q_LENGTH_MAX }),
      fc.option(fc.string({ unit: 'binary', maxLength: 100 }), { nil: undefined }),
      async (q, website) => {
        const matches = await fixture.find({ q, ...(website === undefined ? {} : { website }) });
        for (const { Score } of matches) {
          expect(Score).toBeGreaterThan(0);
          expect(Score).toBeLessThanOrEqual(1);
        }
      },
    ),
    runs(50, 3_000),
  );
});

test('names of the maximum length can be searched for', async () => {
  for (const text of ['a'.repeat(200), 'ab '.repeat(66), '漢'.repeat(200), "'".repeat(200)]) {
    expect(await fixture.find({ q: text, website: text })).toEqual([]);
  }
});

test('names that grow when they are folded, and very long words, can be stored and found', async () => {
  const names = ['ﷺ'.repeat(500), '㌀'.repeat(300), 'z'.repeat(2_500), `${'y'.repeat(900)} tail`];
  await fixture.insert(...names.map((name) => ({ name })));
  expect(await fixture.names('ﷺ'.repeat(20))).toEqual([names[0]]);
});

const FILE = 'robustness/blns/blns.json';

describeWithData(
  'the Big List of Naughty Strings',
  (folder) => {
    const strings: string[] = JSON.parse(readFileSync(join(folder, FILE), 'utf8'));

    test('each can be a name, and is found if it has visible characters', async () => {
      const visible = strings.map((each) => each.replaceAll('\0', ''));
      const names = visible.filter((each) => foldName(each) !== '');
      await fixture.insert(...names.map((name) => ({ name })));
      for (const name of names.filter(({ length }) => length <= Q_LENGTH_MAX)) {
        const matches = await fixture.find({ q: name, top: 100, fields: ['Name', 'Score'] });
        if (/^\s*https?:/u.test(name)) continue;
        expect([name, matches.some((match) => match.Name === name)]).toEqual([name, true]);
      }
    });

    test('none makes a search by site fail', async () => {
      for (const website of strings) await fixture.find({ website });
    });
  },
  [FILE],
);

test('one page of a shared host is found on its country servers, by its id, and no other one', async () => {
  expect(await found('https://de.linkedin.com/company/one/')).toEqual([['Shared One', 1]]);
  expect(await found('play.google.com/store/apps/details?hl=fr&id=com.two')).toEqual([
    ['App Two', 1],
  ]);
  expect(await found('play.google.com/store/apps/details?id=com.three')).toEqual([]);
  expect(await found('two.substack.com')).toEqual([]);
  expect(await found('"one.substack.com",')).toEqual([['Letter One', 1]]);
});

describe('an identifier', () => {
  test.each([
    ['q', 'linkedin:known'],
    ['q', 'LinkedIn: Known'],
    ['q', 'https://www.linkedin.com/company/Known/about/?trk=x'],
    ['q', 'linkedin.com/company/known'],
    ['q', 'lei:5493001kjtiigc8y1r12'],
    ['website', 'https://de.linkedin.com/company/known'],
  ])('%s=%s finds the company that has it, and no other', async (parameter, text) => {
    const matches = await fixture.find({ [parameter]: text });
    expect(matches.map(({ Name, Score, MatchedOn }) => [Name, Score, MatchedOn])).toEqual([
      ['Known', 1, 'identifier'],
    ]);
  });

  test.each([
    ['website', 'https://www.known.org/about', 0.99],
    ['q', 'https://known.org', 1],
  ])(
    '%s=%s finds the company at the site first, then one that states its domain',
    async (parameter, text, score) => {
      const matches = await fixture.find({ [parameter]: text });
      expect(matches.map(({ Name, Score, MatchedOn }) => [Name, Score, MatchedOn])).toEqual([
        ['Known Site', score, 'website'],
        ['Known', 0.98, 'identifier'],
      ]);
    },
  );

  test('that no company has finds none, and a name with a colon is a name', async () => {
    expect(await fixture.find({ q: 'crunchbase:known' })).toEqual([]);
    expect((await fixture.find({ q: 'Re: Known' }))[0]).toMatchObject({ Name: 'Known' });
  });
});

// Tests docs/spec/resources.md 4.19.
import { describe, expect, test } from '@jest/globals';
import { identifierOf, readIdentifier, SCHEME_NAMES, siteIdentifier } from '@vcds/venture-model';
import fc from 'fast-check';

describe('every form of one identifier', () => {
  test.each([
    ['linkedin:acme', 'linkedin:acme'],
    ['https://www.linkedin.com/company/Acme/?trk=x#about', 'linkedin:acme'],
    ['de.linkedin.com/company/acme/about', 'linkedin:acme'],
    ['linkedin:https://linkedin.com/school/acme', 'linkedin:acme'],
    ['LinkedIn: Acme ', 'linkedin:acme'],
    ['https://linkedin.com/company/caf%C3%A9', 'linkedin:café'],
    ['twitter:@Acme', 'x:acme'],
    ['https://twitter.com/ACME/status/1', 'x:acme'],
    ['https://mobile.twitter.com/acme', 'x:acme'],
    ['x:https://x.com/@acme', 'x:acme'],
    ['crunchbase:/company/acme-labs', 'crunchbase:acme-labs'],
    ['http://www.crunchbase.com/organization/acme-labs/people', 'crunchbase:acme-labs'],
    ['https://crunchbase.com/financial-organization/acme-ventures', 'crunchbase:acme-ventures'],
    ['https://www.facebook.com/Acme.Inc/', 'facebook:acmeinc'],
    ['https://fb.com/acmeinc?ref=x', 'facebook:acmeinc'],
    ['https://m.facebook.com/pages/Acme/123456789', 'facebook:123456789'],
    ['https://www.facebook.com/p/Acme-100012345678/', 'facebook:100012345678'],
    ['https://www.facebook.com/profile.php?id=100012345678', 'facebook:100012345678'],
    ['lei:5493001kjtiigc8y1r12', 'lei:5493001KJTIIGC8Y1R12'],
    ['lei:5493 001K JTII GC8Y 1R12', 'lei:5493001KJTIIGC8Y1R12'],
    ['wikidata:q312', 'wikidata:Q312'],
    ['https://www.wikidata.org/wiki/Q312', 'wikidata:Q312'],
    ['http://www.wikidata.org/entity/Q312', 'wikidata:Q312'],
    ['registry:gb:01234567', 'registry:GB:01234567'],
    ['registry:United Kingdom: 1234567', 'registry:GB:01234567'],
    ['registry:us-de:4567890', 'registry:US-DE:4567890'],
    ['registry:DE:HRB 12345 B', 'registry:DE:HRB12345B'],
    ['domain:https://www.blog.acme.co.uk/about', 'domain:acme.co.uk'],
    ['https://www.acme.com/', 'domain:acme.com'],
    ['domain:acme.substack.com', 'domain:acme.substack.com'],
  ])('%s is stored as %s', (written, stored) => {
    expect(readIdentifier(written)).toEqual({ identifier: stored });
  });

  test('a stored identifier is stored as it is', () => {
    const value = fc.oneof(
      fc.webUrl(),
      fc.domain(),
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.stringMatching(/^[A-Z]{2}:[0-9A-Z -]{1,12}$/),
    );
    fc.assert(
      fc.property(fc.constantFrom(...SCHEME_NAMES), value, (scheme, written) => {
        const { identifier } = identifierOf(scheme, written);
        fc.pre(identifier !== undefined);
        expect(identifier.startsWith(`${scheme}:`)).toBe(true);
        expect(readIdentifier(identifier)).toEqual({ identifier });
      }),
      { numRuns: 500 },
    );
  });
});

test.each([
  ['acme', 'has no scheme: write scheme:value with one of domain, linkedin'],
  ['myspace:acme', 'has the unknown scheme "myspace": write'],
  ['constructor:acme', 'has the unknown scheme'],
  ['linkedin:', 'is no linkedin identifier: it takes the name in the URL of a company page'],
  ['https://www.linkedin.com/in/ada', 'is no linkedin identifier'],
  ['linkedin:https://acme.com', 'is no linkedin identifier'],
  ['https://www.crunchbase.com/person/ada', 'is no crunchbase identifier'],
  ['https://x.com/search?q=acme', 'is no x identifier'],
  ['x:a name', 'is no x identifier'],
  ['https://www.facebook.com/groups/1234567', 'is no facebook identifier'],
  ['lei:5493001KJTIIGC8Y1R13', 'is no lei identifier: it takes 20 letters and digits with a valid'],
  ['wikidata:P31', 'is no wikidata identifier'],
  ['registry:01234567', 'is no registry identifier: it takes a country'],
  ['registry:XX:01234567', 'is no registry identifier'],
  ['registry:GB:none', 'is no registry identifier'],
  ['domain:linkedin.com', 'is no domain identifier: it takes a domain that one company has'],
  ['domain:co.uk', 'is no domain identifier'],
  ['domain:not a domain', 'is no domain identifier'],
  [`linkedin:${'a'.repeat(500)}`, 'is longer than 500 characters'],
])('%s is none, and the fault says what is expected', (written, fault) => {
  expect(readIdentifier(written).fault).toContain(fault);
});

test.each([
  ['https://www.acme.com/', 'domain:acme.com'],
  ['http://acme.com/en/', 'domain:acme.com'],
  ['http://acme.co.uk/index.html', 'domain:acme.co.uk'],
  ['https://maps.google.com', undefined],
  ['https://www.google.com/earth/', undefined],
  ['https://www.linkedin.com/company/acme', 'linkedin:acme'],
  ['https://medium.com/acme', undefined],
  ['https://acme.substack.com', 'domain:acme.substack.com'],
])('the site %s gives the identifier %s', (website, identifier) => {
  expect(siteIdentifier(website)).toBe(identifier);
});

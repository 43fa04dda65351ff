import { expect, test } from '@jest/globals';
import countries from 'i18n-iso-countries/index.js';
import { canonicalCountry, countryName } from '../src/dimensions/index.ts';

test.each([
  [
    'United States',
    ['US', 'USA', 'usa', 'U.S.', 'U.S.A.', 'United States of America', 'the United States'],
  ],
  [
    'United Kingdom',
    [
      'GB',
      'UK',
      'GBR',
      'Great Britain',
      'England',
      'Scotland',
      'United Kingdom of Great Britain and Northern Ireland',
    ],
  ],
  ['Netherlands', ['NL', 'NLD', 'Holland', 'The Netherlands', 'Kingdom of the Netherlands']],
  ['Czechia', ['CZ', 'CZE', 'Czech Republic', 'czech  republic']],
  [
    'South Korea',
    ['KR', 'KOR', 'Korea', 'Republic of Korea', 'Korea, Republic of', 'Korea (Republic of)'],
  ],
  [
    'North Korea',
    ['KP', "Democratic People's Republic of Korea", 'Korea, Democratic People’s Republic of'],
  ],
  ['Germany', ['DE', 'deu', 'Federal Republic of Germany']],
  ['France', ['FR', 'French Republic']],
  ['Russia', ['RU', 'Russian Federation']],
  ['China', ['CN', "People's Republic of China", 'PRC']],
  ['Taiwan', ['TW', 'Republic of China', 'Taiwan, Province of China']],
  ['Türkiye', ['TR', 'Turkey', 'Turkiye', 'Republic of Türkiye']],
  ['Ivory Coast', ["Côte d'Ivoire", 'Cote d’Ivoire', 'CIV']],
  ['Republic of the Congo', ['CG', 'Congo', 'Congo-Brazzaville']],
  ['DR Congo', ['CD', 'Democratic Republic of the Congo', 'Congo, Democratic Republic of the']],
  ['Bolivia', ['Bolivia, Plurinational State of', 'Plurinational State of Bolivia']],
  ['Bosnia and Herzegovina', ['BA', 'Bosnia & Herzegovina']],
  ['Saint Lucia', ['LC', 'St. Lucia']],
  ['Vietnam', ['Viet Nam', 'VN', 'Socialist Republic of Vietnam']],
  ['Ireland', ['IE', 'Republic of Ireland']],
])('%s is also spelled %j', (name, spellings) => {
  for (const spelling of [name, name.toUpperCase(), ...spellings]) {
    expect([spelling, canonicalCountry(spelling)]).toEqual([spelling, name]);
  }
});

test('every code and name of the library maps to one name, and that name to itself', () => {
  const known = Object.entries(countries.getNames('en', { select: 'all' }));
  expect(known.length).toBeGreaterThan(245);
  const labels = new Set<string>();
  for (const [code, names] of known) {
    const label = countryName(code);
    expect(canonicalCountry(label)).toBe(label);
    expect(canonicalCountry(countries.alpha2ToAlpha3(code) ?? '')).toBe(label);
    for (const name of names) if (name !== 'Congo') expect(canonicalCountry(name)).toBe(label);
    labels.add(label);
  }
  expect(labels.size).toBe(known.length);
});

test.each([
  'Atlantis',
  'European Union',
  'XQ',
  '',
  'Republic of',
  ' of ',
  'constructor',
  'a'.repeat(1e5),
])('%j names no country and is returned unchanged', (text) => {
  expect(canonicalCountry(text)).toBeUndefined();
  expect(countryName(text)).toBe(text);
});

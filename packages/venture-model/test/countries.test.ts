// Tests docs/spec/query-language.md 5.5.
// Tests docs/spec/categories.md 8.3.
// Tests docs/spec/import.md 14.6.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { describeWithData } from '@vcds/test-kit';
import countries from 'i18n-iso-countries';
import { canonicalCountry, countryName } from '../src/dimensions/index.ts';

const REFERENCE = 'reference/iso/country-codes.csv';

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
  [
    'Netherlands',
    [
      'Netherlands (the)',
      'Netherlands (Kingdom of the)',
      'NL',
      'NLD',
      'Holland',
      'The Netherlands',
      'Kingdom of the Netherlands',
    ],
  ],
  ['Czechia', ['CZ', 'CZE', 'Czech Republic', 'czech  republic']],
  [
    'South Korea',
    ['KR', 'KOR', 'Korea', 'Republic of Korea', 'Korea, Republic of', 'Korea (Republic of)'],
  ],
  [
    'North Korea',
    ['KP', "Democratic People's Republic of Korea", 'Korea, Democratic People’s Republic of'],
  ],
  ['Germany', ['DE', 'deu', 'Federal Republic of Germany', 'Deutschland', 'Allemagne', '德國']],
  ['Japan', ['日本', '日本国', 'el Japón', 'Japon (le)']],
  ['Belgium', ['Bỉ', 'België', 'Royaume de Belgique']],
  ['Greece', ['EL', 'Ελλάδα', 'Hellas']],
  ['Kosovo', ['XK', 'XKX', 'Republic of Kosovo']],
  ['Afghanistan', ['阿富汗伊斯兰共和国', "Afghanistan (l')"]],
  ['Brazil', ['República Federativa do Brasil', 'Brasil']],
  ['Eswatini', ['Swaziland (Eswatini)', 'Kingdom of Eswatini (the)']],
  ['France', ['FR', 'French Republic']],
  ['Russia', ['RU', 'Russian Federation']],
  ['China', ['CN', "People's Republic of China", 'PRC']],
  ['Taiwan', ['TW', 'Republic of China', 'Taiwan, Province of China']],
  ['Türkiye', ['TR', 'Turkey', 'Turkiye', 'Republic of Türkiye']],
  ['Ivory Coast', ["Côte d'Ivoire", 'Cote d’Ivoire', 'CIV']],
  ['Republic of the Congo', ['CG', 'Congo', 'Congo-Brazzaville']],
  ['DR Congo', ['CD', 'Democratic Republic of the Congo', 'Congo, Democratic Republic of the']],
  [
    'Bolivia',
    [
      'Bolivia, Plurinational State of',
      'Plurinational State of Bolivia',
      'Bolivia (Plurinational State of)',
      'Bolivie (État plurinational de)',
    ],
  ],
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

test('a name in another language names the country, unless two countries have it', () => {
  const unclear = new Set<string>();
  for (const language of countries.getSupportedLanguages()) {
    const named = countries.getNames(language, { select: 'all' });
    for (const [code, names] of Object.entries(named)) {
      for (const name of names) {
        const found = canonicalCountry(name);
        if (found !== countryName(code)) unclear.add(`${name}: ${found}`);
      }
    }
  }
  expect([...unclear].sort()).toMatchInlineSnapshot(`
[
  "ABD: undefined",
  "An Congó: undefined",
  "Congo: Republic of the Congo",
  "DU: undefined",
  "Eýran: Iran",
  "Fas: undefined",
  "Kongo: undefined",
  "Kongó: undefined",
  "Man: undefined",
  "Nga: Nigeria",
  "República Democrática do Congo: DR Congo",
  "SAM: undefined",
  "Shën Martin: undefined",
  "São Martinho: undefined",
  "Tai: undefined",
  "UDA: undefined",
  "Конго: Republic of the Congo",
  "Свети Мартин: undefined",
  "މެލޭޝިޔާ: Malaysia",
  "މޮންގޯލިއާ: Mongolia",
  "މޮރޮކޯ: Morocco",
]
`);
});

describeWithData(
  'reference names of ISO and the United Nations',
  (folder) => {
    test('every name in every language names the country of its row', () => {
      const [header = [], ...rows] = csvRows(readFileSync(join(folder, REFERENCE), 'utf8'));
      const columns = header.flatMap((name, at) =>
        /UNTERM|official_name|CLDR|currency_country_name|Alpha-[23]/u.test(name) ? [at] : [],
      );
      const code = header.indexOf('ISO3166-1-Alpha-2');
      expect([columns.length, rows.length]).toEqual([22, 249]);
      const apart = rows.flatMap((row) => {
        const country = canonicalCountry(row[code] ?? '');
        const names = columns.map((at) => row[at] ?? '').filter((name) => name !== '');
        return names.filter((name) => canonicalCountry(name) !== country);
      });
      expect(apart).toEqual([]);
    });
  },
  [REFERENCE],
);

/** The rows of a comma separated text with quoted fields. */
function csvRows(text: string): string[][] {
  const fields = /,(?:"((?:[^"]|"")*)"|([^",\r\n]*))/gmu;
  const lines = text.trim().match(/(?:"(?:[^"]|"")*"|[^"\r\n])+/gu) ?? [];
  return lines.map((line) =>
    [...`,${line}`.matchAll(fields)].map(
      ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
    ),
  );
}

test.each([
  'Kongo',
  'Paris, France',
  'Atlantis (Lost)',
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

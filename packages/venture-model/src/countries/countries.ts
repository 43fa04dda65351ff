/**
 * Countries by ISO 3166-1: codes of two and three letters, official and common names in the
 * languages of `i18n-iso-countries` and of Unicode's CLDR (by `Intl`), and the one English name of
 * each that is stored, counted and returned.
 */
import { createRequire } from 'node:module';
import countries from 'i18n-iso-countries/index.js';
import { COMMON_NAMES, SHARED_NAMES } from './country-table.ts';
import { foldCountry } from './fold-country.ts';
import { ARTICLES, withoutForm } from './official-name.ts';
import { UN_NAMES } from './un-names.ts';

/** A longer text names no country. */
const LENGTH_MAX = 100;

/** Languages that only CLDR has, and other ways to write one. */
const CLDR_LANGUAGES =
  'zh-Hant fil gu pa te si ne my lo zu is lb fo cy mt sr-Latn bs-Cyrl uz-Cyrl en-GB'.split(' ');

type Codes = ReadonlyMap<string, string>;

const common = rowsOf(COMMON_NAMES);
const require = createRequire(import.meta.url);
const english = libraryNames('en');
const LABELS = new Map(
  Object.entries(english).map(([code, [name = code]]) => [code, common.get(code)?.[0] ?? name]),
);
const ENGLISH = englishCodes();

const OTHER_LANGUAGES: { codes?: Codes; shared?: ReadonlySet<string> } = {};

/**
 * Reads the names in other languages than English (0.1 to 0.2 s, once in a process). A service does
 * so before its first call; else the first text does that no English name fits.
 */
export function loadCountryNames(): Codes {
  OTHER_LANGUAGES.codes ??= otherCodes();
  return OTHER_LANGUAGES.codes;
}

/** All names in their compared form with the stored name, and those that two countries have. */
export function namesOfCountries() {
  const labelled = (codes: Codes) =>
    new Map([...codes].map(([name, code]) => [name, LABELS.get(code) ?? code]));
  const others = labelled(loadCountryNames());
  return { english: labelled(ENGLISH), others, shared: OTHER_LANGUAGES.shared ?? new Set() };
}

/**
 * The name under which a country is stored, for a code, an official or a common name of it in any
 * of the languages, whatever its case, accents and dots: `USA`, `uk`, `Holland`, `Deutschland`,
 * `日本`, `Korea, Republic of`, `Bolivia (Plurinational State of)`, `Netherlands (the)`.
 *
 * @returns undefined for a text that names no country, or two in different languages (`Kongo`).
 */
export function canonicalCountry(text: string): string | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const code =
    codeOf(text) ?? codeOf(withoutArticle(text)) ?? qualified(text) ?? officialCode(text);
  return code === undefined ? undefined : LABELS.get(code);
}

/** The code of two letters of a country under its stored name. */
export function countryCode(name: string): string | undefined {
  return ENGLISH.get(foldCountry(name));
}

/** As {@link canonicalCountry}; a text that names no country stays as it is. */
export function countryName(text: string): string {
  return canonicalCountry(text) ?? text;
}

function codeOf(text: string): string | undefined {
  const folded = foldCountry(text);
  if (folded === '') return undefined;
  const key = keyOf(text) ?? folded;
  const code = ENGLISH.get(key);
  if (code !== undefined) return code;
  return loadCountryNames().get(key) ?? ENGLISH.get(folded);
}

/** `Bolivia, Plurinational State of`, `Netherlands (the)`, `Swaziland (Eswatini)`. */
function qualified(text: string): string | undefined {
  let end = text.length;
  while (/[\s*]/u.test(text.charAt(end - 1))) end -= 1;
  const [, name, before] = /^([^,(（]+)[,(（]([^)）]*)[)）]?$/u.exec(text.slice(0, end)) ?? [];
  if (name === undefined || before === undefined) return undefined;
  if (ARTICLES.has(foldCountry(before))) return codeOf(name) ?? officialCode(name);
  // Arabic marks the place of the name with a dash.
  const parts = before.split(/ - /u);
  const whole = parts.length === 2 ? `${parts[0]} ${name} ${parts[1]}` : `${before} ${name}`;
  const code = codeOf(name);
  return codeOf(whole) ?? officialCode(whole) ?? (codeOf(before) === code ? code : undefined);
}

/** `la Hongrie`, `l'Australie`, `el Japón`. */
function withoutArticle(text: string): string {
  const [article = '', ...rest] = foldCountry(text).split(' ');
  return ARTICLES.has(article) ? rest.join(' ') : '';
}

function officialCode(text: string): string | undefined {
  const name = withoutForm(foldCountry(text));
  const code = name === undefined ? undefined : codeOf(name);
  return code === undefined || SHARED_NAMES.has(code) ? undefined : code;
}

function englishCodes(): Codes {
  const codes = new Map<string, string>();
  for (const [code, listed] of Object.entries(english)) {
    const own = common.get(code) ?? [];
    for (const name of [...own, ...listed, code, countries.alpha2ToAlpha3(code) ?? code]) {
      const folded = foldCountry(name);
      // The library names two countries "Congo"; the table has the one to use.
      if (!codes.has(folded) || own.includes(name)) codes.set(folded, code);
    }
  }
  return codes;
}

function rowsOf(table: string): ReadonlyMap<string, readonly string[]> {
  const rows = table.trim().split('\n');
  return new Map(rows.map((row) => row.split('|')).map(([code = '', ...names]) => [code, names]));
}

/** A name that two countries have, in one language or in two, names neither. */
function otherCodes(): Codes {
  const codes = new Map<string, string>();
  const shared = new Set<string>();
  const add = (code: string, name: string): void => {
    const key = keyOf(name);
    if (key === undefined || ENGLISH.has(key)) return;
    if ((codes.get(key) ?? code) !== code) shared.add(key);
    codes.set(key, code);
  };
  const languages = countries.getSupportedLanguages();
  for (const language of languages) {
    for (const [code, names] of Object.entries(libraryNames(language))) {
      for (const name of names) add(code, name);
    }
  }
  for (const language of [...languages, ...CLDR_LANGUAGES]) {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    for (const code of LABELS.keys()) add(code, names.of(code) ?? '');
  }
  for (const key of shared) codes.delete(key);
  OTHER_LANGUAGES.shared = shared;
  for (const [code, names] of rowsOf(UN_NAMES)) {
    for (const name of names) codes.set(foldCountry(name), code);
  }
  return codes;
}

/** Latin names of up to three letters, as `Mỹ`, count only with their accents: others are codes. */
function keyOf(name: string): string | undefined {
  const folded = foldCountry(name);
  if (!/^[a-z]{1,3}$/u.test(folded)) return folded === '' ? undefined : folded;
  const written = asWritten(name);
  return written === folded ? undefined : written;
}

function asWritten(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function libraryNames(language: string): Readonly<Record<string, readonly string[]>> {
  const { countries: names } = require(`i18n-iso-countries/langs/${language}.json`) as {
    readonly countries: Readonly<Record<string, string | readonly string[]>>;
  };
  return Object.fromEntries(Object.entries(names).map(([code, name]) => [code, [name].flat()]));
}

/**
 * Countries by ISO 3166-1: codes of two and three letters, official and common English names, and
 * the one name of each that is stored, counted and returned.
 */
import { createRequire } from 'node:module';
import countries from 'i18n-iso-countries/index.js';

/** A longer text names no country. */
const LENGTH_MAX = 100;

/** The common name where the library starts with a formal one, and names that it lacks. */
const COMMON_NAMES = `
US|United States|America
GB|United Kingdom|Britain|England|Scotland|Wales|Northern Ireland|United Kingdom of Great Britain and Northern Ireland
NL|Netherlands|Holland
CZ|Czechia|Czech Rep
KR|South Korea|Korea
KP|North Korea|DPRK|Democratic People's Republic of Korea
RU|Russia
CN|China|PRC|Mainland China
TW|Taiwan|Republic of China|Chinese Taipei
HK|Hong Kong|Hong Kong SAR|Hong Kong SAR China
MO|Macao|Macau|Macao SAR China
VN|Vietnam|Viet Nam
TR|Türkiye|Turkey
CI|Ivory Coast
CG|Republic of the Congo|Congo|Congo-Brazzaville
CD|DR Congo|DRC|Congo-Kinshasa|Democratic Republic of the Congo
BN|Brunei
CV|Cape Verde|Cabo Verde
FK|Falkland Islands
FM|Micronesia|Federated States of Micronesia
GM|Gambia
IR|Iran
LA|Laos|Lao PDR
MD|Moldova
MK|North Macedonia|Macedonia|FYROM
MM|Myanmar|Burma
PS|Palestine|Palestinian Territories|Palestinian Territory
RE|Réunion
ST|São Tomé and Príncipe
SX|Sint Maarten
SY|Syria
SZ|Eswatini|Swaziland
TL|Timor-Leste|East Timor
TZ|Tanzania
VA|Vatican City|Vatican|Holy See
VG|British Virgin Islands
VI|United States Virgin Islands|US Virgin Islands
AR|Argentina|Argentine Republic
CH|Switzerland|Swiss Confederation
FR|France|French Republic
GR|Greece|Hellenic Republic
IT|Italy|Italian Republic
KG|Kyrgyzstan|Kyrgyz Republic
LB|Lebanon|Lebanese Republic
MX|Mexico|United Mexican States
PT|Portugal|Portuguese Republic
SK|Slovakia|Slovak Republic
`;

/** The words before "of" in official names: Kingdom of Norway, Federal Republic of Germany. */
const FORMS = new Set(
  'commonwealth confederation duchy emirate federation kingdom principality republic state states sultanate union'.split(
    ' ',
  ),
);

const NAMES = namesByFold();

/**
 * The name under which a country is stored, for a code, an official or a common name of it,
 * whatever its case, accents and dots: `USA`, `uk`, `Holland`, `Korea, Republic of`.
 *
 * @returns undefined for a text that names no country.
 */
export function canonicalCountry(text: string): string | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  return NAMES.get(fold(text)) ?? invertedName(text) ?? officialName(fold(text));
}

/** As {@link canonicalCountry}; a text that names no country stays as it is. */
export function countryName(text: string): string {
  return canonicalCountry(text) ?? text;
}

/** `Bolivia, Plurinational State of`. */
function invertedName(text: string): string | undefined {
  const comma = text.indexOf(',');
  if (comma === -1) return undefined;
  const name = fold(`${text.slice(comma + 1)} ${text.slice(0, comma)}`);
  return NAMES.get(name) ?? officialName(name);
}

function officialName(folded: string): string | undefined {
  const at = folded.indexOf(' of ');
  const form = folded.slice(0, at).split(' ').at(-1) ?? '';
  if (at === -1 || !FORMS.has(form)) return undefined;
  return NAMES.get(folded.slice(at + 4).replace(/^the /u, ''));
}

function namesByFold(): ReadonlyMap<string, string> {
  const require = createRequire(import.meta.url);
  countries.registerLocale(require('i18n-iso-countries/langs/en.json'));
  const common = new Map(
    COMMON_NAMES.trim()
      .split('\n')
      .map((row) => row.split('|'))
      .map(([code = '', ...names]) => [code, names]),
  );
  const byFold = new Map<string, string>();
  const known = Object.entries(countries.getNames('en', { select: 'all' }));
  for (const [code, listed] of known) {
    const names = [...(common.get(code) ?? []), ...listed];
    const [label = code] = names;
    const spellings = [...names, code, countries.alpha2ToAlpha3(code) ?? code];
    for (const spelling of spellings) {
      const folded = fold(spelling);
      // The library names two countries "Congo"; the table above has the one to use.
      if (!byFold.has(folded) || common.get(code)?.includes(spelling)) byFold.set(folded, label);
    }
  }
  return byFold;
}

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replaceAll('&', ' and ')
    .replace(/[.'’`]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the /u, '')
    .replace(/^st /u, 'saint ');
}

/**
 * The schemes of identifiers of companies and how a value of each is written
 * (docs/spec/resources.md 4.19). One row says everything about a scheme: what values it has, the
 * hosts whose pages name one, and how it is read.
 */
import { canonicalCountry, countryCode } from '../countries/countries.ts';
import { SHARED_HOSTS } from '../sites/shared-hosts.ts';
import { websiteForms } from '../sites/website-forms.ts';

/** A page that may name a company: its host, and the parts of its path. */
export interface Page {
  readonly host: string;
  readonly segments: readonly string[];
  readonly query: string;
}

export interface SchemeRow {
  /** The form of a value with an example, for messages. */
  readonly form: string;
  /** Hosts whose pages name a company; none for codes and domains. */
  readonly hosts: readonly string[];
  /** The stored value of a bare value; undefined if it cannot be one. */
  readonly ofText: (text: string) => string | undefined;
  /** The stored value that a page of `hosts` names; undefined if it names no company. */
  readonly ofPage?: (page: Page) => string | undefined;
}

/** A name in a path of a network, at most 100 characters. */
const SLUG = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._&'+-]{0,99}$/u;
const NO_HANDLES: ReadonlySet<string> = new Set(
  'home search intent share hashtag i login signup explore settings about privacy tos'.split(' '),
);
const NO_PAGES: ReadonlySet<string> = new Set(
  'sharer sharer.php share.php groups events people watch login help policies hashtag'.split(' '),
);

const slug = (text: string | undefined): string | undefined => {
  const name = text?.normalize('NFC').toLowerCase();
  return name !== undefined && SLUG.test(name) ? name : undefined;
};

/** The name after one of `kinds` in a path: `/company/acme/about`. */
const slugAfter =
  (...kinds: readonly string[]) =>
  ({ segments: [kind = '', name] }: Page): string | undefined =>
    kinds.includes(kind.toLowerCase()) ? slug(name) : undefined;

/** Also `/company/acme`, as exports write a permalink. */
function slugOf(text: string, ofPage: (page: Page) => string | undefined): string | undefined {
  if (!text.includes('/')) return slug(text);
  const segments = text.split('/').filter((part) => part !== '');
  return ofPage({ host: '', segments, query: '' });
}

const linkedinPage = slugAfter('company', 'school', 'showcase', 'company-beta');
const crunchbasePage = slugAfter(
  ...['organization', 'company', 'financial-organization', 'school', 'service-provider'],
);

function handle(text: string | undefined): string | undefined {
  const name = text?.replace(/^@/u, '').toLowerCase() ?? '';
  return /^[a-z0-9_]{1,15}$/u.test(name) && !NO_HANDLES.has(name) ? name : undefined;
}

/** Facebook ignores the dots of a name; a page without a name has a number. */
function facebookName(text: string | undefined): string | undefined {
  const name = text?.replace(/^@/u, '').toLowerCase() ?? '';
  if (NO_PAGES.has(name)) return undefined;
  return slug(name.replaceAll('.', ''));
}

function facebookPage({ segments, query }: Page): string | undefined {
  const [first = '', second = '', third = ''] = segments;
  const kind = first.toLowerCase();
  if (kind === 'profile.php') return /(?:^|&)id=(\d{1,20})(?:&|$)/u.exec(query)?.[1];
  const numbered = kind === 'pages' ? third || second : kind === 'p' ? second : undefined;
  if (numbered === undefined) return facebookName(kind === 'pg' ? second : first);
  return /(?:^|-)(\d{5,20})$/u.exec(numbered)?.[1] ?? facebookName(numbered);
}

/** ISO 17442: 18 letters and digits and two check digits, ISO 7064 MOD 97-10. */
function lei(text: string): string | undefined {
  const code = text.toUpperCase();
  if (!/^[A-Z0-9]{18}\d{2}$/u.test(code)) return undefined;
  let rest = 0;
  for (const sign of code) {
    const value = Number.parseInt(sign, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1 ? code : undefined;
}

const wikidataItem = (text: string | undefined): string | undefined =>
  text !== undefined && /^Q[1-9]\d{0,14}$/iu.test(text) ? text.toUpperCase() : undefined;

/** A number of the register of a country: `GB:01234567`. */
function registration(text: string): string | undefined {
  const at = text.indexOf(':');
  const [place = '', part] = text
    .slice(0, Math.max(at, 0))
    .trim()
    .split(/-(?=[^-]*$)/u);
  const country = canonicalCountry(place);
  const code = country === undefined ? undefined : countryCode(country);
  const isPart = part === undefined || /^[A-Z0-9]{1,3}$/iu.test(part);
  const number = text
    .slice(at + 1)
    .replace(/\s/gu, '')
    .toUpperCase();
  if (at < 1 || code === undefined || !isPart) return undefined;
  if (!/^(?=.*\d)[A-Z0-9][A-Z0-9./-]{0,39}$/u.test(number)) return undefined;
  // Companies House writes eight digits; spreadsheets remove the zeros before them.
  const written = code === 'GB' && /^\d{5,7}$/u.test(number) ? number.padStart(8, '0') : number;
  return `${code}${part === undefined ? '' : `-${part.toUpperCase()}`}:${written}`;
}

function domain(text: string): string | undefined {
  const forms = websiteForms(text);
  if (forms === null || SHARED_HOSTS.has(forms.host)) return undefined;
  const { registrable } = forms;
  return registrable === null || SHARED_HOSTS.has(registrable) ? undefined : registrable;
}

/** By name, in the order in which a record lists them. */
export const SCHEMES = {
  domain: {
    form: 'a domain that one company has, such as domain:acme.com',
    hosts: [],
    ofText: domain,
  },
  linkedin: {
    form: 'the name in the URL of a company page, such as linkedin:acme',
    hosts: ['linkedin.com'],
    ofText: (text) => slugOf(text, linkedinPage),
    ofPage: linkedinPage,
  },
  crunchbase: {
    form: 'the permalink of an organization, such as crunchbase:acme',
    hosts: ['crunchbase.com'],
    ofText: (text) => slugOf(text, crunchbasePage),
    ofPage: crunchbasePage,
  },
  x: {
    form: 'an account name of at most 15 letters, digits and underscores, such as x:acme',
    hosts: ['x.com', 'twitter.com'],
    ofText: handle,
    ofPage: ({ segments: [name, ...rest] }) => (rest[0] === 'lists' ? undefined : handle(name)),
  },
  facebook: {
    form: 'the name or the number of a page, such as facebook:acme',
    hosts: ['facebook.com', 'fb.com'],
    ofText: facebookName,
    ofPage: facebookPage,
  },
  lei: {
    form: '20 letters and digits with a valid checksum, such as lei:5493001KJTIIGC8Y1R12',
    hosts: [],
    ofText: (text) => lei(text.replace(/\s/gu, '')),
  },
  wikidata: {
    form: 'the number of an item, such as wikidata:Q312',
    hosts: ['wikidata.org'],
    ofText: wikidataItem,
    ofPage: ({ segments: [kind = '', item] }) =>
      /^(?:wiki|entity)$/iu.test(kind) ? wikidataItem(item) : undefined,
  },
  registry: {
    form: 'a country of ISO 3166 and a number of its register, such as registry:GB:01234567',
    hosts: [],
    ofText: registration,
  },
} as const satisfies Readonly<Record<string, SchemeRow>>;

export type Scheme = keyof typeof SCHEMES;

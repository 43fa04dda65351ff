/**
 * Identifiers of companies: texts `scheme:value` (docs/spec/resources.md 4.19). The one place that
 * normalizes them, for imports, filters, searches and matches.
 */

import { parseUrl } from '../sites/parse-url.ts';
import { SHARED_HOSTS } from '../sites/shared-hosts.ts';
import { websiteForms, websiteHost } from '../sites/website-forms.ts';
import { type Page, SCHEMES, type Scheme, type SchemeRow } from './schemes.ts';

export type { Scheme } from './schemes.ts';

export const SCHEME_NAMES = Object.keys(SCHEMES) as readonly Scheme[];
/** The most characters of a value as callers write it. */
export const IDENTIFIER_MAX = 500;

const ROWS: ReadonlyMap<string, SchemeRow> = new Map(Object.entries(SCHEMES));
/** Other names of schemes. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['twitter', 'x'],
  ['website', 'domain'],
]);
const BY_HOST: ReadonlyMap<string, Scheme> = new Map(
  SCHEME_NAMES.flatMap((name) => SCHEMES[name].hosts.map((host) => [host, name] as const)),
);

/** An identifier as it is stored, or why a text is none: a clause that follows what was written. */
export type ReadIdentifier =
  | { readonly identifier: string; readonly fault?: undefined }
  | { readonly identifier?: undefined; readonly fault: string };

/**
 * Reads `scheme:value`, or the URL of a profile or a site. Each form of one identifier gives the
 * same text: `https://www.linkedin.com/company/Acme/?x`, `linkedin:acme`.
 */
export function readIdentifier(text: string): ReadIdentifier {
  const given = text.trim();
  if (given.length > IDENTIFIER_MAX) return tooLong();
  const [, name = '', value = ''] = /^([a-z_]+)\s*:(?!\/\/)\s*(.*)$/isu.exec(given) ?? [];
  const scheme = schemeNamed(name);
  if (scheme !== undefined) return identifierOf(scheme, value);
  if (/^https?:\/\//iu.test(given) || isProfile(given)) return ofAddress(given);
  const what = name === '' ? 'has no scheme' : `has the unknown scheme ${JSON.stringify(name)}`;
  return { fault: `${what}: write scheme:value with one of ${SCHEME_NAMES.join(', ')}` };
}

/** Reads a value of a scheme, which may be the URL of a page that names it. */
export function identifierOf(schemeName: string, written: string): ReadIdentifier {
  const scheme = schemeNamed(schemeName);
  if (scheme === undefined) {
    return { fault: `has an unknown scheme: use one of ${SCHEME_NAMES.join(', ')}` };
  }
  const row: SchemeRow = SCHEMES[scheme];
  const value = written.trim();
  if (value.length > IDENTIFIER_MAX) return tooLong();
  // `linkedin:linkedin:acme` of a mapping that adds the scheme twice is no value.
  const page = row.ofPage === undefined ? undefined : pageOf(value, row.hosts);
  const stored = page === undefined ? row.ofText(value) : row.ofPage?.(page);
  if (stored !== undefined) return { identifier: `${scheme}:${stored}` };
  return { fault: `is no ${scheme} identifier: it takes ${row.form}` };
}

/** The parts of a stored identifier. */
export function identifierParts(identifier: string): { Scheme: string; Value: string } {
  const at = identifier.indexOf(':');
  return { Scheme: identifier.slice(0, at), Value: identifier.slice(at + 1) };
}

/**
 * The identifier that the site of a company gives: its domain if the site is the root of it, or the
 * profile if it is a page of a network. A page below a root, and a host of a domain with others
 * (`maps.google.com`), may be a product of another company and give none.
 */
export function siteIdentifier(website: string): string | undefined {
  const forms = websiteForms(website);
  if (forms === null) return undefined;
  if (SHARED_HOSTS.has(forms.host)) {
    return BY_HOST.has(forms.host) ? ofAddress(website).identifier : undefined;
  }
  if (forms.host !== forms.registrable || !ROOT.test(forms.path)) return undefined;
  return identifierOf('domain', forms.host).identifier;
}

/** The root of a site: itself, a language, a name of its first page. */
const ROOT = /^(?:\/(?:[a-z]{2}(?:[-_][a-z]{2})?|home|(?:index|default)(?:\.[a-z]{3,5})?))?$/u;

function schemeNamed(name: string): Scheme | undefined {
  const folded = name.trim().toLowerCase();
  const known = ALIASES.get(folded) ?? folded;
  return ROWS.has(known) ? (known as Scheme) : undefined;
}

/** Whether a text without a scheme is the address of a page of a network: `linkedin.com/company/a`. */
function isProfile(text: string): boolean {
  return !/\s/u.test(text) && text.includes('/') && BY_HOST.has(websiteHost(text));
}

function ofAddress(text: string): ReadIdentifier {
  return identifierOf(BY_HOST.get(websiteHost(text)) ?? 'domain', text);
}

function pageOf(value: string, hosts: readonly string[]): Page | undefined {
  if (!value.includes('.') || !hosts.includes(websiteHost(value))) return undefined;
  const url = parseUrl(/^[a-z]+:\/\//iu.test(value) ? value : `https://${value}`);
  if (url === null) return undefined;
  const segments = url.pathname.split('/').filter((part) => part !== '');
  return { host: url.host, segments: segments.map(decoded), query: url.search.slice(1) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function tooLong(): ReadIdentifier {
  return { fault: `is longer than ${IDENTIFIER_MAX} characters` };
}

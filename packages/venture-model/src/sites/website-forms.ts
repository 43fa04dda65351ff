import { domainToASCII } from 'node:url';
import { getDomain, parse } from 'tldts';

/** A site as its host, in A-labels and without `www.`, and the path below it. */
export interface WebsiteForms {
  readonly host: string;
  /** The registrable domain: a public suffix and one more label; null without one. */
  readonly registrable: string | null;
  /** Lower case, without query, fragment and slashes at its end; empty for the root. */
  readonly path: string;
}

// Companies run some of the suffixes: github.io, blogspot.com.
const SUFFIXES = { allowPrivateDomains: true, validateHostname: false } as const;

/**
 * Reads a site given as an address, a host or a bare domain; of a mail address, its domain.
 *
 * @returns null when there is no host in it.
 */
export function websiteForms(text: string): WebsiteForms | null {
  const { authority, path } = partsOf(text);
  const host = hostOf(authority);
  if (host === '') return null;
  return {
    host,
    registrable: getDomain(host, SUFFIXES),
    path: path.replace(/(?<!\/)\/+$/u, '').toLowerCase(),
  };
}

/** The host alone, as {@link websiteForms} reads it; empty when there is none. */
export function websiteHost(text: string): string {
  return hostOf(partsOf(text).authority);
}

/** The host in A-labels, with its `www.`: two of them may be different servers. */
export function websiteHostname(text: string): string {
  return hostnameOf(partsOf(text).authority);
}

function partsOf(text: string) {
  const schemeless = text.trim().replace(/^(?:[a-z][a-z0-9+.-]*:\/+|https?:|\/\/)/iu, '');
  const [, authority = '', path = ''] = /^([^/?#\\]*)([^?#]*)/u.exec(schemeless) ?? [];
  return { authority, path };
}

function hostOf(authority: string): string {
  return hostnameOf(authority).replace(/^www\d?\.(?=[^.]+\.)/u, '');
}

function hostnameOf(authority: string): string {
  const named = authority
    .replace(/^.*@/u, '')
    .replace(/:\d*$/u, '')
    .replace(/(?<!\.)\.+$/u, '');
  return domainToASCII(named);
}

/** Whether a text is the address of a page, with its scheme. */
export function isWebAddress(text: string): boolean {
  return /^\s*https?:\/\/\S+\s*$/iu.test(text);
}

/** Whether a text that names a company may be its site too: 'stripe.com', 'Booking.com'. */
export function looksLikeWebsite(text: string): boolean {
  const trimmed = text.trim();
  if (/\s/u.test(trimmed) || !trimmed.includes('.')) return false;
  const host = websiteForms(trimmed)?.host ?? '';
  const { domain, isIcann, isPrivate } = parse(host, SUFFIXES);
  return domain !== null && (isIcann === true || isPrivate === true);
}

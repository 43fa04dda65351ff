import { domainToASCII } from 'node:url';
import { getDomain, parse } from 'tldts';
import { hostedDomain, isCodedPath, SHARED_HOSTS } from './shared-hosts.ts';

/** A site as its host, in A-labels and without `www.`, and the path below it. */
export interface WebsiteForms {
  readonly host: string;
  /** The registrable domain: a public suffix and one more label; null without one. */
  readonly registrable: string | null;
  /**
   * Without fragment and slashes at its end; empty for the root. In lower case, unless it is a code
   * of a shared host: `/channel/UCab`. Without query, except on a shared host for the parameter that
   * names the page: `/store/apps/details?id=com.acme`.
   */
  readonly path: string;
}

/** Country and language, and versions for telephones, in front of a shared host. */
const VARIANT =
  /^(?:[a-z]{2}(?:-[a-z]{2})?|m|mobile|amp|touch|mbasic|lite|web|w{3}-[a-z]+)\.(.+)$/u;

/** Parameters that name a page of a shared host. */
const PAGE_PARAMETER = /^(?:id|v|list|p|page_?id|cid|uid|user|channel|app|blogid|phone)=./iu;

// Companies run some of the suffixes: github.io, blogspot.com.
const SUFFIXES = { allowPrivateDomains: true, validateHostname: false } as const;

/**
 * Reads a site given as an address, a host or a bare domain; of a mail address, its domain.
 *
 * @returns null when there is no host in it.
 */
export function websiteForms(text: string): WebsiteForms | null {
  const { authority, path, query } = partsOf(text);
  const host = hostOf(authority);
  if (host === '') return null;
  const page = path.replace(/(?<!\/)\/+$/u, '') + (SHARED_HOSTS.has(host) ? pageQuery(query) : '');
  return {
    host,
    registrable: hostedDomain(host) ?? getDomain(host, SUFFIXES),
    path: isCodedPath(host, page) ? page : page.toLowerCase(),
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

function pageQuery(query: string): string {
  const named = query.split('&').filter((pair) => PAGE_PARAMETER.test(pair));
  return named.length === 0 ? '' : `?${named.sort().join('&')}`;
}

function partsOf(text: string) {
  const schemeless = unwrapped(text).replace(/^(?:[a-z][a-z0-9+.-]*:\/+|https?:|\/\/)/iu, '');
  const [, authority = '', path = '', query = ''] =
    /^([^/?#\\]*)([^?#]*)(?:\?([^#]*))?/u.exec(schemeless) ?? [];
  return { authority, path, query };
}

/** Without the quotes, brackets and punctuation around an address in a sentence or a table. */
export function unwrapped(text: string): string {
  return trimmedEnds(text, /[\s"'`<([{“”„‘’«»‹›]/u, /[\s"'`>)\]}“”„‘’«»‹›,;!]/u);
}

function trimmedEnds(text: string, before: RegExp, after: RegExp): string {
  let [start, end] = [0, text.length];
  while (start < end && before.test(text.charAt(start))) start += 1;
  while (end > start && after.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

// The servers of a shared host for countries and telephones have the same pages.
function hostOf(authority: string): string {
  const host = hostnameOf(authority).replace(/^www\d?\.(?=[^.]+\.)/u, '');
  const [, shared = ''] = VARIANT.exec(host) ?? [];
  return SHARED_HOSTS.has(shared) && !SHARED_HOSTS.has(host) ? shared : host;
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

import { domainToASCII } from 'node:url';
import { getDomain, parse } from 'tldts';

/** A site as its host, in A-labels and without `www.`, and the path below it. */
export interface WebsiteForms {
  readonly host: string;
  /** The domain a company registers: the public suffix and one label more; null for none. */
  readonly registrable: string | null;
  /** Without query and trailing slashes, folded; the empty string for the root. */
  readonly path: string;
}

/**
 * Reads a site given as an address, a host or a bare domain.
 *
 * @returns null when there is no host in it.
 */
export function websiteForms(text: string): WebsiteForms | null {
  const withoutScheme = text.trim().replace(/^[a-z][a-z0-9+.-]*:\/*|^\/\//iu, '');
  const [, authority = '', rest = ''] = /^([^/?#\\]*)([^?#]*)/u.exec(withoutScheme) ?? [];
  const host = hostOf(authority);
  if (host === '') return null;
  const path = rest.replace(/\/+$/u, '').toLowerCase();
  return { host, registrable: registrableOf(host), path };
}

function hostOf(authority: string): string {
  const named = authority.replace(/^.*@/u, '').replace(/:\d*$/u, '').replace(/\.+$/u, '');
  const ascii = domainToASCII(named.replace(/\s/gu, ''));
  return ascii.replace(/^www\d?\.(?=[^.]+\.)/u, '');
}

function registrableOf(host: string): string | null {
  return getDomain(host, { allowPrivateDomains: true, validateHostname: false });
}

/** Whether a text that names a company could be its site: 'stripe.com', 'https://stripe.com/'. */
export function looksLikeWebsite(text: string): boolean {
  const trimmed = text.trim();
  if (/\s/u.test(trimmed) || !trimmed.includes('.')) return false;
  const site = websiteForms(trimmed);
  if (site === null || site.registrable === null) return false;
  const { isIcann, isPrivate } = parse(site.host, { allowPrivateDomains: true });
  return isIcann === true || isPrivate === true;
}

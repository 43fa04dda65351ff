import { createHash } from 'node:crypto';
import { parseUrl, unwrapped, websiteForms } from '@vcds/venture-model';
import { assertPublicUrl, OutboundError } from '../outbound-http/index.ts';
import { SiteError } from './site-error.ts';

const WEBSITE_LENGTH_MAX = 2_048;

/** A website that is to be read. */
export interface Site {
  /** The host without `www.`, and the path and query, without slashes at its end. */
  readonly website: string;
  /** Identifies the page: the same for every spelling of the website. */
  readonly pageDigest: string;
  /** Identifies the requests: an error over http is none of the same website over https. */
  readonly errorDigest: string;
  /** The URLs to try, in order: each only if the one before it is not reachable. */
  readonly urls: readonly string[];
}

/**
 * Parses a website. Without a scheme, https is tried before http; a domain that does not respond
 * is tried with `www.` before it.
 *
 * @throws SiteError bad_parameter or address_not_public.
 */
export function siteOf(text: string): Site {
  const trimmed = unwrapped(text).replace(/(?<=[a-z0-9])[.,;]+$/iu, '');
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed);
  const url = parse(hasScheme ? trimmed : `https://${trimmed}`);
  const forms = websiteForms(url.href);
  if (forms === null) throw notAWebsite();
  const schemes = hasScheme ? [url.protocol] : ['https:', 'http:'];
  const urls = schemes.map((scheme) => url.href.replace(/^https?:/, scheme));
  if (forms.registrable === url.hostname) {
    urls.push(url.href.replace('//', '//www.'));
  }
  for (const candidate of urls) assertRequestable(candidate);
  const port = url.port === '' ? '' : `:${url.port}`;
  const on = (host: string) =>
    `${host}${port}${url.pathname}${url.search}`.replace(/(?<!\/)\/+$/, '');
  // The domain itself is also read with `www.`; other hosts may be other servers.
  const isOfDomain = url.hostname === `www.${forms.registrable}`;
  const pageDigest = digestOf(on(isOfDomain ? forms.host : url.hostname));
  return { website: on(forms.host), pageDigest, errorDigest: digestOf(urls.join(' ')), urls };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function parse(text: string): URL {
  const url = text.length <= WEBSITE_LENGTH_MAX ? parseUrl(text) : null;
  if (url === null) throw notAWebsite();
  url.hash = '';
  return url;
}

function assertRequestable(url: string): void {
  try {
    assertPublicUrl(url);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const reason = error.reason === 'address_not_public' ? error.reason : 'bad_parameter';
    throw new SiteError(reason, error.message, { cause: error });
  }
}

function notAWebsite(): SiteError {
  return new SiteError('bad_parameter', 'The website is not an http or https URL or a domain.');
}

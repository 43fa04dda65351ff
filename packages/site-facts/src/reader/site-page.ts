import type { ResponseHeaders } from '../outbound-http/index.ts';

export interface ReadSiteRequest {
  /** An address, a host or a bare domain. */
  readonly website: string;
  /** The account on whose behalf the site is read; its concurrent reads are limited. */
  readonly accountId: string;
  /** Aborts the read; its reason is thrown as it is. */
  readonly signal?: AbortSignal | undefined;
}

/** The page of a site, as it was read at `fetchedAt`. */
export interface SitePage {
  /** The website as it was looked up: host without `www.`, and path. */
  readonly website: string;
  /** The URL of the page, after redirects. */
  readonly finalUrl: string;
  readonly fetchedAt: Date;
  /** 200 to 299. */
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The decoded page; it may be empty. */
  readonly html: string;
}

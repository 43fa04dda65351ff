import { SiteError, type SiteReason } from './site-error.ts';
import type { SitePage } from './site-page.ts';

/** A page that was read for this call. */
export type FreshPage = Omit<SitePage, 'website' | 'age'>;

/** A result as JSON: a page, or the error of a site. */
export type CachedResult =
  | (Omit<FreshPage, 'fetchedAt'> & { readonly fetchedAtMs: number })
  | { readonly reason: SiteReason; readonly message: string; readonly status?: number | undefined };

/** The form of a result in the cache. */
export function cachedResult(result: FreshPage | SiteError): CachedResult {
  if (result instanceof SiteError) {
    const { reason, message, status } = result;
    return { reason, message, status };
  }
  const { fetchedAt, ...page } = result;
  return { ...page, fetchedAtMs: fetchedAt.getTime() };
}

/**
 * The page of a cached result.
 *
 * @throws SiteError if the result is an error.
 */
export function sitePage(website: string, result: CachedResult, nowMs: number): SitePage {
  if ('reason' in result) throw new SiteError(result.reason, result.message, result);
  const { fetchedAtMs, ...page } = result;
  const age = Math.max(1, Math.ceil((nowMs - fetchedAtMs) / 1000));
  return { website, age, ...page, fetchedAt: new Date(fetchedAtMs) };
}

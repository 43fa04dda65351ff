import type { ReadSiteRequest, SitePage } from './site-page.ts';

export interface SiteReader {
  /**
   * The page of a website, or the cached one of the last hour. Takes at most 10 s.
   *
   * @throws SiteError with the reason; the reason of `signal`.
   */
  readSite(request: ReadSiteRequest): Promise<SitePage>;
}

/** @file Reads pages of company sites politely: robots.txt, pacing, bounds, a cache. */

export { SiteError, type SiteErrorDetails, type SiteReason } from './site-error.ts';
export type { ReadSiteRequest, SitePage } from './site-page.ts';
export type { SiteReader } from './site-reader.ts';

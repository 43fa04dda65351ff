/** @file Reads pages of company sites politely: robots.txt, pacing, bounds. */

export {
  openSiteReader,
  SITE_VARIABLES,
  type SiteSettings,
  siteTestAddress,
} from './open-site-reader.ts';
export { ROBOT_TOKEN } from './robots.ts';
export { siteOf } from './site.ts';
export { SiteError, type SiteErrorDetails, type SiteReason } from './site-error.ts';
export type { ReadSiteRequest, SitePage } from './site-page.ts';
export { SiteReader, type SiteReaderOptions } from './site-reader.ts';
export { TRAFFIC_LIMITS, type TrafficLimits } from './traffic.ts';

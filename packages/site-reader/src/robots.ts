import { type OutboundClient, OutboundError, type Page } from '@vcds/outbound-http';
import { robotsKey } from './redis-keys.ts';
import { type RobotsRules, reduceRobots, robotsRules } from './robots-rules.ts';
import type { SiteCache } from './site-cache.ts';
import { SiteError } from './site-error.ts';

/** The name in the User-agent lines of a robots.txt. */
export const ROBOT_TOKEN = 'VCDS-Bot';

const CACHE_MS = 24 * 3_600_000;
/** How long a site is left alone whose robots.txt cannot be served. */
const OUTAGE_CACHE_MS = 5 * 60_000;
const NOTHING_ALLOWED = 'User-agent: *\nDisallow: /\n';

/**
 * The rules of the robots.txt of an origin, as RFC 9309 has it: a status of 400 to 499 and a
 * redirect without end allow everything, 500 to 599 nothing. 429 is an outage, too.
 *
 * @throws OutboundError if the origin does not respond; SiteError site_refused, unavailable.
 */
export async function readRobots(
  client: OutboundClient,
  cache: SiteCache,
  url: URL,
  signal: AbortSignal,
): Promise<RobotsRules> {
  const key = robotsKey(url.origin);
  const cached = await cache.get(key);
  if (typeof cached === 'string') return robotsRules(url.origin, cached);
  const page = await fetchRobots(client, url, signal);
  const isOutage = page !== undefined && (page.status >= 500 || page.status === 429);
  const reduced = isOutage ? NOTHING_ALLOWED : reduceRobots(textOf(page), ROBOT_TOKEN);
  await cache.set(key, reduced, isOutage ? OUTAGE_CACHE_MS : CACHE_MS);
  return robotsRules(url.origin, reduced);
}

async function fetchRobots(
  client: OutboundClient,
  { origin }: URL,
  signal: AbortSignal,
): Promise<Page | undefined> {
  try {
    return await client.fetchPage(`${origin}/robots.txt`, {
      accept: 'text/plain, */*;q=0.5',
      signal,
    });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.reason === 'too_many_redirects') return undefined;
    if (error.reason !== 'too_large') throw error;
    throw new SiteError('site_refused', 'The robots.txt of the site is too large.');
  }
}

function textOf(page: Page | undefined): string {
  return page !== undefined && page.status >= 200 && page.status < 300 ? page.body.toString() : '';
}

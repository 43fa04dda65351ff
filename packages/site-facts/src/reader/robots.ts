import type { Clock } from '@vcds/service-kit';
import { LRUCache } from 'lru-cache';
import { type OutboundClient, OutboundError, type Page } from '../outbound-http/index.ts';
import { type RobotsRules, reduceRobots, robotsRules } from './robots-rules.ts';
import { SiteError } from './site-error.ts';

/** The name in the User-agent lines of a robots.txt. */
export const ROBOT_TOKEN = 'VCDS-Bot';

const CACHE_MS = 24 * 3_600_000;
/** How long a site is left alone whose robots.txt cannot be served. */
const OUTAGE_CACHE_MS = 5 * 60_000;
const NOTHING_ALLOWED = 'User-agent: *\nDisallow: /\n';

/** Characters of rules that a process keeps; parsed, they take several times as much memory. */
const KEPT_LENGTH_MAX = 4 * 1024 * 1024;

interface Kept {
  readonly rules: RobotsRules;
  readonly untilMs: number;
}

/**
 * The rules of the robots.txt of origins, as RFC 9309 has it: a status of 400 to 499 and a redirect
 * without end allow everything, 500 to 599 nothing. 429 is an outage, too. They are read once a day
 * by each process, and kept parsed.
 */
export class Robots {
  readonly #client: OutboundClient;
  readonly #clock: Clock;
  readonly #kept = new LRUCache<string, Kept>({ maxSize: KEPT_LENGTH_MAX });

  constructor(client: OutboundClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** @throws OutboundError if the origin does not respond; SiteError site_refused. */
  async rulesOf(url: URL, signal: AbortSignal): Promise<RobotsRules> {
    const { origin } = url;
    const kept = this.#kept.get(origin);
    if (kept !== undefined && kept.untilMs > this.#clock.wallMs()) return kept.rules;
    const page = await fetchRobots(this.#client, url, signal);
    const isOutage = page !== undefined && (page.status >= 500 || page.status === 429);
    const reduced = isOutage ? NOTHING_ALLOWED : reduceRobots(textOf(page), ROBOT_TOKEN);
    const rules = robotsRules(origin, reduced);
    const untilMs = this.#clock.wallMs() + (isOutage ? OUTAGE_CACHE_MS : CACHE_MS);
    this.#kept.set(origin, { rules, untilMs }, { size: origin.length + reduced.length + 1_000 });
    return rules;
  }
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

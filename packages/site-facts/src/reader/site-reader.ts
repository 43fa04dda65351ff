import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, type RedisClient, systemClock } from '@vcds/service-kit';
import { LRUCache } from 'lru-cache';
import {
  type OutboundClient,
  OutboundError,
  type OutboundReason,
  type Page,
  type ResponseHead,
} from '../outbound-http/index.ts';
import { decodePage, isHtmlType, looksLikeHtml } from './decode-page.ts';
import { Robots } from './robots.ts';
import { type Site, siteOf } from './site.ts';
import { SiteError, type SiteReason } from './site-error.ts';
import type { ReadSiteRequest, SitePage } from './site-page.ts';
import { TRAFFIC_LIMITS, Traffic, type TrafficLimits } from './traffic.ts';

const TIME_MS_MAX = 10_000;
/** How long an error of a site is returned again, and how many are kept. */
const ERROR_KEPT_MS = 60_000;
const ERRORS_MAX = 2_000;
const BUSY_RETRY_SECONDS = 1;
const ACCEPT = 'text/html, application/xhtml+xml;q=0.9, */*;q=0.1';
const REJECTING_STATUSES: ReadonlySet<number> = new Set([401, 403, 407, 429, 451]);
/** Errors of this process or caller, not of the site. */
const NOT_KEPT: ReadonlySet<SiteReason> = new Set(['too_many_requests', 'unavailable']);
/** Reasons of a request after its URL was accepted: a bad URL is that of a redirect. */
const SITE_REASONS: Readonly<Record<OutboundReason, SiteReason>> = Object.freeze({
  bad_url: 'site_unreachable',
  address_not_public: 'address_not_public',
  unreachable: 'site_unreachable',
  timeout: 'site_timeout',
  too_large: 'site_too_large',
  too_many_redirects: 'site_unreachable',
  bad_response: 'site_unreachable',
});

export interface SiteReaderOptions {
  readonly client: OutboundClient;
  /** Has the limits of all processes. */
  readonly redis: RedisClient;
  readonly clock?: Clock | undefined;
  readonly limits?: Partial<TrafficLimits> | undefined;
  /** Of one read; default 10,000. */
  readonly timeMsMax?: number | undefined;
  /** Waits; for tests. */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** A page, before it has the website for which it was read. */
type FreshPage = Omit<SitePage, 'website'>;

/** Reads pages of company sites. */
export class SiteReader {
  readonly #client: OutboundClient;
  readonly #clock: Clock;
  readonly #robots: Robots;
  readonly #errors = new LRUCache<string, { error: SiteError; untilMs: number }>({
    max: ERRORS_MAX,
  });
  readonly #traffic: Traffic;
  readonly #timeMsMax: number;
  readonly #sleep: (ms: number, signal: AbortSignal) => Promise<void>;

  constructor(options: SiteReaderOptions) {
    const { client, redis, clock = systemClock, limits } = options;
    this.#client = client;
    this.#clock = clock;
    this.#robots = new Robots(client, clock);
    this.#traffic = new Traffic(redis, clock, { ...TRAFFIC_LIMITS, ...limits });
    this.#timeMsMax = options.timeMsMax ?? TIME_MS_MAX;
    this.#sleep = options.sleep ?? ((ms, signal) => delay(ms, undefined, { signal }));
  }

  /**
   * Reads the page of a website, in at most 10 s. An error of the site is returned again for a minute.
   *
   * @throws SiteError with the reason; the reason of `signal`.
   */
  async readSite({ website, accountId, signal }: ReadSiteRequest): Promise<SitePage> {
    const site = siteOf(website);
    this.#assertNoError(site);
    const lease = await this.#traffic.takeLease(accountId);
    if (typeof lease === 'string') throw busy(lease);
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(timedOut(this.#timeMsMax)), this.#timeMsMax);
    const signals = signal === undefined ? [limit.signal] : [limit.signal, signal];
    try {
      return await this.#read(site, AbortSignal.any(signals));
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
      await lease.release();
    }
  }

  #assertNoError({ errorDigest }: Site): void {
    const kept = this.#errors.get(errorDigest);
    if (kept !== undefined && kept.untilMs > this.#clock.wallMs()) throw kept.error;
  }

  async #read(site: Site, signal: AbortSignal): Promise<SitePage> {
    const outcome = await this.#outcomeOf(site, signal);
    if (!(outcome instanceof SiteError)) return { website: site.website, ...outcome };
    if (!NOT_KEPT.has(outcome.reason)) {
      const { reason, message, status } = outcome;
      // Without its cause, which may hold a response.
      const error = new SiteError(reason, message, { status });
      const untilMs = this.#clock.wallMs() + ERROR_KEPT_MS;
      this.#errors.set(site.errorDigest, { error, untilMs });
    }
    throw outcome;
  }

  async #outcomeOf(site: Site, signal: AbortSignal): Promise<FreshPage | SiteError> {
    let lastError: unknown;
    for (const url of site.urls) {
      try {
        await this.#admit(new URL(url), signal);
        return await this.#fetch(url, signal);
      } catch (error) {
        lastError = error;
        if (!(error instanceof OutboundError && error.reason === 'unreachable')) break;
      }
    }
    return siteErrorOf(lastError);
  }

  /** Waits until a URL may be requested. */
  async #admit(url: URL, signal: AbortSignal): Promise<void> {
    const rules = await this.#robots.rulesOf(url, signal);
    if (!rules.isAllowed(url)) {
      throw new SiteError('site_refused', 'The robots.txt of the site forbids reading this page.');
    }
    const turn = await this.#traffic.reserve(url.hostname, rules.crawlDelayMs);
    if (!turn.isGranted) {
      throw new SiteError('too_many_requests', 'Too many calls read this site.', {
        retryAfterSeconds: Math.ceil(turn.waitMs / 1000),
      });
    }
    if (turn.waitMs > 0) await this.#wait(turn.waitMs, signal);
  }

  async #wait(ms: number, signal: AbortSignal): Promise<void> {
    try {
      await this.#sleep(ms, signal);
    } finally {
      signal.throwIfAborted();
    }
  }

  async #fetch(url: string, signal: AbortSignal): Promise<FreshPage> {
    const page = await this.#client.fetchPage(url, {
      accept: ACCEPT,
      signal,
      timeoutMs: this.#timeMsMax,
      beforeRequest: async (next) => {
        if (next.href !== url) await this.#admit(next, signal);
      },
      checkHead: assertReadable,
    });
    return freshPage(page, new Date(this.#clock.wallMs()));
  }
}

function assertReadable({ status, headers }: ResponseHead): void {
  if (REJECTING_STATUSES.has(status)) {
    throw new SiteError('site_refused', `The site responded ${status}.`, { status });
  }
  if (status < 200 || status > 299) {
    throw new SiteError('site_unreachable', `The site responded ${status}.`, { status });
  }
  if (isHtmlType(headers['content-type']) === false) throw notHtml(status);
}

function freshPage({ finalUrl, status, headers, body }: Page, fetchedAt: Date): FreshPage {
  const type = headers['content-type'];
  const html = decodePage(body, type);
  if (isHtmlType(type) === undefined && body.length > 0 && !looksLikeHtml(html)) {
    throw notHtml(status);
  }
  return { finalUrl, fetchedAt, status, headers, html };
}

function siteErrorOf(error: unknown): SiteError {
  if (error instanceof SiteError) return error;
  if (!(error instanceof OutboundError)) throw error;
  return new SiteError(SITE_REASONS[error.reason], error.message, { cause: error });
}

function notHtml(status: number): SiteError {
  return new SiteError('not_html', 'The site did not respond with HTML.', { status });
}

function timedOut(ms: number): SiteError {
  return new SiteError('site_timeout', `The site was not read within ${ms} ms.`);
}

function busy(limit: 'account_limit' | 'limit'): SiteError {
  const whose = limit === 'limit' ? 'Too many sites' : 'Too many sites of this account';
  return new SiteError('too_many_requests', `${whose} are being read at this moment.`, {
    retryAfterSeconds: BUSY_RETRY_SECONDS,
  });
}

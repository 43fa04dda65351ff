import { type Clock, systemClock } from '@vcds/service-kit';
import { SiteError, type SiteReader } from '@vcds/site-facts/reader';
import { type ObservedKind, observationAddress } from '@vcds/venture-model';
import type pg from 'pg';
import { type CompanyObservation, stateOfError } from '../../observations/observed-pages.ts';
import {
  factsOf,
  isAccountGone,
  observationOfAccount,
  observationOfSite,
  type PageObservation,
} from './page-observations.ts';
import { recordObservation } from './record-observation.ts';
import { companiesToVisit, type SweptCompany, storeVisits } from './sweep-companies.ts';

export interface SiteSweep {
  /** The primary. */
  readonly pool: pg.Pool;
  readonly reader: Pick<SiteReader, 'readSite'>;
  /** Sites of a night. */
  readonly sitesMax: number;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  /** The sweep begins no further batch after this time. Default two hours. */
  readonly msMax?: number;
}

/** Visited sites, those that responded, and recorded observations of sites and accounts. */
export type SweepCounts = Readonly<Record<'visited' | 'responded' | 'recorded', number>>;

const WORK_MS_MAX = 7_200_000;
const BATCH_SITES = 100;
/** Fewer than the reader allows an account. */
const CONCURRENCY = 4;
const ACCOUNTS_MAX = 5;
/** In a batch with fewer responses the network of the worker is assumed to be down. */
const RESPONSE_SHARE_MIN = 0.1;
/** Fewer sites say nothing about the network: all of a small installation may be gone. */
const NETWORK_SITES_MIN = 10;
/** For the limits of the reader. */
const ACCOUNT_ID = 'status-sweep';

interface Visit {
  readonly swept: SweptCompany;
  readonly observations: readonly CompanyObservation[];
  /** Whether a server responded, in any way. */
  readonly hasResponse: boolean;
}

/**
 * Visits the sites of companies and their accounts, and records what it finds. Each batch is stored
 * when it ends, so a sweep that was stopped continues with the next batch.
 *
 * @throws Error if hardly any site of a batch of ten or more responds; its observations are not recorded, because
 *   the failures would be those of the worker's own network. The reason of `signal`.
 */
export async function sweepSites(sweep: SiteSweep): Promise<SweepCounts> {
  const { pool, sitesMax, signal, clock = systemClock, msMax = WORK_MS_MAX } = sweep;
  const startedMs = clock.monotonicMs();
  const companies = await companiesToVisit(pool, sitesMax, new Date(clock.wallMs()));
  const counts = { visited: 0, responded: 0, recorded: 0 };
  for (let at = 0; at < companies.length; at += BATCH_SITES) {
    if (clock.monotonicMs() - startedMs >= msMax) break;
    const visits = await visitAll(companies.slice(at, at + BATCH_SITES), sweep);
    const responded = visits.filter(({ hasResponse }) => hasResponse).length;
    const isConclusive = visits.length >= NETWORK_SITES_MIN;
    if (isConclusive && responded < visits.length * RESPONSE_SHARE_MIN) {
      throw new Error(
        `Only ${responded} of ${visits.length} sites responded: the network may be down.`,
      );
    }
    for (const observation of visits.flatMap(({ observations }) => observations)) {
      signal.throwIfAborted();
      if (await recordObservation(pool, observation)) counts.recorded += 1;
    }
    const visited = visits.map(({ swept }) => swept);
    await storeVisits(pool, visited, new Date(clock.wallMs()));
    counts.visited += visits.length;
    counts.responded += responded;
  }
  return counts;
}

/** Visits companies, some at a time. Leaves out those that other readers keep it from. */
async function visitAll(
  companies: readonly SweptCompany[],
  sweep: SiteSweep,
): Promise<readonly Visit[]> {
  const visits: Visit[] = [];
  const waiting = companies.values();
  const work = async (): Promise<void> => {
    for (const swept of waiting) {
      sweep.signal.throwIfAborted();
      const visit = await visitCompany(swept, sweep);
      if (visit !== null) visits.push(visit);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return visits;
}

/** @returns null if the site could not be visited now. */
async function visitCompany(swept: SweptCompany, sweep: SiteSweep): Promise<Visit | null> {
  const { company, domain } = swept;
  const url = `https://${domain}/`;
  const of = (kind: ObservedKind, at: string, seen: PageObservation): CompanyObservation => ({
    ...{ company, kind, url: at, source: 'sweep' },
    ...seen,
  });
  const site = await visitSite(domain, sweep);
  if (site === null) return null;
  const observations = site.seen === null ? [] : [of('site', url, site.seen)];
  for (const account of accountsOf(swept, site.profiles)) {
    const seen = await visitAccount(account, sweep);
    if (seen !== null) observations.push(of('social', account, seen));
  }
  return { swept, observations, hasResponse: site.hasResponse };
}

/** The result of a visit: an observation, unless the site rejects robots, and the profiles. */
interface SiteVisit {
  readonly seen: PageObservation | null;
  readonly profiles: readonly string[];
  readonly hasResponse: boolean;
}

async function visitSite(website: string, sweep: SiteSweep): Promise<SiteVisit | null> {
  const { reader, signal, clock = systemClock } = sweep;
  try {
    const page = await reader.readSite({ website, accountId: ACCOUNT_ID, signal });
    const facts = factsOf(page);
    // The profiles on the page of a registrar are those of the registrar.
    const isOwn = facts.liveness.state === 'alive';
    const profiles = isOwn ? facts.socialProfiles.map((profile) => profile.url) : [];
    return { seen: observationOfSite(page, facts), profiles, hasResponse: true };
  } catch (error) {
    const { reason, status } = visitError(error);
    if (reason === 'too_many_requests') return null;
    const state = stateOfError({ reason, status });
    const seenAt = new Date(clock.wallMs());
    const seen = state === null ? null : { state, seenAt, lastPostAt: null };
    const hasResponse = status !== undefined || state === 'alive' || reason === 'site_refused';
    return { seen, profiles: [], hasResponse };
  }
}

async function visitAccount(url: string, sweep: SiteSweep): Promise<PageObservation | null> {
  const { reader, signal, clock = systemClock } = sweep;
  try {
    const website = url.replace(/^https?:\/\//iu, '');
    const page = await reader.readSite({ website, accountId: ACCOUNT_ID, signal });
    return observationOfAccount(page, factsOf(page));
  } catch (error) {
    if (!isAccountGone(visitError(error))) return null;
    return { state: 'dead', seenAt: new Date(clock.wallMs()), lastPostAt: null };
  }
}

/**
 * The error of a site.
 * @throws any other error, and `unavailable`: without Redis the sweep cannot go on.
 */
function visitError(error: unknown): SiteError {
  if (error instanceof SiteError && error.reason !== 'unavailable') return error;
  throw error;
}

/** The accounts to visit, by their addresses: those observed before, then those of the page. */
function accountsOf({ accounts }: SweptCompany, profiles: readonly string[]): readonly string[] {
  const byAddress = new Map<string, string>();
  for (const url of [...accounts, ...profiles]) {
    const address = observationAddress('social', url);
    if (address !== null && !byAddress.has(address)) byAddress.set(address, url);
  }
  return [...byAddress.values()].slice(0, ACCOUNTS_MAX);
}

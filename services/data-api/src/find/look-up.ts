import { withHint } from '@vcds/odata-query';
import { ApiError } from '@vcds/service-kit';
import type { CompanyPage } from '@vcds/site-facts/page';
import { SiteError, type SitePage, type SiteReader, siteOf } from '@vcds/site-facts/reader';
import { SHARED_HOSTS, websiteHost, websiteHostname } from '@vcds/venture-model';
import { type CompanyObservation, stateOfError } from '../observations/observed-pages.ts';
import type { Answer } from '../postgres/database.ts';
import type { SearchDatabase } from '../search/search-request.ts';
import { findBody } from './json.ts';
import type { KeptPages, ReadPage } from './kept-pages.ts';
import { type Match, recordAt, recordLike, recordNamed } from './match.ts';
import type { PageReader } from './page-reader.ts';
import type { FindPlan } from './query.ts';

export interface FindSources {
  readonly database: SearchDatabase;
  readonly sites: Pick<SiteReader, 'readSite'>;
  readonly pages: Pick<PageReader, 'read'>;
  readonly kept: KeptPages;
  /** Hands an observation to the data worker; never fails. */
  readonly observe: (observation: CompanyObservation) => Promise<void>;
}

/** The caller of a look-up. */
export interface Caller {
  readonly accountId: string;
  /** Runs a function that reads from the database, in a slot of the account. */
  readonly read: <T>(work: () => Promise<T>) => Promise<T>;
  /** Aborts when the client disconnects; its reason is an ApiError. */
  readonly disconnected: () => AbortSignal;
  /** The credits that remained when the account's balance was last read; undefined if it is not known. */
  readonly remaining: () => number | undefined;
}

/** A site that is being looked up. */
interface LookUp {
  readonly website: string;
  /** Our record, if the site is that of a record with the name. */
  readonly named: Match | null;
  readonly sources: FindSources;
  readonly caller: Caller;
}

/**
 * Reads the site of a company (docs/spec/find.md). Takes a slot of the database only to search our
 * records, not while it waits for the site.
 *
 * @throws ApiError `not_found` for a name of no record with a website; the code of the fault of a
 *   site; as {@link PageReader.read}; `site_empty` if the page states nothing; `request_timeout` if the client disconnected.
 */
export async function lookUp(
  plan: FindPlan,
  sources: FindSources,
  caller: Caller,
): Promise<Answer> {
  if ('website' in plan) return read({ website: plan.website, named: null, sources, caller });
  const { named, website } = await caller.read(async () => {
    const found = await recordNamed(sources.database, plan.q);
    // Within the read, so that the primary confirms the absence if a replica was read.
    if (found === null || found.website === null) throw noSite(plan.q);
    return { named: found, website: found.website };
  });
  return read({ website, named, sources, caller });
}

async function read(look: LookUp): Promise<Answer> {
  const { sources, caller } = look;
  const digest = digestOf(look);
  const kept = sources.kept.get(digest);
  if (kept !== undefined) {
    const { site, facts } = kept.page;
    const match = await matchOf(look, { ...facts, url: site.finalUrl });
    return answerOf(kept.page, match, { Age: String(kept.age) });
  }
  const signal = caller.disconnected();
  const site = await pageOf(look, signal);
  const { html, finalUrl: url, headers, fetchedAt } = site;
  const input = { html, url, headers, now: fetchedAt };
  const facts = await sources.pages.read(input, caller.accountId, signal);
  const { state, lastPostAt = null } = facts.liveness;
  const match = await matchOf(look, state === 'alive' ? { ...facts, url } : undefined);
  await observe(look, match, { state, seenAt: fetchedAt, lastPostAt });
  if (state !== 'alive' || facts.evidence.length === 0) throw empty(look.website, state);
  sources.kept.keep(digest, caller.accountId, { site, facts });
  return answerOf({ site, facts }, match);
}

function answerOf(page: ReadPage, match: Match | null, headers = {}): Answer {
  return { body: findBody(page, match), records: 1, more: false, headers };
}

function digestOf(look: LookUp): string {
  try {
    return siteOf(look.website).pageDigest;
  } catch (error) {
    throw error instanceof SiteError ? asApiError(error, look) : error;
  }
}

async function pageOf(look: LookUp, signal: AbortSignal): Promise<SitePage> {
  const { website, sources, caller } = look;
  const request = { website, accountId: caller.accountId, signal };
  try {
    return await sources.sites.readSite(request);
  } catch (error) {
    if (!(error instanceof SiteError)) throw error;
    const state = stateOfError(error);
    if (state !== null) {
      const match = await matchOf(look);
      await observe(look, match, { state, seenAt: new Date(), lastPostAt: null });
    }
    throw asApiError(error, look);
  }
}

/** Our record by the website, by the address of the page, and by its name and country. */
async function matchOf(
  { website, named, sources: { database }, caller }: LookUp,
  page?: Pick<CompanyPage, 'name' | 'country'> & { readonly url: string },
): Promise<Match | null> {
  if (named !== null) return named;
  return caller.read(async () => {
    const byWebsite = await recordAt(database, [
      website,
      ...(page === undefined ? [] : [page.url]),
    ]);
    return byWebsite ?? (page === undefined ? null : recordLike(database, page));
  });
}

/** A host alone: the start page of the site. */
const HOST = /^[^/?#:@\s]+\/?$/u;

/**
 * Records an observation of the site of our record, unless many companies share its host. Only the
 * start page of the host itself shows that a site is parked or dead: a client may ask for any other
 * page, or for a host such as `www9.` that never existed.
 */
async function observe(
  { website, sources }: LookUp,
  match: Match | null,
  seen: Pick<CompanyObservation, 'state' | 'seenAt' | 'lastPostAt'>,
): Promise<void> {
  const host = websiteHost(website);
  if (match === null || SHARED_HOSTS.has(host) || websiteHost(match.website ?? '') !== host) return;
  const isStartPage =
    website === match.website ||
    (HOST.test(website.trim()) &&
      websiteHostname(website) === websiteHostname(match.website ?? ''));
  if (seen.state !== 'alive' && !isStartPage) return;
  const { company } = match;
  await sources.observe({ company, kind: 'site', url: website, source: 'find', ...seen });
}

/** A name in place of a website. */
const NAME = /^\p{L}[\p{L}\p{N} &'-]*$/u;

function asApiError(error: SiteError, { website, named }: LookUp): ApiError {
  const { reason, message, retryAfterSeconds } = error;
  const isOfCaller = reason === 'bad_parameter' || reason === 'address_not_public';
  // The website is that of our record, which is no site.
  if (isOfCaller && named !== null) return noSite(website);
  if (!isOfCaller) {
    return new ApiError(reason, message, { value: website, retryAfterSeconds }, { cause: error });
  }
  const suggestion = NAME.test(website) ? `q=${website.trim()}` : undefined;
  const details = { parameter: 'website', value: website, suggestion };
  return new ApiError(reason, withHint(message, suggestion), details, { cause: error });
}

function empty(website: string, state: CompanyPage['liveness']['state']): ApiError {
  const message =
    state === 'parked'
      ? 'The site is parked: its page is that of a registrar or a dealer of domains.'
      : 'The page of the site states no fact about a company.';
  return new ApiError('site_empty', message, { value: website });
}

function noSite(name: string): ApiError {
  const message = 'No record with this name has a website. Send the website instead.';
  return new ApiError('not_found', message, { parameter: 'q', value: name });
}

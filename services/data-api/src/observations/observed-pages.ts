import { type CompanyPage, readCompanyPage } from '@vcds/site-facts/page';
import type { SiteError, SitePage } from '@vcds/site-facts/reader';
import type { Observation, ObservedState } from '@vcds/venture-model';

/** An observation of a site or an account of a company. */
export interface CompanyObservation extends Observation {
  readonly company: { readonly type: 'startup' | 'fund'; readonly id: string };
  /** The page that was read; at most 2,000 characters. */
  readonly url: string;
  readonly source: 'find' | 'sweep';
}

/** An observation of a page, without its company. */
export type PageObservation = Pick<Observation, 'state' | 'seenAt' | 'lastPostAt'>;

/** A page of a site with the facts on it. */
export function factsOf({ html, finalUrl: url, headers, fetchedAt }: SitePage): CompanyPage {
  return readCompanyPage({ html, url, headers, now: fetchedAt });
}

/** The observation of a site that was read. */
export function observationOfSite(page: SitePage, { liveness }: CompanyPage): PageObservation {
  const lastPostAt = liveness.lastPostAt ?? null;
  return { state: liveness.state, seenAt: page.fetchedAt, lastPostAt };
}

/**
 * The observation of an account that was read. Networks show a page for every name, so only a post
 * shows that the account is alive; null without one.
 */
export function observationOfAccount(page: SitePage, facts: CompanyPage): PageObservation | null {
  const lastPostAt = facts.liveness.lastPostAt ?? null;
  return lastPostAt === null ? null : { state: 'alive', seenAt: page.fetchedAt, lastPostAt };
}

/**
 * The state that an error of reading a site shows; null if it shows none. A site that rejects
 * robots is not dead, nor is one that responds in another way than with a missing page.
 */
export function stateOfError({
  reason,
  status,
}: Pick<SiteError, 'reason' | 'status'>): ObservedState | null {
  if (reason === 'not_html' || reason === 'site_too_large') return 'alive';
  if (reason === 'site_timeout') return 'dead';
  if (reason !== 'site_unreachable') return null;
  return status === undefined || DEAD_STATUSES.has(status) ? 'dead' : null;
}

/** Missing pages, and servers without a site behind them. 503 is also the status of robot checks. */
const DEAD_STATUSES: ReadonlySet<number> = new Set([404, 410, 500, 502, 504, 521, 522, 523, 530]);

/** Whether an account does not exist any more, by the error of reading its page. */
export function isAccountGone({ reason, status }: SiteError): boolean {
  return reason === 'site_unreachable' && (status === 404 || status === 410);
}

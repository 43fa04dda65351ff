import { type CompanyPage, readCompanyPage } from '@vcds/site-facts/page';
import type { SiteError, SitePage } from '@vcds/site-facts/reader';
import type { Observation } from '@vcds/venture-model';

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

/** Whether an account does not exist any more, by the error of reading its page. */
export function isAccountGone({ reason, status }: SiteError): boolean {
  return reason === 'site_unreachable' && (status === 404 || status === 410);
}

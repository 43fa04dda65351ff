import type { SiteError } from '@vcds/site-facts/reader';
import type { Observation, ObservedState } from '@vcds/venture-model';

/** An observation of a site or an account of a company. */
export interface CompanyObservation extends Observation {
  readonly company: { readonly type: 'startup' | 'fund'; readonly id: string };
  /** The page that was read; at most 2,000 characters. */
  readonly url: string;
  readonly source: 'find' | 'sweep';
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

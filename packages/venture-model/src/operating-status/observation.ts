import { hostsOfNetwork } from '../sites/shared-hosts.ts';
import { websiteForms } from '../sites/website-forms.ts';

/** The observed page: the own site of a company, or its account in a social network. */
export type ObservedKind = 'site' | 'social';
export const OBSERVED_KINDS: readonly ObservedKind[] = ['site', 'social'];

/**
 * `alive`: the page was served. `parked`: the domain shows a page of its registrar or dealer.
 * `dead`: the page does not exist or its host does not respond.
 */
export type ObservedState = 'alive' | 'parked' | 'dead';
export const OBSERVED_STATES: readonly ObservedState[] = ['alive', 'parked', 'dead'];

/** One observation of a site or an account. */
export interface Observation {
  readonly kind: ObservedKind;
  readonly state: ObservedState;
  readonly seenAt: Date;
  /** The date of the newest post on the page; null if it shows none. */
  readonly lastPostAt: Date | null;
}

/**
 * The address under which observations are summarized: of a site its host, as in the column `domain`
 * of its company; of an account the first host of its network and the path. Both in A-labels, without
 * `www.`.
 *
 * @returns null if the URL has no host.
 */
export function observationAddress(kind: ObservedKind, url: string): string | null {
  const forms = websiteForms(url);
  if (forms === null) return null;
  return kind === 'site' ? forms.host : `${hostsOfNetwork(forms.host)[0]}${forms.path}`;
}

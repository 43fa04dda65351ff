import type { WebsiteForms } from './website-forms.ts';

const SAME_HOST_OTHER_PATH = 0.97;
const BELOW_OR_ABOVE = 0.85;
const SIBLING = 0.8;

/**
 * How surely a record of this site is the one meant: 1 for the same host (and page, where many
 * companies share a host), less for a host below or above it, 0 for another registered domain.
 */
export function scoreWebsite(query: WebsiteForms, site: WebsiteForms): number {
  if (query.host === site.host) {
    if (query.path === site.path || query.path === '') return 1;
    return site.path === '' ? 1 : SAME_HOST_OTHER_PATH;
  }
  if (query.registrable === null || query.registrable !== site.registrable) return 0;
  const related = query.host.endsWith(`.${site.host}`) || site.host.endsWith(`.${query.host}`);
  return related ? BELOW_OR_ABOVE : SIBLING;
}

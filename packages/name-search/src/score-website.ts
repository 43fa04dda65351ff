import { hostsOfNetwork, SHARED_HOSTS, type WebsiteForms } from '@vcds/venture-model';

/** The same host, but another page. */
const OTHER_PAGE = 0.99;
/** A subdomain or parent domain: 'blog.stripe.com' and 'stripe.com'. */
const PARENT_OR_SUBDOMAIN = 0.85;
/** Another host of the same registered domain. */
const SIBLING = 0.8;

/**
 * The similarity of two sites: 1 for the same host or network, less for another host of the same registered
 * domain, 0 for anything else. Two names below one public suffix
 * ('a.co.uk', 'b.co.uk') score 0, as do two pages of a shared host.
 */
export function scoreWebsite(query: WebsiteForms, site: WebsiteForms): number {
  if (hostsOfNetwork(query.host)[0] === hostsOfNetwork(site.host)[0]) {
    if (query.path === site.path) return 1;
    return SHARED_HOSTS.has(site.host) && !below(query.path, site.path) ? 0 : OTHER_PAGE;
  }
  if (query.registrable === null || query.registrable !== site.registrable) return 0;
  if (SHARED_HOSTS.has(query.host) || SHARED_HOSTS.has(site.host)) return 0;
  const related = query.host.endsWith(`.${site.host}`) || site.host.endsWith(`.${query.host}`);
  return related ? PARENT_OR_SUBDOMAIN : SIBLING;
}

function below(one: string, other: string): boolean {
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  return shorter !== '' && longer.startsWith(`${shorter}/`);
}

import { Random } from '@vcds/demo-data/random';
import { websiteForms } from '@vcds/venture-model';
import type { NamedSite } from './data-sets.ts';
import { type Half, halfOf } from './recall.ts';
import { shuffled } from './shuffled.ts';

/** A site written in some way, with the name of the record it is of. */
export interface ChangedSite {
  readonly change: string;
  readonly name: string;
  readonly query: string;
}

interface Site {
  readonly name: string;
  readonly host: string;
  readonly path: string;
  /** Whether other records of the set have the same host. */
  readonly shared: boolean;
}

const SEEDS: Readonly<Record<Half, number>> = { tune: 17, report: 19 };

const siteChanges: readonly (readonly [
  change: string,
  write: (site: Site, random: Random) => string,
])[] = [
  ['bare domain', ({ host }) => host],
  ['with www', ({ host }) => `www.${host}`],
  ['with scheme', ({ host }, random) => `${random.pick(['http', 'https', 'Https'])}://${host}`],
  ['with path', ({ host, path }) => `https://www.${host}${path || '/about-us?ref=1'}`],
  ['upper case', ({ host }) => `HTTPS://WWW.${host.toUpperCase()}/`],
  ['subdomain', ({ host }, random) => `${random.pick(['blog', 'app', 'en', 'careers'])}.${host}`],
];

/**
 * At most `perChange` queries of each way to write a site, from one half; the same at every run.
 * For a host of several records only the page identifies one, so the query has the path.
 */
export function changedSites(
  companies: readonly NamedSite[],
  half: Half,
  perChange: number,
): readonly ChangedSite[] {
  const random = new Random(SEEDS[half]);
  const sites = sitesOf(companies);
  const named = new Map(sites.map((site) => [site.name, site]));
  const mine = halfOf([...named.keys()], half);
  return siteChanges.flatMap(([change, write]) =>
    shuffled(random, mine)
      .flatMap((name) => named.get(name) ?? [])
      .filter(({ shared, path }) => !shared || (change === 'with path' && path !== ''))
      .slice(0, perChange)
      .map((site) => ({ change, name: site.name, query: write(site, random) })),
  );
}

function sitesOf(companies: readonly NamedSite[]): Site[] {
  const read = companies.flatMap(({ name, website }) => {
    const forms = website === null ? null : websiteForms(website);
    return forms === null || forms.registrable === null ? [] : [{ name, ...forms }];
  });
  const uses = new Map<string, number>();
  for (const { host } of read) uses.set(host, (uses.get(host) ?? 0) + 1);
  return read.map((site) => ({ ...site, shared: (uses.get(site.host) ?? 0) > 1 }));
}

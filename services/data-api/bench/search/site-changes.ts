import type { Random } from './random.ts';

/** Ways to write the site of a company. */
export const siteChanges: readonly (readonly [
  name: string,
  change: (site: Site, random: Random) => string | null,
])[] = [
  ['bare domain', ({ host }) => host],
  ['with www', ({ host }) => `www.${host}`],
  ['with scheme', ({ host }, random) => `${random.pick(['http', 'https', 'Https'])}://${host}/`],
  ['with path', ({ host, path }) => `https://www.${host}${path === '' ? '/about-us?ref=1' : path}`],
  [
    'subdomain',
    ({ host }, random) => `https://${random.pick(['blog', 'app', 'en', 'careers'])}.${host}`,
  ],
  ['upper case', ({ host }) => host.toUpperCase()],
];

/** A site as its host without `www.` and its path. */
export interface Site {
  readonly host: string;
  readonly path: string;
}

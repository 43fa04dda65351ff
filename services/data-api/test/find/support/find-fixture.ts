import { openApi } from '../../support/api.ts';
import { HOOKED_ARGUMENTS } from './page-hooks.ts';
import { startSites } from './sites.ts';

/** The page of a company, with a name of its own. */
export function pageOf(name: string, country = 'DE'): string {
  const organization = {
    '@type': 'Organization',
    ...{ name, foundingDate: '2014', sameAs: ['https://www.linkedin.com/company/widgets'] },
    address: { addressCountry: country },
  };
  return `<!doctype html><html lang="en"><title>${name}: widgets</title>
    <meta name="description" content="Widgets for all."><link rel="icon" href="/icon.png">
    <script type="application/ld+json">${JSON.stringify(organization)}</script>
    <time datetime="2025-01-10">10 January</time>`;
}

/** The API with sites of the test, and one look-up at a time for each account. */
export async function openFind() {
  const sites = await startSites();
  const pages = { execArgv: HOOKED_ARGUMENTS, pageMsMax: 60_000 };
  const api = await openApi({
    pages,
    sites: { ...sites.options, limits: { perAccountMax: 1 } },
    shares: { slotsPerAccount: 1, limits: {} },
  });
  return {
    sites,
    api,
    /** How pages are read; changes apply at once. */
    pages,
    find: (website: string) => api.get('/find', { website }),
    /** Adds a startup, and returns its id. */
    addStartup: async (name: string, website: string | null, country = 'Germany') => {
      const addresses = JSON.stringify([{ City: 'Town', Country: country }]);
      const { rows } = await api.sql.query<{ id: string }>(
        `INSERT INTO venture.startup (id, name, website, domain, addresses, source)
         VALUES (gen_random_uuid(), $1, $2, $3, $4::jsonb, 'test') RETURNING id`,
        [name, website, website === null ? null : new URL(website).hostname, addresses],
      );
      return rows[0]?.id;
    },
    observationsOf: async (id: string | undefined) => {
      await api.recordObservations();
      const { rows } = await api.sql.query(
        `SELECT kind, state, source, last_post_at::date::text AS post
         FROM venture.observation WHERE startup_id = $1`,
        [id],
      );
      return rows;
    },
    close: async () => {
      await api.close();
      await sites.close();
    },
  };
}

import { SiteError, type SiteReader, siteOf } from '@vcds/site-facts/reader';
import { websiteHost } from '@vcds/venture-model';
import type pg from 'pg';

interface Company {
  readonly name: string;
  readonly website: string;
  readonly description: string | null;
  readonly founded: number | null;
}

/**
 * The invented sites of the companies of a database: `/find` of the sandbox sends no request to any
 * site, so that it cannot be used to read one.
 */
export function sandboxSites(pool: Pick<pg.Pool, 'query'>): Pick<SiteReader, 'readSite'> {
  let reading: Promise<ReadonlyMap<string, Company>> | undefined;
  return {
    readSite: async ({ website }) => {
      const site = siteOf(website);
      reading ??= companiesOf(pool).catch((error: unknown) => {
        reading = undefined;
        throw error;
      });
      const company = (await reading).get(websiteHost(website));
      if (company === undefined) {
        const message = 'The sandbox has only the sites of its own companies.';
        throw new SiteError('site_unreachable', message);
      }
      return {
        ...{ website: site.website, finalUrl: company.website, fetchedAt: new Date(), status: 200 },
        headers: { 'content-type': 'text/html; charset=utf-8' },
        html: pageOf(company),
      };
    },
  };
}

async function companiesOf(pool: Pick<pg.Pool, 'query'>): Promise<ReadonlyMap<string, Company>> {
  const { rows } = await pool.query<Company>(
    ['fund', 'startup']
      .map(
        (table) => `SELECT name, website, description, founded FROM venture.${table}
          WHERE website IS NOT NULL AND deleted_at IS NULL`,
      )
      .join(' UNION ALL '),
  );
  return new Map(rows.map((company) => [websiteHost(company.website), company]));
}

function pageOf({ name, website, description, founded }: Company): string {
  const facts = {
    ...{ '@context': 'https://schema.org', '@type': 'Organization', name, url: website },
    ...{ description, foundingDate: founded === null ? undefined : String(founded) },
  };
  // `<` could end the element.
  const json = JSON.stringify(facts).replaceAll('<', '\\u003c');
  const head = `<title>${escaped(name)}</title><meta property="og:site_name" content="${escaped(name)}">`;
  const text = `<h1>${escaped(name)}</h1><p>${escaped(description ?? '')}</p>`;
  return (
    `<!doctype html><html lang="en"><head>${head}<script type="application/ld+json">${json}</script></head>` +
    `<body>${text}</body></html>`
  );
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

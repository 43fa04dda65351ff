import { websiteForms } from '@vcds/venture-model';
import type pg from 'pg';
import type { CompanyType } from '../../../src/search/search-request.ts';
import type { NamedSite } from './data-sets.ts';

const ROWS_MAX = 10_000;

/**
 * Writes companies with a name and a site, in one statement per ten thousand. Their ids follow from
 * what they hold: what scores alike comes in the order of ids, the same at every run.
 */
export async function insertCompanies(
  pool: pg.Pool,
  type: CompanyType,
  companies: readonly NamedSite[],
): Promise<void> {
  for (let start = 0; start < companies.length; start += ROWS_MAX) {
    const rows = companies.slice(start, start + ROWS_MAX);
    await pool.query(
      `INSERT INTO venture.${type} (id, name, website, domain)
       SELECT md5(concat_ws(' ', $4::int + place, name, website))::uuid, name, website, domain
       FROM unnest($1::text[], $2::text[], $3::text[])
         WITH ORDINALITY AS u (name, website, domain, place)`,
      [
        rows.map(({ name }) => name),
        rows.map(({ website }) => website),
        rows.map(({ website }) => (website === null ? null : websiteForms(website)?.host)),
        start,
      ],
    );
  }
  await pool.query(`VACUUM ANALYZE venture.${type}`);
}

import { SHARED_HOSTS } from '@vcds/venture-model';
import type pg from 'pg';
import type { CompanyObservation } from '../../observations/observed-pages.ts';

/** A company whose site the sweep visits. */
export interface SweptCompany {
  readonly company: CompanyObservation['company'];
  /** The host of its Website. */
  readonly domain: string;
  /** Accounts observed before, the ones observed longest ago first; at most five. */
  readonly accounts: readonly string[];
}

/** A company is visited once a night, also if the sweep is repeated. */
const VISIT_EVERY_HOURS = 20;

/**
 * The companies to visit: alternately one whose site failed and is not gone yet, so that it is
 * visited on enough days, and another one; of both those visited longest ago first. Leaves out companies whose status a person set, and pages on shared hosts. Visits of
 * the same night count, so a repeated sweep visits no more sites than one.
 *
 * @param sitesMax sites of a night.
 */
export async function companiesToVisit(
  pool: pg.Pool,
  sitesMax: number,
  now: Date,
): Promise<readonly SweptCompany[]> {
  const { rows } = await pool.query<SweptCompany>(
    `WITH recent AS (
       SELECT count(*) AS visits FROM venture.site_visit
       WHERE visited_at > $1::timestamptz - interval '${VISIT_EVERY_HOURS} hours'
     )
     SELECT json_build_object('type', c.type, 'id', c.id) AS company, c.domain, ARRAY(
         SELECT a.url FROM venture.observation a
         WHERE a.company_id = c.id AND a.kind = 'social' AND a.deleted_at IS NULL
         ORDER BY a.occurred_at, a.address LIMIT 5) AS accounts
     FROM (${companiesOf('startup')} UNION ALL ${companiesOf('fund')}) c
     LEFT JOIN venture.site_visit v ON v.company_id = c.id
     LEFT JOIN venture.observation s ON s.company_id = c.id AND s.kind = 'site'
       AND s.address = c.domain AND s.failing_since IS NOT NULL AND s.condition <> 'gone'
     WHERE (v.visited_at > $1::timestamptz - interval '${VISIT_EVERY_HOURS} hours') IS NOT TRUE
     ORDER BY row_number() OVER (
         PARTITION BY s.company_id IS NULL ORDER BY v.visited_at NULLS FIRST, c.id),
       s.company_id IS NULL
     LIMIT greatest(0, $2 - (SELECT visits FROM recent))`,
    [now, sitesMax, [...SHARED_HOSTS]],
  );
  return rows;
}

/** Stores that companies were visited. */
export async function storeVisits(
  pool: pg.Pool,
  companies: readonly SweptCompany[],
  at: Date,
): Promise<void> {
  await pool.query(
    `INSERT INTO venture.site_visit (company_id, visited_at)
     SELECT id, $2 FROM unnest($1::uuid[]) AS id ORDER BY id
     ON CONFLICT (company_id) DO UPDATE SET visited_at = excluded.visited_at`,
    [companies.map(({ company }) => company.id), at],
  );
}

function companiesOf(type: 'startup' | 'fund'): string {
  return `SELECT '${type}' AS type, id, domain FROM venture.${type}
    WHERE deleted_at IS NULL AND operating_status_stated IS NULL AND domain <> ALL ($3)`;
}

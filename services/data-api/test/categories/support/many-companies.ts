import { openCategoryApi } from './category-api.ts';

/** Thousands of records of each collection: values of a field that are frequent, rare, or one of each record. */
const SEED = `
      INSERT INTO venture.fund (id, name, website, domain, investment_types, groups, tags)
        SELECT md5('f' || i)::uuid, 'Fund ' || i, 'https://fund' || i, 'fund' || i, ARRAY[(ARRAY['VentureFund', 'Studio'])[1 + (i % 90 = 0)::int]],
          ARRAY['Group ' || i % 50], '{}' FROM generate_series(1, 1000) i;
      INSERT INTO venture.startup (id, name, website, domain, tags, addresses, founded, members_count, created_at)
        SELECT md5('s' || i)::uuid, 'Startup ' || i, 'https://site' || i, 'site' || i, ARRAY['Tag ' || i % 300, 'Common'],
          jsonb_build_array(jsonb_build_object('City', 'City ' || i % 700, 'Country', 'Country ' || i % 40)),
          1950 + i % 60, 1 + i % 60, timestamptz '2025-03-04 05:06:07.5Z' + i % 2 * interval '0.5 s'
        FROM generate_series(1, 5000) i;
      INSERT INTO venture.funding_round (id, startup_id, date, series)
        SELECT md5('r' || i)::uuid, md5('s' || 1 + i % 4000)::uuid, date '2000-01-01' + i % 6000, 'Series ' || i % 80
        FROM generate_series(1, 6000) i;
      INSERT INTO venture.round_investor (round_id, fund_id)
        SELECT md5('r' || i)::uuid, md5('f' || 1 + i % 1000)::uuid FROM generate_series(1, 6000) i;
      INSERT INTO venture.person (name, location, countries)
        SELECT 'Person ' || i, 'City ' || i % 700, ARRAY['Country ' || i % 40] FROM generate_series(1, 5000) i;
      INSERT INTO venture.news (title, publisher)
        SELECT 'Title ' || i, 'Publisher ' || i % 90 FROM generate_series(1, 5000) i`;

/** An API of these records, with the statistics of the planner. */
export async function openManyCompanies() {
  const api = await openCategoryApi({ seed: SEED });
  // Also empties the pending lists of GIN indexes, which raise their estimated cost.
  await api.sql.query('VACUUM ANALYZE');
  await api.database.statistics.refresh();
  return api;
}

export const FIRST_PAGE = {
  ...{ fields: [], expands: [], recordCall: undefined },
  ...{ top: 25, skip: 0, after: undefined, identity: '' },
} as const;

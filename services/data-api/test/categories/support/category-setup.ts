import { expect } from '@jest/globals';
import { chargedOf, type Query } from '../../support/api.ts';
import { type CategoryApi, openCategoryApi } from './category-api.ts';

export interface Value {
  readonly value: string | number;
  readonly label: string;
  readonly slug?: string;
  readonly name?: string;
  readonly count?: number;
}

export interface Facets {
  readonly entity: string;
  readonly narrowedBy: Record<string, string[]>;
  readonly total: number;
  readonly facets: Record<string, Value[]>;
}

export interface Values {
  readonly dimension: string;
  readonly entity: string;
  readonly narrowedBy: Record<string, string[]>;
  readonly total?: number;
  readonly values: Value[];
}

/**
 * Six startups and three funds, few enough to count by hand, and a deleted one of each.
 */
const SEED = `
  INSERT INTO venture.fund (id, name, tags, addresses, investment_stages, investment_types, groups,
    members_count, operating_status_stated, founded) VALUES
    ('f0000000-0000-0000-0000-000000000001', 'Alpha', '{Fintech}', '[{"Country": "United States", "City": "Boston"}]',
      '{3,4}', '{VentureFund}', '{"Top, Tier"}', 5, 'Active', 1999),
    ('f0000000-0000-0000-0000-000000000002', 'Beta', '{Fintech,Robots}', '[{"Country": "France", "City": "Paris"}]',
      '{4}', '{Accelerator,Studio}', '{}', 60, NULL, NULL),
    ('f0000000-0000-0000-0000-000000000003', 'Gamma', '{}', '[]', '{}', '{}', '{}', NULL, 'Closed', 2001),
    ('f0000000-0000-0000-0000-000000000009', 'Gone', '{Gone}', '[]', '{}', '{Public}', '{}', NULL, NULL, NULL);
  INSERT INTO venture.startup (id, name, tags, addresses, founded, members_count,
    operating_status_stated) VALUES
    ('50000000-0000-0000-0000-000000000001', 'One', '{Fintech,Robots}',
      '[{"Country": "United States", "Region": "NY", "City": "New York"}]', 2010, 5, 'Active'),
    ('50000000-0000-0000-0000-000000000002', 'Two', '{Fintech}',
      '[{"Country": "United States", "Region": "MA", "City": "Boston"}, {"Country": "France", "City": "Paris"}]', 2010, 700, 'Closed'),
    ('50000000-0000-0000-0000-000000000003', 'Three', '{Robots,"Food, Drink"}',
      '[{"Country": "France", "City": "Évry"}]', 2012, NULL, NULL),
    ('50000000-0000-0000-0000-000000000004', 'Four', '{fintech}', '[]', NULL, 5, 'Active'),
    ('50000000-0000-0000-0000-000000000005', 'Five', '{}', '[{"Country": "United States", "City": "New Haven"}]', 2012, 20000, NULL),
    ('50000000-0000-0000-0000-000000000006', 'Six', '{"A/B \\"Tests\\"",Robots}', '[{"Country": "Ωmega", "City": "😀"}]', 1999, 11, 'Active'),
    ('50000000-0000-0000-0000-000000000009', 'Gone', '{Gone,Fintech}', '[{"Country": "United States"}]', 2010, 5, 'Active');
  INSERT INTO venture.funding_round (id, startup_id, date, series, stage) VALUES
    ('d0000000-0000-0000-0000-000000000001', '50000000-0000-0000-0000-000000000001', '2011-01-01', 'seed', 3),
    ('d0000000-0000-0000-0000-000000000002', '50000000-0000-0000-0000-000000000001', '2012-01-01', 'Series A', 4),
    ('d0000000-0000-0000-0000-000000000003', '50000000-0000-0000-0000-000000000002', '2012-06-01', 'series-a', 4),
    ('d0000000-0000-0000-0000-000000000004', '50000000-0000-0000-0000-000000000003', NULL, NULL, NULL),
    ('d0000000-0000-0000-0000-000000000009', '50000000-0000-0000-0000-000000000003', '2013-01-01', 'Gone', 5);
  INSERT INTO venture.round_investor (round_id, fund_id, lead) VALUES
    ('d0000000-0000-0000-0000-000000000001', 'f0000000-0000-0000-0000-000000000001', true),
    ('d0000000-0000-0000-0000-000000000002', 'f0000000-0000-0000-0000-000000000001', true),
    ('d0000000-0000-0000-0000-000000000002', 'f0000000-0000-0000-0000-000000000002', false),
    ('d0000000-0000-0000-0000-000000000003', 'f0000000-0000-0000-0000-000000000002', false);
  UPDATE venture.holding SET status = 'Exited'
    WHERE fund_id = 'f0000000-0000-0000-0000-000000000001';
  INSERT INTO venture.holding (fund_id, startup_id, status) VALUES
    ('f0000000-0000-0000-0000-000000000003', '50000000-0000-0000-0000-000000000003', 'Acquired');
  UPDATE venture.startup SET next_funding_stage_stated = 5 WHERE name IN ('One', 'Two');
  UPDATE venture.startup AS s SET created_at = c.at::timestamptz FROM (VALUES
    ('One', '2015-05-05T10:20:30.123Z'), ('Two', '2015-05-05T10:20:30.123Z'), ('Three', '2015-05-05T10:20:30.124Z'),
    ('Four', '2015-05-05T10:20:31Z'), ('Five', '2015-05-05T11:00:00Z'), ('Six', '1969-12-31T23:59:59.999Z')) AS c(name, at)
    WHERE c.name = s.name;
  UPDATE venture.fund SET created_at = '2015-05-05T10:20:30.123Z' WHERE name <> 'Alpha';
  UPDATE venture.funding_round SET created_at = '2015-05-05T10:20:30.123Z' WHERE series = 'seed';
  UPDATE venture.startup SET deleted_at = now() WHERE name = 'Gone';
  UPDATE venture.fund SET deleted_at = now() WHERE name = 'Gone';
  UPDATE venture.funding_round SET deleted_at = now() WHERE series = 'Gone';
`;

/** The category browser over {@link SEED}. */
export interface CategorySetup {
  readonly api: CategoryApi;
  /** The body; fails unless the status is 200 and the charge that of one record. */
  get<T>(path: string, query?: Query): Promise<T>;
  /** Counts of `/categories/facets`, by dimension and label. */
  facets(query: Query): Promise<Record<string, Record<string, number>>>;
  /** Labels of `/categories/{dimension}`, in order. */
  labels(dimension: string, query?: Query): Promise<string[]>;
  /** Names of a collection, in order. */
  names(path: string, query?: Query): Promise<string[]>;
  countOf(path: string, query?: Query): Promise<number>;
  close(): Promise<void>;
}

export async function openCategorySetup(): Promise<CategorySetup> {
  const api = await openCategoryApi({ seed: SEED });
  const get = async <T>(path: string, query: Query = {}): Promise<T> => {
    const reply = await api.get(path, query);
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`);
    expect(chargedOf(reply)).toBe(1);
    return reply.body as T;
  };
  return {
    api,
    get,
    facets: async (query) => {
      const body = await get<Facets>('/categories/facets', query);
      return Object.fromEntries(
        Object.entries(body.facets).map(([id, values]) => [
          id,
          Object.fromEntries(values.map(({ label, count }) => [label, count ?? Number.NaN])),
        ]),
      );
    },
    labels: async (dimension, query = {}) => {
      const { values } = await get<Values>(`/categories/${dimension}`, query);
      return values.map(({ label }) => label);
    },
    names: async (path, query = {}) => {
      const rows = await api.list(path, { $orderby: 'Name', ...query });
      return rows.map((row) => String(row.Name));
    },
    countOf: async (path, query = {}) => {
      const { count } = await get<{ count: number }>(path, { ...query, $count: 'true' });
      return count;
    },
    close: () => api.close(),
  };
}

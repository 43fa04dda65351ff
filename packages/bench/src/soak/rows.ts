import { withClient } from '@vcds/test-kit/bench';
import { Redis } from 'ioredis';
import { countKeys } from './redis-keys.ts';

/** Tables that get rows by design (docs/operations.md, "What grows"), and which rows count. */
const GROWING = {
  'charges of the load': 'access.charge WHERE account_id = ANY ($1)',
  'signals startup.updated': signalsOf('startup.updated'),
  'signals round.updated': signalsOf('round.updated'),
  'other signals': `venture.signal WHERE type NOT IN (SELECT code FROM venture.signal_type
    WHERE name IN ('startup.updated', 'round.updated'))`,
  accounts: 'access.account',
  keys: 'access.api_key',
  imports: 'venture.import_run',
} as const;

/** The same in Redis, by the kind of their keys. */
const GROWING_IN_REDIS = {
  'registrations in Redis': 'registration',
  'exchanged tokens in Redis': 'legacy-token',
} as const;

/** The number of rows or keys of each. */
export type Rows = Readonly<Record<keyof typeof GROWING | keyof typeof GROWING_IN_REDIS, number>>;

/** Tables of which the rows are counted instead of their sizes. */
export const GROWING_TABLES = [
  ...['charge', 'charge_total', 'charge_day', 'signal'],
  ...['account', 'api_key', 'event', 'import_run'],
];

/** @param accountIds of the load */
export async function readRows(
  { databaseUrl, redisUrl }: { readonly databaseUrl: string; readonly redisUrl: string },
  accountIds: readonly string[],
): Promise<Rows> {
  const counts: [string, number][] = [];
  await withClient(databaseUrl, async (client) => {
    for (const [name, from] of Object.entries(GROWING)) {
      const values = from.includes('$1') ? [accountIds] : [];
      const { rows } = await client.query(`SELECT count(*)::int AS count FROM ${from}`, values);
      counts.push([name, rows[0]?.count]);
    }
  });
  const redis = new Redis(redisUrl);
  const keys = await countKeys(redis);
  redis.disconnect();
  for (const [name, kind] of Object.entries(GROWING_IN_REDIS)) {
    counts.push([name, keys.get(kind) ?? 0]);
  }
  return Object.fromEntries(counts) as Rows;
}

function signalsOf(type: string): string {
  return `venture.signal WHERE type = (SELECT code FROM venture.signal_type WHERE name = '${type}')`;
}

/** Statements that count differences of stored values from those computed from the records. */
const DIFFERENCES = {
  'gaps in the feed': `SELECT max(position) - min(position) + 1 - count(*) AS count
    FROM venture.signal`,
  'stored counts of values that differ': `
    SELECT count(*) FROM venture.facet_count s FULL JOIN (
      SELECT e.number AS entity, code, count(*) FROM (
        SELECT 1 AS number, codes FROM venture.startup_facet WHERE NOT deleted
        UNION ALL SELECT 2, codes FROM venture.fund_facet WHERE NOT deleted
        UNION ALL SELECT 3, codes FROM venture.round_facet WHERE NOT deleted) e,
        unnest(codes || 0) code
      GROUP BY 1, 2) c USING (entity, code)
    WHERE coalesce(s.count, 0) <> coalesce(c.count, 0)`,
  'derived totals that differ': `
    SELECT count(*) FROM venture.startup s, LATERAL (
      SELECT count(*) AS rounds, sum(amount) AS raised, max(date) AS date
      FROM venture.funding_round
      WHERE startup_id = s.id AND confirmed AND deleted_at IS NULL) a
    WHERE (s.rounds_count, s.confirmed_raised, s.last_funding_date)
      IS DISTINCT FROM (a.rounds, a.raised, a.date)`,
};

/** The number of differences of each kind; all are 0. */
export function readDifferences(databaseUrl: string): Promise<Readonly<Record<string, number>>> {
  return withClient(databaseUrl, async (client) => {
    const found: Record<string, number> = {};
    for (const [name, text] of Object.entries(DIFFERENCES)) {
      found[name] = Number((await client.query(text)).rows[0]?.count);
    }
    return found;
  });
}

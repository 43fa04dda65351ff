import { withClient } from '@vcds/test-kit/bench';

export interface MarketSize {
  readonly funds: number;
  readonly startups: number;
  readonly investments: number;
}

const COUNTRIES = 30;
const CITIES = 10;
const TAGS = 200;
/** Investors of a round, on average. */
const SYNDICATE = 2.5;
/** How skewed the activity of funds is: the fund at the share u of the order is u^SKEW. */
const SKEW = 2.5;
const DAYS = 7_300;

/**
 * Writes a market without the triggers, with structure to learn: a fund prefers its country and two
 * of the tags, and few funds make most investments. Days are uniform over twenty years.
 */
export async function generateMarket(url: string, size: MarketSize): Promise<void> {
  const rounds = Math.round(size.investments / SYNDICATE);
  const company = (name: string, count: number) => `
    INSERT INTO venture.${name} (id, name, tags, countries, regions, cities, founded)
    SELECT md5('${name}' || i)::uuid, '${name} ' || i,
      ARRAY['tag ' || i % ${TAGS}, 'tag ' || (i * 7) % ${TAGS}],
      ARRAY['country ' || i % ${COUNTRIES}], ARRAY['region ' || i % ${COUNTRIES} || '-' || i % 4],
      ARRAY['city ' || i % ${COUNTRIES} || '-' || i % ${CITIES}], 2000 + i % 20
    FROM generate_series(0, ${count - 1}) AS i`;
  await withClient(url, async (client) => {
    await client.query('SET session_replication_role = replica');
    await client.query('SELECT setseed(0.5)');
    await client.query(company('fund', size.funds));
    await client.query(company('startup', size.startups));
    await client.query(`
      INSERT INTO venture.funding_round (id, startup_id, date, stage, amount)
      SELECT md5('round' || i)::uuid, md5('startup' || i % ${size.startups})::uuid,
        date '2005-01-01' + (i::bigint * 7919 % ${DAYS})::int, 3 + i / ${size.startups} % 6,
        500000 * (1 + i % 40)
      FROM generate_series(0, ${rounds - 1}) AS i`);
    // Two in three investors are from the country of the startup.
    await client.query(`
      INSERT INTO venture.round_investor (round_id, fund_id, lead)
      SELECT md5('round' || r)::uuid, md5('fund' || fund)::uuid, k = 0
      FROM (
        SELECT i % ${rounds} AS r, i / ${rounds} AS k,
          least(${size.funds - 1}, CASE WHEN random() < 0.67
            THEN drawn - drawn % ${COUNTRIES} + i % ${rounds} % ${size.startups} % ${COUNTRIES}
            ELSE drawn END) AS fund
        FROM (
          SELECT i, floor(power(random(), ${SKEW}) * ${size.funds})::int AS drawn
          FROM generate_series(0, ${Math.ceil(size.investments * 1.02)} - 1) AS i) d) p
      ON CONFLICT DO NOTHING`);
    await client.query(`
      INSERT INTO venture.holding (fund_id, startup_id, stated, rounds_count)
      SELECT p.fund_id, r.startup_id, false, count(*)
      FROM venture.round_investor p JOIN venture.funding_round r ON r.id = p.round_id GROUP BY 1, 2`);
    await client.query('VACUUM ANALYZE');
  });
}

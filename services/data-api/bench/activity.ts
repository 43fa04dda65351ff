/**
 * Measures pages of `GET /activityfeed` over HTTP, one call after another, on a large market.
 *
 * Run with `npm run bench -- activity`. Options: `--startups=200000`, `--investments=2500000` (a round
 * has 2.5 on average), `--funds=10000`, `--calls=50` of each kind.
 */
import { randomInt } from 'node:crypto';
import { benchOptions, openTestServers, say, withClient } from '@vcds/test-kit/bench';
import { type CallKind, callTimes } from './call-times.ts';
import { startApi } from './data-api.ts';
import { generateMarket } from './matching/generate-market.ts';

const CONNECTIONS = 4;
const STATEMENT_MS_MAX = 10_000;
const options = benchOptions({
  funds: 10_000,
  startups: 200_000,
  investments: 2_500_000,
  calls: 50,
});

const servers = await openTestServers();
try {
  const url = await servers.createDatabase({ migrated: true });
  await generateMarket(url, options);
  const startups = await withClient(url, async (client) => {
    // The market is written without the triggers and the publisher.
    await client.query(`
      INSERT INTO venture.signal (detected_at, position, id, type, subject_type, subject_id,
        object_id, occurred_at, dated, amount)
      SELECT timestamptz '2026-01-01' + n * interval '37 microseconds', n, id, 1, 1, startup_id, id,
        venture.day_begins(date), true, amount
      FROM (SELECT *, row_number() OVER () AS n FROM venture.funding_round WHERE date IS NOT NULL) r`);
    await client.query('VACUUM ANALYZE venture.signal');
    const counted = await client.query('SELECT count(*)::int AS rounds FROM venture.funding_round');
    say(`${counted.rows[0].rounds} rounds`);
    const sql = 'SELECT id FROM venture.startup ORDER BY md5(id::text) LIMIT 200';
    return (await client.query<{ id: string }>(sql)).rows.map(({ id }) => id);
  });
  const limits = { connections: CONNECTIONS, statementMsMax: STATEMENT_MS_MAX };
  const api = await startApi({ connectionString: url, ...limits });
  try {
    say(await measure(api.url, startups));
  } finally {
    await api.close();
  }
} finally {
  await servers.close();
}

async function measure(root: string, startups: readonly string[]): Promise<string> {
  const year = () => 2006 + randomInt(18);
  // The market has one city for each number.
  const city = (number = randomInt(30)) => `city=city+${number}-${number % 10}`;
  const kinds: readonly CallKind[] = [
    ['newest', () => ''],
    ['`types=round.recorded`', () => 'types=round.recorded'],
    ['`until` of a year', () => `until=${year()}-06-30`],
    ['a country', () => `country=country+${randomInt(30)}`],
    ['a city', () => city()],
    ['a city, `until` of a year', () => `${city()}&until=${year()}-06-30`],
    ['a startup', () => `subject=${startups[randomInt(startups.length)]}`],
    ['`$skip=10000`', () => '$skip=10000'],
    ['`$top=1000`', () => '$top=1000'],
  ];
  return callTimes(`${root}/activityfeed`, kinds, options.calls);
}

/**
 * Imports two real sources of 2013 one after the other and resolves: companies, pairs that stay two, pairs that are one by
 * mistake, totals and rounds. `VCDS_DATA_DIR=… npm run bench -- resolution-real --show=200`, with
 * `--mappings=crunchbase-2013oct,techcrunch-continental-usa` of two that state rounds.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestServers, repositoryRoot, withClient } from '@vcds/test-kit/bench';
import { dataFolder } from './matching/load-sets.ts';
import { commandsOn, report } from './resolution/commands.ts';
import { option } from './resolution/options.ts';
import { companies2013 } from './resolution/truth.ts';

const show = Number(option('show', '0'));
const FILES: Readonly<Record<string, readonly string[]>> = {
  'crunchbase-2013oct': ['companies', 'rounds', 'acquisitions'].map(
    (name) => `crunchbase-2013oct-datahoarder/crunchbase-${name}.csv`,
  ),
  'lando224-company-investments': ['crunchbase-lando224/company_investments.csv'],
  'lando224-people-investments': ['crunchbase-lando224/people_investments.csv'],
  'lando224-acquisitions': ['crunchbase-lando224/acquisitions.csv'],
  'techcrunch-continental-usa': ['techcrunch-continental-usa/TechCrunchcontinentalUSA.csv'],
};
const mappings = option(
  'mappings',
  'crunchbase-2013oct,lando224-company-investments,lando224-people-investments,lando224-acquisitions',
).split(',');
const STATE = `SELECT count(*) AS startups, sum(total_raised) AS raised,
    max(rounds_count) AS "mostRounds", (SELECT count(*) FROM venture.fund WHERE deleted_at IS NULL) AS funds,
    (SELECT count(*) FROM venture.round_member WHERE round_id <> member_id) AS "roundsMerged",
    (SELECT count(*) FROM (SELECT startup_id FROM stated.funding_round JOIN venture.company_member
      ON member_id = startup_id GROUP BY company_id, startup_id HAVING count(*) > 500) x) AS "over500"
  FROM venture.startup WHERE deleted_at IS NULL`;
const PAIRS = `SELECT p.weight, a.source_key AS a, a.name AS "aName", a.addresses -> 0 ->> 'City' AS "aPlace", a.total_raised_reported AS "aTotal",
    b.source_key AS b, b.name AS "bName", b.addresses -> 0 ->> 'City' AS "bPlace", b.total_raised_reported AS "bTotal"
  FROM venture.company_pair p JOIN stated.startup a ON a.id = p.low_id JOIN stated.startup b ON b.id = p.high_id
  WHERE p.verdict = 'merged' ORDER BY md5(p.low_id::text) LIMIT $1`;
const ROUNDS = `SELECT s.name, a.date AS "aDate", a.series AS "aSeries", a.amount AS "aAmount",
    b.date AS "bDate", b.series AS "bSeries", b.amount AS "bAmount"
  FROM venture.round_member m JOIN stated.funding_round a ON a.id = m.member_id
  JOIN stated.funding_round b ON b.id = m.round_id JOIN venture.startup s ON s.id = a.startup_id
  WHERE m.member_id <> m.round_id ORDER BY md5(m.member_id::text) LIMIT $1`;

const rejected = mkdtempSync(join(tmpdir(), 'resolution-'));
const servers = await openTestServers();
try {
  const database = await servers.createDatabase({ migrated: true });
  const { ingest, resolve } = commandsOn(database);
  for (const mapping of mappings) {
    const map = join(repositoryRoot, `services/data-api/mappings/${mapping}.json`);
    const paths = (FILES[mapping] ?? []).map((file) => join(dataFolder, file));
    report(mapping, await ingest(...paths, '--map', map, '--continue', '--rejected', rejected));
  }
  await withClient(database, async (client) => {
    const rowsOf = async (sql: string, ...values: unknown[]) =>
      (await client.query<Record<string, unknown>>(sql, values)).rows;
    console.log('before', await rowsOf(STATE));
    report('all statements', await resolve());
    console.log('after', await rowsOf(STATE));
    report('again', await resolve());
    const statements = await rowsOf(
      'SELECT source, source_key AS key, company_id AS company FROM venture.startup_statement',
    );
    const companyOf = new Map(statements.map((one) => [`${one.source}:${one.key}`, one.company]));
    const byTruth = new Map<string, string[]>();
    for (const { statement, truth } of companies2013()) {
      const company = companyOf.get(statement.id);
      if (truth === undefined || typeof company !== 'string') continue;
      byTruth.set(truth, [...(byTruth.get(truth) ?? []), company]);
    }
    const known = [...byTruth.values()].filter((companies) => companies.length > 1);
    const one = known.filter((companies) => new Set(companies).size === 1).length;
    const truthsOf = new Map<string, Set<string>>();
    for (const [truth, companies] of byTruth)
      for (const company of companies)
        truthsOf.set(company, (truthsOf.get(company) ?? new Set()).add(truth));
    const wrong = [...truthsOf.values()].filter((truths) => truths.size > 1);
    console.log(
      `known pairs ${known.length}, one record ${one}, companies of two truths ${wrong.length}`,
    );
    for (const truths of wrong.slice(0, show)) console.log('two truths', [...truths].join(' | '));
    for (const row of await rowsOf(PAIRS, show))
      console.log('pair', Object.values(row).join(' | '));
    for (const row of await rowsOf(ROUNDS, show / 4))
      console.log(
        'rounds',
        Object.values(row)
          .map((value) => (value instanceof Date ? value.toISOString().slice(0, 10) : value))
          .join(' | '),
      );
  });
} finally {
  await servers.close();
  rmSync(rejected, { recursive: true, force: true });
}

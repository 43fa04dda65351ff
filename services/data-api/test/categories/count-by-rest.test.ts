/** Counts of conditions that most records match: the number of all less that of the others. */
import { expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import { compileCount, compileCountByRest } from '../../src/collections/count-sql.ts';
import {
  type CountOutcome,
  type RecordCounter,
  readCount,
} from '../../src/collections/read-count.ts';
import { resources } from '../../src/resources/index.ts';
import { applyAll, indexerOf } from './support/category-api.ts';
import { openCategorySetup } from './support/category-setup.ts';
import { countPlanOf } from './support/count-filters.ts';

const setup = await closedAfterAll(openCategorySetup());
const { sql, url } = setup.api;
const indexer = await closedAfterAll(indexerOf(url));

test('$count of a range that most records match reads the others', async () => {
  const { database } = setup.api;
  await sql.query('ANALYZE venture.startup');
  await database.statistics.refresh();
  const outcomes: CountOutcome[] = [];
  const records: RecordCounter = {
    isReady: () => false,
    counted: (outcome) => outcomes.push(outcome),
    countRecords: async () => undefined,
  };
  const expectCounts = async (changed: string) => {
    await sql.query(changed);
    for (const [operator, symbol] of Object.entries({ gt: '>', ge: '>=', lt: '<', le: '<=' }))
      for (const day of ['2000-01-01', '2100-01-01']) {
        const plan = countPlanOf(resources.startup, `CreatedTimeStamp ${operator} ${day}`);
        const { body } = await readCount(plan, { database, categories: { records } });
        const { rows } = await sql.query(`SELECT count(*)::int AS count FROM venture.startup
          WHERE deleted_at IS NULL AND created_at ${symbol} '${day}'`);
        expect(JSON.parse(body ?? '')).toEqual(rows[0]);
      }
  };
  await expectCounts('SELECT 1');
  await expectCounts(`INSERT INTO venture.startup (name, created_at)
    VALUES ('Old', '1990-01-01'), ('Next', '2200-01-01')`);
  await expectCounts("UPDATE venture.startup SET deleted_at = now() WHERE name IN ('Old', 'One')");
  await applyAll(indexer);
  await expectCounts("UPDATE venture.startup SET deleted_at = NULL WHERE name IN ('Old', 'One')");
  // After 2000 and before 2100, with each operator.
  const byRest = ['stored', 'not_ready', 'stored', 'not_ready', 'not_ready', 'stored'];
  expect(outcomes.slice(0, 6)).toEqual(byRest);
});

test('the number of all records less those that do not match is that of the matches', async () => {
  const { database } = setup.api;
  const filters = [
    ...["Name ne 'One'", "Location ne 'New York'", 'Location ne null', 'Domain eq null'],
    ...[
      "Name notin ('One','Two')",
      "not (Location eq 'New York')",
      'CreatedTimeStamp ge 2020-01-01',
    ],
    ...[
      'PrimarySource eq null',
      "not (Name like 'T%' and TotalRaised ge 5)",
      'UpdatedTimeStamp ne 2020-01-01',
    ],
  ];
  const changes = [
    'SELECT 1',
    `INSERT INTO venture.startup (name, website, domain) VALUES ('Tern', 'https://tern.example/', 'tern.example')`,
    `UPDATE venture.startup SET deleted_at = now() WHERE name IN ('Tern', 'Two')`,
    `UPDATE venture.startup SET deleted_at = NULL WHERE name = 'Two'`,
  ];
  for (const change of changes) {
    await sql.query(change);
    for (const isIndexed of [false, true]) {
      if (isIndexed) await applyAll(indexer);
      for (const text of filters) {
        const plan = countPlanOf(resources.startup, text);
        const byRest = compileCountByRest(plan);
        expect([text, byRest?.isStored]).toEqual([text, true]);
        const answers = [byRest?.statement, compileCount(plan).statement].map(async (statement) => {
          return statement && (await database.answer(statement)).body;
        });
        const [counted, expected] = await Promise.all(answers);
        expect([text, counted]).toEqual([text, expected]);
      }
    }
  }
});

test('a pattern that more than a thousand values match is not counted in memory', async () => {
  await sql.query(`INSERT INTO venture.startup (name, tags)
    SELECT 'Bulk', array_agg('Bulk ' || i) FROM generate_series(1, 1001) AS i`);
  await applyAll(indexer);
  const outcomes: CountOutcome[] = [];
  const asked: unknown[] = [];
  const records: RecordCounter = {
    isReady: () => true,
    counted: (outcome) => outcomes.push(outcome),
    countRecords: async ({ where, version }) => {
      asked.push(where);
      return { count: 7, version };
    },
  };
  const countOf = async (...patterns: string[]) => {
    const terms = patterns.map((pattern) => `Tag like '${pattern}'`);
    const plan = countPlanOf(resources.startup, terms.join(' or '));
    const sources = { database: setup.api.database, categories: { records } };
    const { body } = await readCount(plan, sources);
    return JSON.parse(body ?? '').count;
  };
  expect(await countOf('bulk%')).toBe(1);
  expect(await countOf('bulk 1_')).toBe(7);
  // Nor are more than ten patterns, or values of more than 240,000 bytes.
  const digits = [...'0123456789'];
  expect(await countOf('bulk 1_', ...digits.map((digit) => `bulk 1_${digit}`))).toBe(1);
  expect(await countOf(...digits.map((digit) => `%${digit}%`))).toBe(7);
  await sql.query(`INSERT INTO venture.startup (name, tags)
    SELECT 'Long', array_agg('Long ' || i || repeat('株', 90)) FROM generate_series(1, 900) AS i`);
  await applyAll(indexer);
  expect(await countOf('long%')).toBe(1);
  expect(outcomes).toEqual([
    ...['not_indexed', 'in_memory', 'not_indexed', 'in_memory', 'not_indexed'],
  ]);
  const [where] = asked as { dimension: string; values: string[] }[];
  expect({ ...where, values: where?.values.toSorted() }).toEqual({
    ...{ kind: 'values', dimension: 'industry' },
    values: Array.from({ length: 10 }, (_, i) => `Bulk ${10 + i}`),
  });
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { planNarrowing } from '../../src/narrowing/plan.ts';
import { ValueResolver } from '../../src/narrowing/resolve.ts';
import type { Database } from '../../src/postgres/database.ts';
import { type CategoryApi, openCategoryApi } from './support/category-api.ts';
import { openDatabase } from './support/engines.ts';

let api: CategoryApi;
let database: Database;
beforeAll(async () => {
  api = await openCategoryApi();
  database = openDatabase(api.url);
});
afterAll(async () => {
  await database.close();
  await api.close();
});

test('a value that no record has any more is rejected once the index has caught up', async () => {
  let nowMs = 0;
  const resolver = new ValueResolver(database, () => nowMs);
  const narrowing = planNarrowing([
    { dimension: 'industry', parameter: 'industry', values: ['Passing'] },
  ]);
  await api.sql.query(`UPDATE venture.startup SET tags = tags || '{Passing}'`);
  await api.catchUp();
  await resolver.assertKnown(narrowing);
  await api.sql.query(`UPDATE venture.startup SET tags = array_remove(tags, 'Passing')`);
  await api.catchUp();
  nowMs = 2_001;
  await expect(resolver.assertKnown(narrowing)).rejects.toMatchObject({ code: 'unknown_value' });
});

test('a number that is not a year may be part of the suggested value', () => {
  const stated = [{ dimension: 'team_size', parameter: 'team_size', values: ['1001'] }] as const;
  expect(() => planNarrowing(stated)).toThrow(/did you mean 1001-5000/);
});

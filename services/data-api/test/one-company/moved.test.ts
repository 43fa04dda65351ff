// Tests docs/spec/one-company.md 25.10.
import { beforeAll, expect, test } from '@jest/globals';
import { createClient } from '@vcds/client';
import { runImport } from '@vcds/importer';
import { closedAfterAll } from '@vcds/test-kit';
import { chargedOf, openApi } from '../support/api.ts';
import { publishOutbox } from '../support/publish.ts';
import { cluster, FUND, fundId, STARTUP, startupId, twoSources } from './support.ts';

const api = await closedAfterAll(openApi({ seed: 'SELECT 1' }));
const [startup = '', merged = ''] = [startupId('A', 'acme'), startupId('B', 'acme')].sort();
const [fund = '', mergedFund = ''] = [fundId('A', 'f'), fundId('B', 'f')].sort();

beforeAll(async () => {
  const lines = twoSources();
  await runImport({ connectionString: api.databaseUrl, stream: { name: 'lines', lines } });
  await publishOutbox(api.sql);
  await cluster(api.sql, STARTUP, [[startup, merged]]);
  await cluster(api.sql, FUND, [[fund, mergedFund]]);
  await publishOutbox(api.sql);
});

test.each([
  ['/startups', merged, startup, ''],
  ['/startups', merged.toUpperCase(), startup, ''],
  ['/startups', merged, startup, '/fundingrounds'],
  ['/startups', merged, startup, '/postvaluations'],
  ['/startups', merged, startup, '/persons'],
  ['/startups', merged, startup, '/references'],
  ['/startups', merged, startup, '/similar'],
  ['/funds', mergedFund, fund, ''],
  ['/funds', mergedFund, fund, '/portfolio'],
  ['/funds', mergedFund, fund, '/persons'],
  ['/funds', mergedFund, fund, '/similar'],
])('%s/%s leads to %s: %s, with the query, for free', async (path, old, now, below) => {
  const query = { ...(below === '' ? { $select: 'Name' } : { $format: 'json' }) };
  const reply = await api.get(`${path}/${old}${below}`, query);
  expect([reply.status, chargedOf(reply)]).toEqual([301, 0]);
  expect(reply.body).toMatchObject({ error: { code: 'moved_permanently', status: 301, id: now } });
  const location = String(reply.headers.location);
  expect(location).toMatch(new RegExp(`/v2${path}/${now}${below}\\?`, 'u'));
  expect(new URL(location).search).toBe(`?${new URLSearchParams(query)}`);
  const followed = await api.get(`${path}/${now}${below}`, query);
  expect(followed.status).toBe(200);
});

test('an id that was never a record stays 404', async () => {
  const reply = await api.get('/startups/00000000-0000-4000-8000-000000000000');
  expect(reply.status).toBe(404);
});

test.each([
  ['/startups', `Id eq ${merged}`, 1],
  ['/startups', `Id in (${merged},${startup})`, 1],
  ['/startups', `Id ne ${merged}`, 0],
  ['/startups', `Investor eq ${mergedFund}`, 1],
  ['/funds', `not (Id eq ${mergedFund})`, 0],
  ['/startups/fundingrounds', `StartupId eq ${merged}`, 2],
  ['/startups/fundingrounds', `Startup eq ${merged} and LeadInvestor eq ${mergedFund}`, 1],
  ['/startups/postvaluations', `StartupId eq ${merged}`, 1],
  ['/news', `StartupId eq ${merged}`, 1],
])('%s?$filter=%s means the record that the id is now', async (path, $filter, records) => {
  expect(await api.list(path, { $filter })).toHaveLength(records);
});

test('feeds of a subject have the signals of every id of the company', async () => {
  const subjects = async (subject: string) => {
    const { body } = await api.get('/signals', { subject, limit: '200' });
    const { signals } = body as { signals: readonly { subject: { id: string } }[] };
    return signals.map(({ subject: { id } }) => id).sort();
  };
  const all = await subjects(startup);
  expect(new Set(all)).toEqual(new Set([startup, merged]));
  expect(await subjects(merged)).toEqual(all);
});

test('the client follows the id', async () => {
  const client = createClient({ baseUrl: api.url, apiKey: `pk_live_${'a'.repeat(49)}` });
  const { data } = await client.get('/startups/{id}', { id: merged });
  expect(data).toMatchObject({ Id: startup });
});

import { expect, test } from '@jest/globals';
import { rateFor } from '@vcds/metering';
import { closedAfterAll } from '@vcds/test-kit';
import { collection } from '../../src/endpoints.ts';
import { column, recordFields } from '../../src/resources/field.ts';
import { resource } from '../../src/resources/resource.ts';
import { chargedOf, errorOf, openApi } from '../support/api.ts';

/** A complete new resource: this declaration and a row in the table of endpoints. */
const patent = resource({
  name: 'patent',
  scope: 'companies',
  title: 'Patent',
  table: 'venture.patent',
  live: () => 'true',
  fields: recordFields([
    column('Title', 'text', 'title', { sortable: true }),
    column('GrantedOn', 'date', 'granted_on', { sortable: true }),
    column('Claims', 'integer', 'claims', { sortable: true }),
    column('StartupId', 'uuid', 'startup_id'),
  ]),
  relations: [
    {
      name: 'Startup',
      description: 'The startup that owns the patent.',
      kind: 'records',
      target: 'startup',
      from: (row) => `FROM venture.startup t WHERE t.id = ${row}.startup_id`,
      many: false,
    },
  ],
});

const api = await closedAfterAll(
  openApi({
    extraEndpoints: [collection('/patents', patent, undefined, rateFor('/news'))],
  }),
);
await api.sql.query(`
  CREATE TABLE venture.patent (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(), title text NOT NULL, granted_on date,
    claims integer, startup_id uuid REFERENCES venture.startup,
    created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now());
  INSERT INTO venture.patent (title, granted_on, claims, startup_id)
    SELECT 'Patent ' || n, date '2020-01-01' + n, n, (SELECT id FROM venture.startup ORDER BY id LIMIT 1)
    FROM generate_series(1, 30) n;
  GRANT SELECT ON venture.patent TO vcds_data_api`);

const titles = async (query: Record<string, string>): Promise<unknown[]> =>
  (await api.list('/patents', query)).map(({ Title }) => Title);

test('a resource declared in one file has every collection parameter', async () => {
  const query = { $filter: "Claims gt 10 and Title like 'Patent 1%'", $orderby: 'GrantedOn desc' };
  expect(await titles({ ...query, $top: '3', $skip: '1', $select: 'Title' })).toEqual([
    'Patent 18',
    'Patent 17',
    'Patent 16',
  ]);
  const counted = await api.get('/patents', { $filter: 'Claims ge 21', $count: 'true' });
  expect(counted.body).toEqual({ count: 10 });
  const [first] = await api.list('/patents', { $expand: 'Startup', $top: '1' });
  expect(first).toMatchObject({ Title: expect.any(String), Startup: { Id: expect.any(String) } });
});

test('its price, next page, errors and root entry follow from the tables', async () => {
  const page = await api.get('/patents', { $top: '10' });
  expect(chargedOf(page)).toBeGreaterThan(0);
  expect(page.headers.link).toMatch(/\/v2\/patents\?.*\$skip=10>; rel="next"/);
  const misspelt = await api.get('/patents', { $filter: 'Claim gt 3' });
  expect(errorOf(misspelt)).toMatchObject({ code: 'unknown_field', suggestion: 'Claims' });
  expect(errorOf(await api.get('/patent'))).toMatchObject({ suggestion: '/v2/patents' });
  const { endpoints } = (await api.get('')).body as { endpoints: readonly { path: string }[] };
  expect(endpoints.find(({ path }) => path === '/patents')).toMatchObject({
    fields: expect.arrayContaining(['Id', 'Title', 'GrantedOn', 'Claims', 'StartupId']),
    relations: ['Startup'],
  });
});

// Tests docs/spec/resources.md 4.9, 4.10, 4.11, 4.12, 4.13, 4.17.
/** Different responses agree about the same records. */

import { expect, test } from '@jest/globals';
import { addressParts } from '@vcds/importer';
import { rateFor } from '@vcds/metering';
import { closedAfterAll } from '@vcds/test-kit';
import { collection } from '../../src/record-endpoints.ts';
import { column, recordFields } from '../../src/resources/field.ts';
import { ADDRESS_MEMBERS } from '../../src/resources/relations.ts';
import { resource } from '../../src/resources/resource.ts';
import { chargedOf, errorOf, openApi } from '../support/api.ts';
import { seedId } from '../support/collections.ts';

type Json = Readonly<Record<string, unknown>>;

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

const TEXT = { id: 'listPatents', tag: 'news', summary: 'Patents', description: 'Patents.' };
const api = await closedAfterAll(
  openApi({
    extraEndpoints: [collection('/patents', patent, TEXT, { rate: rateFor('/news') })],
  }),
);

test('an address has all five members in one order, null for an unknown one', async () => {
  expect(ADDRESS_MEMBERS).toEqual(addressParts.map(([part]) => part));
  await api.sql.query(
    `UPDATE venture.startup SET addresses =
       '[{"Country": "Chile", "Street": "1 Quay"}, {"City": "Oslo", "Street": null}]' WHERE id = $1`,
    [seedId('startup1')],
  );
  const { text, body } = await api.get(`/startups/${seedId('startup1')}`, { $expand: 'Addresses' });
  expect(text).toContain(
    '"Addresses":[{"Street":"1 Quay","PostalCode":null,"City":null,"Region":null,"Country":"Chile"},',
  );
  expect((body as { Addresses: Json[] }).Addresses[1]).toEqual({
    Street: null,
    PostalCode: null,
    City: 'Oslo',
    Region: null,
    Country: null,
  });
  for (const path of ['/startups', '/funds']) {
    const records = await api.list(path, { $expand: 'Addresses', $top: '5000' });
    const addresses = records.flatMap(({ Addresses }) => Addresses as Json[]);
    expect(addresses.length).toBeGreaterThan(10);
    for (const address of addresses) {
      expect(Object.keys(address)).toEqual(['Street', 'PostalCode', 'City', 'Region', 'Country']);
    }
  }
});

test('InvestorNames of a startup are the holders and the investors of its rounds', async () => {
  // A holding that its source withdrew is in no portfolio, although a round names the fund.
  await api.sql.query(
    `UPDATE venture.holding SET stated = true, deleted_at = now()
     WHERE startup_id = $1 AND rounds_count > 0`,
    [seedId('startup2')],
  );
  const rounds = await api.list('/startups/fundingrounds', { $top: '5000', $expand: 'Investors' });
  const startups = await api.list('/startups', { $top: '500', $expand: 'Funds' });
  let people = 0;
  for (const { Id, InvestorNames, Funds } of startups) {
    const named = new Map((Funds as Json[]).map((fund) => [fund.Id, fund.Name]));
    for (const { StartupId, Investors } of rounds) {
      if (StartupId !== Id) continue;
      for (const investor of Investors as Json[]) {
        named.set(investor.Id, investor.Name);
        if (investor.Type === 'person') people += 1;
      }
    }
    expect({ Id, names: [...(InvestorNames as string[])].sort() }).toEqual({
      Id,
      names: [...named.values()].sort(),
    });
  }
  expect(people).toBeGreaterThan(10);
});

test('RoundsCount, TotalRaised, AverageRoundAmount and LastFundingDate are of the confirmed rounds', async () => {
  const startups = await api.list('/startups', { $top: '500', $expand: 'FundingRounds' });
  const reported = new Set(
    Array.from({ length: 120 }, (_, i) => (i % 7 === 0 ? seedId(`startup${i}`) : '')),
  );
  let unconfirmed = 0;
  for (const startup of startups) {
    const all = startup.FundingRounds as Json[];
    const confirmed = all.filter(({ Confirmed }) => Confirmed);
    unconfirmed += all.length - confirmed.length;
    const amounts = confirmed.flatMap(({ Amount }) => (Amount === null ? [] : [Number(Amount)]));
    const sum = amounts.reduce((total, amount) => total + amount, 0);
    const dates = confirmed.map(({ Date: date }) => date).filter((date) => date !== null);
    expect(startup).toMatchObject({
      RoundsCount: confirmed.length,
      AverageRoundAmount: amounts.length === 0 ? null : Math.round(sum / amounts.length),
      LastFundingDate: dates.sort().at(-1) ?? null,
      ...(reported.has(String(startup.Id))
        ? {}
        : { TotalRaised: amounts.length === 0 ? null : sum }),
    });
  }
  expect(unconfirmed).toBeGreaterThan(10);
});

test('a reference has the id of its round, valuation or article', async () => {
  const id = seedId('startup2');
  const references = await api.list(`/startups/${id}/references`, { $top: '5000' });
  const idsOf = (field: string) =>
    references.flatMap(({ Field, RecordId }) => (Field === field ? [RecordId] : [])).sort();
  const listed = async (path: string) =>
    (await api.list(path, { $filter: `StartupId eq ${id}`, $top: '5000' }))
      .map(({ Id }) => Id)
      .sort();
  const rounds = await listed('/startups/fundingrounds');
  expect(rounds.length).toBeGreaterThan(1);
  expect(idsOf('FundingRounds')).toEqual(rounds);
  expect(idsOf('LatestPostValuation')).toEqual(await listed('/startups/postvaluations'));
  expect(idsOf('Mention')).toEqual(await listed('/news'));
  for (const { Field, RecordId } of references) {
    const isOfRecord = ['FundingRounds', 'LatestPostValuation', 'Mention'].includes(String(Field));
    expect({ Field, isNull: RecordId === null }).toEqual({ Field, isNull: !isOfRecord });
  }
  const one = { $filter: `RecordId eq ${rounds[0]}` };
  expect(await api.list(`/startups/${id}/references`, one)).toMatchObject([
    { Field: 'FundingRounds', RecordId: rounds[0], Source: 'seed' },
  ]);
});

test('NextFundingStage is the stated stage, otherwise the predicted one', async () => {
  const id = seedId('startup5');
  const next = async () => ((await api.get(`/startups/${id}`)).body as Json).NextFundingStage;
  const set = (assignment: string) =>
    api.sql.query(`UPDATE venture.startup SET ${assignment} WHERE id = $1`, [id]);
  await set("next_funding_stage_stated = NULL, operating_status_stated = 'Active'");
  expect(await next()).toBeNull();
  await set('next_funding_stage_predicted = 5');
  expect(await next()).toBe(5);
  await set('next_funding_stage_stated = 8');
  expect(await next()).toBe(8);
});

test('UpdatedTimeStamp changes with the record, and not by a write without a change', async () => {
  const id = seedId('startup6');
  const stamps = async () => {
    const { body } = await api.get(`/startups/${id}`);
    const { CreatedTimeStamp, UpdatedTimeStamp } = body as Json;
    return [CreatedTimeStamp, UpdatedTimeStamp];
  };
  const before = await stamps();
  await api.sql.query('UPDATE venture.startup SET name = name WHERE id = $1', [id]);
  expect(await stamps()).toEqual(before);
  await api.sql.query(`UPDATE venture.startup SET name = name || '!' WHERE id = $1`, [id]);
  const [created, updated] = await stamps();
  expect(created).toBe(before[0]);
  expect(Date.parse(String(updated))).toBeGreaterThan(Date.parse(String(before[1])));
});

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
  expect(page.headers.link).toMatch(/\/v2\/patents\?\$top=10&\$skiptoken=[\w-]+>; rel="next"/);
  const misspelt = await api.get('/patents', { $filter: 'Claim gt 3' });
  expect(errorOf(misspelt)).toMatchObject({ code: 'unknown_field', suggestion: 'Claims' });
  expect(errorOf(await api.get('/patent'))).toMatchObject({ suggestion: '/v2/patents' });
  const { endpoints } = (await api.get('')).body as { endpoints: readonly { path: string }[] };
  expect(endpoints.find(({ path }) => path === '/patents')).toMatchObject({
    fields: expect.arrayContaining(['Id', 'Title', 'GrantedOn', 'Claims', 'StartupId']),
    relations: ['Startup'],
  });
});

test('the references of an inferred status are the pages that it results from', async () => {
  const id = seedId('startup1');
  await api.sql.query(
    `UPDATE venture.startup SET operating_status_stated = NULL, domain = 'seen.example' WHERE id = $1`,
    [id],
  );
  const one = { $filter: "Field eq 'OperatingStatus'" };
  const observe = (kind: string, address: string, post: string | null) =>
    api.sql.query(
      `SELECT venture.record_observation($1, NULL, $2, 'https://' || $3, $3, 'alive', now(), $4,
         'sweep')`,
      [id, kind, address, post],
    );
  await observe('site', 'former.example', null);
  await observe('social', 'github.com/silent', null);
  const before = await api.list(`/startups/${id}/references`, one);
  expect(before.filter(({ Source }) => Source === 'Website')).toEqual([]);
  await observe('site', 'seen.example', null);
  await observe('social', 'x.com/seen', '2010-01-01');
  const page = {
    ...{ Field: 'OperatingStatus', RecordId: null, Value: 'Active', Chosen: true },
    ...{ RetrievedAt: expect.any(String), Confidence: 'estimated' },
  };
  expect(await api.list(`/startups/${id}/references`, { ...one, $orderby: 'Source' })).toEqual([
    { ...page, Source: 'Website', Url: 'https://seen.example' },
    { ...page, Source: 'x.com', Url: 'https://x.com/seen' },
  ]);
});

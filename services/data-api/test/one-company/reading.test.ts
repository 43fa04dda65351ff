// Tests docs/spec/one-company.md 25.9, 25.10.
// Tests docs/spec/resources.md 4.12.
import { beforeAll, expect, test } from '@jest/globals';
import { createClient } from '@vcds/client';
import { recordId, runImport } from '@vcds/importer';
import { closedAfterAll, httpCalls } from '@vcds/test-kit';
import { endpoints } from '../../src/endpoints.ts';
import { ENTITY_SETS, navigationsOf } from '../../src/odata/sets.ts';
import { chargedOf, openApi } from '../support/api.ts';
import { publishOutbox } from '../support/publish.ts';
import { SourceMaker } from './made-sources.ts';
import { cluster, FUND, fundId, STARTUP, startupId, twoSources } from './support.ts';

const api = await closedAfterAll(openApi({ seed: 'SELECT 1' }));
const [startup = '', merged = ''] = [startupId('A', 'acme'), startupId('B', 'acme')].sort();
const [fund = '', mergedFund = ''] = [fundId('A', 'f'), fundId('B', 'f')].sort();
const [round = '', mergedRound = ''] = ['A', 'B']
  .map((source) => recordId('round', source, 'r2'))
  .sort();
const STARTUP_TYPES = 'round.recorded,valuation.recorded,startup.added,news.mention';
const http = await closedAfterAll(Promise.resolve(httpCalls(api.url)));

beforeAll(async () => {
  const lines = twoSources();
  await runImport({ connectionString: api.databaseUrl, stream: { name: 'lines', lines } });
  await publishOutbox(api.sql);
  await cluster(api.sql, STARTUP, [[startup, merged]]);
  await cluster(api.sql, FUND, [[fund, mergedFund]]);
  await publishOutbox(api.sql);
});

/** By the collection in a path: the id that was merged and that of the record, or that it is never merged. */
const BY_COLLECTION: Readonly<Record<string, readonly [string, string] | 'never'>> = {
  ...{
    startups: [merged, startup],
    funds: [mergedFund, fund],
    fundingrounds: [mergedRound, round],
  },
  ...{ persons: 'never', postvaluations: 'never', news: 'never' },
};
/** Every path with an id, with an id in it, and whether it takes quotes. */
const PATHS = [
  ...endpoints.map(({ path }) => ({ path: `/v2${path}`, quotes: ['?quote=true'] })),
  ...ENTITY_SETS.flatMap((set) =>
    ['', ...navigationsOf(set).map(({ name }) => `/${name}`)].map((below) => ({
      ...{ path: `/odata/v4/${set.name}(:id)${below}`, quotes: [] },
    })),
  ),
].filter(({ path }) => path.includes(':id'));

test.each(PATHS)(
  '$path of a merged id leads to the record, with the query, for free',
  async (of) => {
    const [, collection = ''] = /^\/(?:v2|odata\/v4)\/(\w+)/u.exec(of.path) ?? [];
    const ids = BY_COLLECTION[collection.toLowerCase()];
    // A new collection must say whether its records are merged.
    expect(ids).toBeDefined();
    if (ids === 'never' || ids === undefined) return;
    const [old, now] = ids;
    const encoded = `%${old.charCodeAt(0).toString(16)}${old.slice(1)}`;
    const calls = [
      ...['', '?$select=Id&%24top=1', ...of.quotes].flatMap((query) =>
        ['GET', 'HEAD'].map((method) => ({ method, id: old, query })),
      ),
      ...[old.toUpperCase(), encoded].map((id) => ({ method: 'GET', id, query: '' })),
    ];
    for (const { method, id, query } of calls) {
      const called = of.path.replace(':id', id) + query;
      const reply = await http.send(method, called);
      // A parameter that an endpoint does not have is an error before any look-up.
      if (reply.status === 400 && query.includes('$select')) continue;
      expect([called, reply.status, chargedOf(reply)]).toEqual([called, 301, 0]);
      const to = of.path.replace(':id', now) + query;
      expect(reply.headers.location).toBe(`http://data.example${to}`);
      if (method === 'GET') expect(reply.text).toContain(now);
      if (query === '') expect((await http.send(method, to)).status).toBe(200);
    }
  },
);

test('an id of no record stays 404', async () => {
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
  ['/startups/fundingrounds', `Id in (${mergedRound},${round})`, 1],
  ['/startups/postvaluations', `StartupId eq ${merged}`, 1],
  ['/startups/postvaluations', `FundingRoundId eq ${mergedRound}`, 1],
  [`/startups/${startup}/references`, `RecordId eq ${mergedRound}`, 2],
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

test('feeds with a dimension have the signals of every id of the company', async () => {
  const idsOf = async (query: Readonly<Record<string, string>>) => {
    const { body } = await api.get('/signals', { ...query, limit: '200' });
    return (body as { signals: readonly { id: string }[] }).signals.map(({ id }) => id).sort();
  };
  const all = await idsOf({ subject: startup });
  expect(all.length).toBeGreaterThan(6);
  expect(await idsOf({ country: 'Austria', types: STARTUP_TYPES })).toEqual(all);
  // Read by record, not by date: few have it.
  expect(await idsOf({ country: 'Austria', types: STARTUP_TYPES, order: 'asc' })).toEqual(all);
});

test('the activity feed has each event of a merged company once', async () => {
  const entries = await api.list('/activityfeed', { subject: `${merged},${mergedFund}` });
  const added = entries.filter(({ Type }) => Type === 'startup.added');
  expect(added).toMatchObject([{ Subject: { Id: startup } }]);
  const types = entries.map(({ Type }) => String(Type)).filter((type) => type !== 'startup.added');
  expect(types.sort()).toEqual([
    'investor.joined_round',
    ...['round.recorded', 'round.recorded', 'valuation.recorded'],
  ]);
});

test('a company that only one source dates has its entry, whichever id is that of the record', async () => {
  const records = ['dated', 'later'].map((key) => {
    const sources = ['A', 'B'].sort((a, b) => (startupId(a, key) < startupId(b, key) ? -1 : 1));
    const dated = key === 'dated' ? sources[0] : sources[1];
    return { key, dated, ids: sources.map((source) => startupId(source, key)) };
  });
  const lines = records.flatMap(({ key, dated }) =>
    ['A', 'B'].map((source) => ({
      ...{ type: 'startup', source, key, Name: key },
      ...(source === dated && { occurredAt: '2011-01-01' }),
    })),
  );
  await importAll(lines.map((line) => JSON.stringify(line)));
  await publishOutbox(api.sql);
  await cluster(
    api.sql,
    STARTUP,
    records.map(({ ids }) => ids),
  );
  const subject = records.map(({ ids }) => ids[0]).join();
  const entries = await api.list('/activityfeed', { subject, types: 'startup.added' });
  const titles = ['Startup added: dated', 'Startup added: later'];
  expect(entries.map(({ Title }) => Title).sort()).toEqual(titles);
});

test('the client follows the id', async () => {
  const client = createClient({ baseUrl: api.url, apiKey: `pk_live_${'a'.repeat(49)}` });
  const { data } = await client.get('/startups/{id}', { id: merged });
  expect(data).toMatchObject({ Id: startup });
});

const LISTS = ['Tag', 'Identifier'];
const FIELDS = [
  ...['Name', 'Website', 'Description', 'Location', 'Country', 'Region', 'City', 'Founded'],
  ...['MembersCount', 'OperatingStatus', ...LISTS],
];

async function importAll(lines: readonly string[]): Promise<void> {
  const parsed = lines.map((line) => JSON.parse(line));
  await runImport({ connectionString: api.databaseUrl, stream: { name: 'lines', lines: parsed } });
}

const references = (id: string, query: Readonly<Record<string, string>> = {}) =>
  api.list(`/startups/${id}/references`, { $top: '5000', ...query });

/** The values of a record's field, or of references of it. */
const valuesOf = (value: unknown): readonly string[] =>
  value === null ? [] : [value].flat().flatMap((each) => String(each).split('; '));

async function expectChosenValues(): Promise<number> {
  const records = await api.list('/startups', { $top: '5000' });
  let contradicted = 0;
  for (const record of records) {
    const rows = await references(String(record.Id));
    for (const field of FIELDS) {
      const ofField = rows.filter(({ Field }) => Field === field);
      const chosen = ofField.filter(({ Chosen }) => Chosen === true);
      contradicted += ofField.filter(({ Value, Chosen }) => Value !== null && !Chosen).length;
      // Single companies have no rows of the parts of an address.
      if (chosen.length === 0 && ['Country', 'Region', 'City'].includes(field)) continue;
      const said = chosen.flatMap(({ Value }) => valuesOf(Value));
      expect([record.Id, field, [...new Set(said)]]).toEqual([
        ...[record.Id, field],
        valuesOf(record[field]),
      ]);
      if (!LISTS.includes(field)) expect(chosen.length).toBeLessThanOrEqual(1);
    }
    const rounds = await api.list(`/startups/${record.Id}/fundingrounds`);
    for (const { Id, Amount } of rounds) {
      const said = rows.filter(({ RecordId, Chosen }) => RecordId === Id && Chosen === true);
      const value = Amount === null ? null : String(Amount);
      expect(said).toMatchObject([{ Field: 'FundingRounds', Value: value }]);
    }
  }
  return contradicted;
}

const maker = new SourceMaker(36);
const made = maker.make();

test('the chosen values are those of the record, through merges and splits, which restore all rows', async () => {
  const all = async () => {
    const records = await api.list('/startups', { $orderby: 'Id', $select: 'Id', $top: '5000' });
    return Promise.all(
      records.map(async ({ Id }) =>
        (await references(String(Id))).map(({ RetrievedAt: _, ...row }) => row),
      ),
    );
  };
  await importAll([...made.base, ...made.batches.flatMap(({ lines }) => lines)]);
  const before = await all();
  let contradicted = 0;
  for (let n = 0; n < 6; n += 1) {
    await cluster(api.sql, STARTUP, maker.clusters(made.startups));
    await cluster(api.sql, FUND, maker.clusters(made.funds));
    contradicted += await expectChosenValues();
  }
  expect(contradicted).toBeGreaterThan(10);
  await cluster(
    api.sql,
    STARTUP,
    made.startups.map((id) => [id]),
  );
  await cluster(
    api.sql,
    FUND,
    made.funds.map((id) => [id]),
  );
  expect(await all()).toEqual(before);
});

test('each source says its value with its page; references and observations of every statement count', async () => {
  const line = (source: string, more: object) =>
    JSON.stringify({ type: 'startup', source, key: 'one', ...more });
  await importAll([
    line('A', { Name: 'One', Founded: 2001, Website: 'https://one.example', Tags: ['AI'] }),
    line('B', { Name: 'One Ltd', Founded: 2002, Tags: ['Robots'], occurredAt: '2020-01-01' }),
    JSON.stringify({
      ...{ type: 'reference', source: 'B', key: 'r', Startup: { key: 'one' }, Field: 'Founded' },
      ...{ Source: 'Registry', Url: 'https://registry.example/one' },
    }),
  ]);
  const ids = [startupId('A', 'one'), startupId('B', 'one')].sort();
  const [id = '', other = ''] = ids;
  await api.sql.query(
    `SELECT venture.record_observation($1, NULL, 'site', 'https://one.example', 'one.example',
       'alive', now(), NULL, 'sweep')`,
    [other],
  );
  await cluster(api.sql, STARTUP, [ids]);
  const $filter = "Field in ('Name','Founded','Tag','OperatingStatus')";
  const rows = await references(id, { $filter, $select: 'Field,Value,Chosen,Source' });
  expect(rows.map((row) => Object.values(row).join(' ')).sort()).toEqual([
    'Founded 2001 false A',
    'Founded 2002 true Registry',
    'Name One Ltd true B',
    'Name One false A',
    'OperatingStatus Active true Website',
    'Tag AI true A',
    'Tag Robots true B',
  ]);
  expect(await references(id, { $filter: `${$filter} and Chosen eq false` })).toHaveLength(2);
});

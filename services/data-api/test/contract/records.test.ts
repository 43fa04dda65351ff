// Tests docs/spec/resources.md 4.1, 4.2, 4.3, 4.4, 4.5, 4.6, 4.7, 4.8, 4.9, 4.10, 4.12.
// Tests docs/spec/query-language.md 5.10.
// Tests docs/spec/collections.md 6.1, 6.2.
// Tests docs/spec/addresses.md 1.12.
import { describe, expect, test } from '@jest/globals';
import { RATES_DOCUMENT } from '@vcds/metering';
import { ApiError } from '@vcds/service-kit';
import { closedAfterAll } from '@vcds/test-kit';
import { type Coverage, createCoverage } from '../../src/coverage/coverage.ts';
import type { Statement } from '../../src/postgres/statement.ts';
import { chargedOf, errorOf, openApi } from '../support/api.ts';
import { COLLECTIONS, pathOf, seedId, topOf } from '../support/collections.ts';

const api = await closedAfterAll(openApi());

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const RECORDS = [
  { path: '/funds', id: seedId('fund2') },
  { path: '/startups', id: seedId('startup2') },
  { path: '/persons', id: seedId('person2') },
] as const;

describe.each(COLLECTIONS)('$path', (collection) => {
  const { resource } = collection;
  const path = pathOf(collection);
  const fields = [...resource.fields.values()];
  const names = fields.filter((field) => field.selectable !== false).map((field) => field.name);

  test('a record has every field of the table in order, unknown ones null, no filter-only ones', async () => {
    for (const record of await api.list(path, { $top: '5000' })) {
      expect(Object.keys(record)).toEqual(names);
    }
  });

  test('multi-valued fields are arrays, instants ISO 8601 with Z, ids UUIDs', async () => {
    for (const record of await api.list(path, { $top: '5000' })) {
      for (const field of fields) {
        const value = record[field.name];
        if (field.many && field.selectable !== false) expect(Array.isArray(value)).toBe(true);
        if (value === null || value === undefined) continue;
        if (field.type === 'instant') {
          expect(value).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        }
        if (field.type === 'date') expect(value).toMatch(/^\d{4}-\d\d-\d\d$/);
        if (field.type === 'uuid') expect(value).toMatch(/^[0-9a-f-]{36}$/);
        if (['year', 'integer', 'usd'].includes(field.type) && !field.many) {
          expect(Number.isSafeInteger(value)).toBe(true);
        }
      }
    }
  });

  test('$select returns the selected fields in the order of the table at the same price', async () => {
    const whole = await api.get(path, { $top: '20' });
    for (const field of fields) {
      const reply = await api.get(path, { $select: field.name, $top: '20' });
      if (field.selectable === false) {
        expect(errorOf(reply)).toMatchObject({ code: 'unknown_field', field: field.name });
        continue;
      }
      const wanted = (whole.body as Record<string, unknown>[]).map((record) => ({
        [field.name]: record[field.name],
      }));
      expect(reply.body).toEqual(wanted);
      expect(chargedOf(reply)).toBe(chargedOf(whole));
    }
    const backwards = [...names].reverse().join(',');
    expect((await api.get(path, { $select: backwards, $top: '20' })).text).toBe(whole.text);
    expect((await api.get(path, { $select: '*', $top: '20' })).text).toBe(whole.text);
  });

  const relations = [...resource.relations.keys()];
  if (relations.length > 0) {
    test.each(relations)(
      '$expand=%s adds the relation and a quarter to the weight',
      async (relation) => {
        const plain = await api.list(path, { $top: '40' });
        const reply = await api.get(path, { $top: '40', $expand: relation });
        const expanded = reply.body as Record<string, unknown>[];
        const declared = resource.relations.get(relation);
        const isMany = declared?.kind === 'json' || declared?.many === true;
        expect(expanded.map(({ [relation]: _, ...rest }) => rest)).toEqual(plain);
        for (const record of expanded) {
          expect(Object.keys(record)).toEqual([...names, relation]);
          if (isMany) expect(Array.isArray(record[relation])).toBe(true);
        }
        expect(expanded.some((record) => isFilled(record[relation]))).toBe(true);
        expect(chargedOf(reply)).toBe(priceOf(collection.path, expanded.length, 1));
      },
    );

    test('every expanded relation adds a quarter', async () => {
      const reply = await api.get(path, { $top: '40', $expand: relations.join(',') });
      const records = (reply.body as unknown[]).length;
      expect(chargedOf(reply)).toBe(priceOf(collection.path, records, relations.length));
    });
  }

  test('a deleted record is neither listed nor expanded', async () => {
    const expand = relations.length === 0 ? {} : { $expand: relations.join(',') };
    const { text } = await api.get(path, { $top: topOf(resource), ...expand });
    for (const gone of ['fund5', 'person9', 'round4', 'news2']) {
      expect(text).not.toContain(`"Id":"${seedId(gone)}"`);
    }
    for (const gone of ['startup3', 'startup110']) {
      expect(text).not.toContain(`"Id":"${seedId(gone)}"`);
    }
  });

  test('a query without matches returns an empty array for one credit', async () => {
    const filterable = fields.find(
      (field) => ['date', 'year', 'instant'].includes(field.type) && field.filterable,
    );
    const filter = `${filterable?.name} eq ${filterable?.type === 'year' ? '1' : '0001-01-01'}`;
    const reply = await api.get(path, { $filter: filter });
    expect(reply.text).toBe('[]');
    expect(chargedOf(reply)).toBe(1);
  });
});

describe.each(RECORDS)('$path/{id}', ({ path, id }) => {
  test('returns the record of the collection, with $select and $expand', async () => {
    const [listed] = await api.list(path, { $filter: `Id eq ${id}` });
    const reply = await api.get(`${path}/${id}`);
    expect(reply.body).toEqual(listed);
    expect(chargedOf(reply)).toBe(1);
    const upper = await api.get(`${path}/${id.toUpperCase()}`, { $select: 'Name' });
    expect(upper.body).toEqual({ Name: listed?.Name });
    const expanded = await api.get(`${path}/${id}`, {
      $expand: path === '/persons' ? 'Startups' : 'Tags',
    });
    expect(chargedOf(expanded)).toBe(2);
  });

  test('404 without charge for an unknown id, a deleted record and an invalid UUID', async () => {
    const deleted = { '/funds': 'fund5', '/startups': 'startup3', '/persons': 'person9' }[path];
    for (const missing of [UNKNOWN_ID, seedId(deleted), 'not-a-uuid', '1', `${id}0`]) {
      const reply = await api.get(`${path}/${missing}`);
      expect({ missing, status: reply.status }).toEqual({ missing, status: 404 });
      expect(errorOf(reply)).toMatchObject({ code: 'not_found', status: 404 });
      expect(chargedOf(reply)).toBe(0);
    }
  });

  test('a record has no collection parameters', async () => {
    const reply = await api.get(`${path}/${id}`, { $top: '1' });
    expect(errorOf(reply)).toMatchObject({ code: 'unknown_parameter', parameter: '$top' });
  });
});

test("a startup's Status has the statuses of its listed investors, without deleted funds", async () => {
  for (const { Id, Status, Funds } of await api.list('/startups', {
    $top: '500',
    $expand: 'Funds',
  })) {
    const statuses = (Funds as { Status: string }[]).map((fund) => fund.Status);
    expect({ Id, Status }).toEqual({ Id, Status: [...new Set(statuses)].sort() });
  }
});

test("a fund's ExitRate is computed from its listed portfolio, without deleted startups", async () => {
  for (const { Id, ExitRate } of await api.list('/funds', { $top: '5000' })) {
    const portfolio = await api.list(`/funds/${Id}/portfolio`, { $top: '5000' });
    const ended = portfolio.filter(({ Status }) => Status !== 'Held').length;
    const rate = portfolio.length === 0 ? null : Number((ended / portfolio.length).toFixed(4));
    expect({ Id, ExitRate }).toEqual({ Id, ExitRate: rate });
  }
});

test('RetrievedAt is the time of the import or last change of a fact, not its market date', async () => {
  const retrieved = async () => {
    const references = await api.list(`/startups/${seedId('dated')}/references`);
    return Object.fromEntries(references.map(({ Field, RetrievedAt }) => [Field, RetrievedAt]));
  };
  await api.sql.query(`
    INSERT INTO venture.startup (id, name, source, occurred_at, created_at)
      VALUES (md5('dated')::uuid, 'Dated', 'seed', '2001-01-01Z', '2026-03-01Z');
    INSERT INTO venture.funding_round (startup_id, source, occurred_at, updated_at)
      VALUES (md5('dated')::uuid, 'seed', '2001-01-02Z', '2026-03-02Z');
    INSERT INTO venture.post_valuation (startup_id, source, amount, occurred_at, updated_at)
      VALUES (md5('dated')::uuid, 'seed', 5, '2001-01-03Z', '2026-03-03Z');
    INSERT INTO venture.news (startup_id, title, source, occurred_at, updated_at)
      VALUES (md5('dated')::uuid, 'News', 'seed', '2001-01-04Z', '2026-03-04Z');
    INSERT INTO venture.reference (startup_id, field, fact_source, occurred_at, retrieved_at)
      VALUES (md5('dated')::uuid, 'Founded', 'Registry', '2001-01-05Z', '2026-03-05Z')`);
  expect(await retrieved()).toEqual({
    Name: '2026-03-01T00:00:00.000Z',
    FundingRounds: '2026-03-02T00:00:00.000Z',
    LatestPostValuation: '2026-03-03T00:00:00.000Z',
    Mention: '2026-03-04T00:00:00.000Z',
    Founded: '2026-03-05T00:00:00.000Z',
  });
  const { rows } = await api.sql.query(
    `UPDATE venture.startup SET name = 'Redated' WHERE id = md5('dated')::uuid RETURNING updated_at`,
  );
  expect(await retrieved()).toMatchObject({ Name: rows[0].updated_at.toISOString() });
});

test('a name in the place of an id is 404 with a search for it', async () => {
  for (const path of ['/startups/Acme', '/startups/Acme/fundingrounds', '/funds/Acme/portfolio']) {
    const error = errorOf(await api.get(path));
    expect(error).toMatchObject({ code: 'not_found', value: 'Acme' });
    expect(error).not.toHaveProperty('suggestion');
    const collection = path.split('/')[1];
    expect(error.see).toBe(`http://data.example/v2/${collection}/search?q=Acme`);
  }
});

test.each([
  ['/funds/serach?q=acme', '/v2/funds/search'],
  ['/startups/fundingRounds', '/v2/startups/fundingrounds'],
  ['/startups/fundingRounds?$top=5', '/v2/startups/fundingrounds'],
  ['/startups/postValuations?$filter=Year eq 2020', '/v2/startups/postvaluations'],
  ['/startups/tags?q=fin', '/v2/startups/tags/search'],
  ['/startups/Acme?$top=1', undefined],
])('%s is not a record: the suggested path is before the parameters', async (path, meant) => {
  const reply = await api.get(path);
  expect(errorOf(reply)).toMatchObject({ code: 'not_found', status: 404 });
  expect(errorOf(reply).suggestion).toBe(meant);
  expect(chargedOf(reply)).toBe(0);
});

test.each([
  `/startups/${UNKNOWN_ID}/fundingrounds`,
  `/startups/${UNKNOWN_ID}/postvaluations`,
  `/startups/${UNKNOWN_ID}/persons`,
  `/startups/${UNKNOWN_ID}/references`,
  `/startups/${seedId('startup3')}/fundingrounds`,
  `/startups/nonsense/references`,
  `/funds/${UNKNOWN_ID}/portfolio`,
  `/funds/${seedId('fund5')}/persons`,
])('%s is 404 without its company', async (path) => {
  const reply = await api.get(path);
  expect(errorOf(reply)).toMatchObject({ code: 'not_found' });
  expect(chargedOf(reply)).toBe(0);
});

/** The price by the rate card, computed with fractions instead of sixteenths. */
function priceOf(template: string, records: number, expands: number): number {
  const path = template.replace(/\{\w+\}/, '{id}');
  const line = RATES_DOCUMENT.endpoints.find((endpoint) => endpoint.path === path);
  if (line === undefined) throw new Error(`no rate for ${path}`);
  return Math.max(1, Math.ceil(line.base + records * line.perRecord * (1 + 0.25 * expands)));
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== null;
}

test('coverage has the count and the newest change of each collection, without a key, and is counted once', async () => {
  const [reply, again] = await Promise.all([
    api.get('/coverage', {}, { 'x-account': 'unknown' }),
    api.get('/coverage'),
  ]);
  expect([reply.status, again.body]).toEqual([200, reply.body]);
  const { collections, newestRound } = reply.body as Coverage;
  for (const { name, records, updatedAt } of collections) {
    const path = name.replace(/^(?=fundingrounds|postvaluations)/, 'startups/');
    if (name === 'holdings') continue;
    const query = { $orderby: 'UpdatedTimeStamp desc', $top: '1' };
    const [newest] = await api.list(`/${path}`, query);
    const count = (await api.get(`/${path}`, { $count: 'true' })).body;
    expect([name, { count: records }, updatedAt]).toEqual([name, count, newest?.UpdatedTimeStamp]);
  }
  const [round] = await api.list('/startups/fundingrounds', { $orderby: 'Date desc', $top: '1' });
  expect([collections.length, newestRound]).toEqual([7, round?.Date]);
  expect((await api.get('/coverage', { top: '1' })).status).toBe(400);
});

test('coverage that could not be counted is counted again', async () => {
  const real = api.database;
  let isBroken = true;
  const database = {
    rows: async <Row extends object>(statement: Statement): Promise<Row[]> => {
      if (isBroken) throw new ApiError('unavailable', 'The database is away.');
      return real.rows<Row>(statement);
    },
  };
  const { read } = createCoverage(database);
  await expect(read()).rejects.toMatchObject({ code: 'unavailable' });
  isBroken = false;
  expect(JSON.parse(await read())).toMatchObject({ newestRound: expect.any(String) });
});

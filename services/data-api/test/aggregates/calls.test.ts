// Tests docs/spec/aggregates.md 22.1, 22.2, 22.3, 22.4, 22.5.
import { describe, expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import { openCategorySetup } from '../categories/support/category-setup.ts';
import { chargedOf, errorOf, openApi } from '../support/api.ts';

const setup = await closedAfterAll(openCategorySetup());
const { api, get } = setup;
const AGGREGATES = '/aggregates';
await api.sql.query(`
  UPDATE venture.funding_round SET amount = 1000001 WHERE series = 'seed';
  UPDATE venture.funding_round SET amount = 4000000 WHERE series = 'Series A';
  INSERT INTO venture.post_valuation (startup_id, date, amount) VALUES
    ('50000000-0000-0000-0000-000000000001', '2012-02-01', 20000000),
    ('50000000-0000-0000-0000-000000000002', '2012-08-01', 50000000);`);
await api.catchUp();

interface Body {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly total: Readonly<Record<string, unknown>>;
  readonly more: boolean;
  readonly groups: number;
}

describe('the answer', () => {
  test('has the groups with labels, how many records have the number, and all records together', async () => {
    const body = await get(AGGREGATES, {
      ...{ entity: 'rounds', by: 'round_stage', measures: 'count,sum(Amount),Median( amount )' },
      country: 'US',
    });
    expect(body).toEqual({
      entity: 'rounds',
      measures: ['count', 'sum(Amount)', 'median(Amount)'],
      by: ['round_stage'],
      narrowedBy: { country: ['United States'] },
      rows: [
        {
          ...{ round_stage: 'Series A', count: 2, 'sum(Amount)': 4_000_000 },
          ...{ 'median(Amount)': 4_000_000, known: { Amount: 1 } },
        },
        {
          ...{ round_stage: 'Seed', count: 1, 'sum(Amount)': 1_000_001 },
          ...{ 'median(Amount)': 1_000_001, known: { Amount: 1 } },
        },
      ],
      // Two and a half million and a half dollar.
      total: {
        ...{ count: 3, 'sum(Amount)': 5_000_001, 'median(Amount)': 2_500_001 },
        known: { Amount: 2 },
      },
      ...{ groups: 2, more: false },
      asOf: {
        position: expect.stringMatching(/^\d+$/),
        at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    });
  });

  test.each([
    [
      'of time, in order',
      { by: 'quarter(Date)' },
      'quarter(Date)',
      ['2011-Q1', '2012-Q1', '2012-Q2', null],
    ],
    [
      'of years, at last first',
      { by: 'year(Date)', orderby: 'YEAR(date) DESC' },
      'year(Date)',
      ['2012', '2011', null],
    ],
    [
      'of a dimension of the company',
      { by: 'country', orderby: 'country' },
      'country',
      ['France', 'United States'],
    ],
    [
      'of its several investors',
      { by: 'investor_type', orderby: 'investor_type' },
      'investor_type',
      ['Venture Fund', 'Accelerator', 'Studio', null],
    ],
    ['in a page', { by: 'round_stage', top: '1', skip: '1' }, 'round_stage', ['Seed']],
  ])('has groups %s', async (_, query, key, expected) => {
    const { rows } = await get<Body>(AGGREGATES, { entity: 'rounds', ...query });
    expect(new Set(rows.map((row) => row[key]))).toEqual(new Set(expected));
    if (!key.includes('_')) expect(rows.map((row) => row[key])).toEqual(expected);
  });

  test('says whether groups follow, and has one group without a key', async () => {
    expect(await get(AGGREGATES, { by: 'country', top: '1' })).toMatchObject({ more: true });
    expect(await get(AGGREGATES, { measures: 'max(Founded),min(LastFundingDate)' })).toMatchObject({
      rows: [{ 'max(Founded)': 2012, 'min(LastFundingDate)': '2012-01-01', known: { Founded: 5 } }],
      ...{ groups: 1, more: false },
    });
    expect(await get(AGGREGATES, { $filter: "Name eq 'None'" })).toMatchObject({
      rows: [{ count: 0 }],
    });
  });

  test('has valuations, by their company and narrowed by it', async () => {
    const query = { entity: 'valuations', measures: 'average(Amount),countdistinct(StartupId)' };
    expect(await get(AGGREGATES, { ...query, by: 'country', orderby: 'country' })).toMatchObject({
      rows: [
        { country: 'France', 'average(Amount)': 50_000_000 },
        { country: 'United States', 'average(Amount)': 35_000_000, 'countdistinct(StartupId)': 2 },
      ],
      total: { 'average(Amount)': 35_000_000 },
    });
    const { total } = await get<Body>(AGGREGATES, { ...query, industry: 'Robots' });
    expect(total).toMatchObject({ 'average(Amount)': 20_000_000 });
  });

  test('is narrowed by one record with all that is asked of related ones', async () => {
    const { total } = await get<Body>(AGGREGATES, { round_year: '2011', round_stage: 'seed' });
    expect(total.count).toBe(1);
    const none = await get<Body>(AGGREGATES, { round_year: '2012', round_stage: 'seed' });
    expect(none.total.count).toBe(0);
  });

  test('groups by investors, by id and name; the co-investors of one are one call', async () => {
    const alpha = { Id: 'f0000000-0000-0000-0000-000000000001', Name: 'Alpha' };
    const beta = { Id: 'f0000000-0000-0000-0000-000000000002', Name: 'Beta' };
    const rounds = { entity: 'rounds', by: 'investor', orderby: 'investor' };
    const body = await get(AGGREGATES, { ...rounds, investor: 'beta' });
    expect(body).toMatchObject({
      narrowedBy: { investor: ['Beta'] },
      rows: [
        { investor: alpha, count: 1 },
        { investor: beta, count: 2 },
      ],
      total: { count: 2 },
    });
    const leads = { entity: 'rounds', by: 'lead_investor', measures: 'count,sum(Amount)' };
    expect(await get(AGGREGATES, { ...leads, investor: beta.Id.toUpperCase() })).toMatchObject({
      rows: [{ lead_investor: alpha }, { lead_investor: null }],
    });
    const startups = { by: 'lead_investor', measures: 'count,countdistinct(Investor)' };
    expect(await get(AGGREGATES, startups)).toMatchObject({
      rows: [{ lead_investor: alpha }, { lead_investor: null, 'countdistinct(Investor)': 2 }],
      total: { 'countdistinct(Investor)': 3 },
    });
    // Those of the round of a valuation, and no holders of the company.
    const valuations = { entity: 'valuations', by: 'investor' };
    expect(await get(AGGREGATES, valuations)).toMatchObject({
      rows: [{ investor: null, count: 2 }],
    });
  });

  test('says in the body, too, that a value of the filter occurs nowhere', async () => {
    const $filter = "City eq 'Pariss'";
    const hints = [expect.stringContaining("City 'Pariss' occurs nowhere")];
    expect(await get(AGGREGATES, { $filter })).toMatchObject({ total: { count: 0 }, hints });
    expect(await get('/startups', { $filter, $count: 'true' })).toEqual({ count: 0, hints });
    const csv = await api.get(AGGREGATES, { $filter, $format: 'csv' });
    expect(csv.text).not.toContain('hints');
  });

  test('has valuations by the stage of their own round, not by the rounds of the company', async () => {
    await api.sql.query(`UPDATE venture.post_valuation SET round_id =
      (SELECT id FROM venture.funding_round AS r WHERE r.startup_id = post_valuation.startup_id
       ORDER BY r.stage LIMIT 1) WHERE amount = 20000000`);
    const query = { entity: 'valuations', measures: 'count,median(Amount)', orderby: 'count' };
    const { rows } = await get<Body>(AGGREGATES, { ...query, by: 'round_stage' });
    expect(rows).toEqual([
      expect.objectContaining({ round_stage: 'Seed', count: 1, 'median(Amount)': 20_000_000 }),
      expect.objectContaining({ round_stage: null, count: 1, 'median(Amount)': 50_000_000 }),
    ]);
    const { total } = await get<Body>(AGGREGATES, { ...query, round_stage: 'seed' });
    expect(total).toMatchObject({ count: 1, 'median(Amount)': 20_000_000 });
  });

  test('has the name and the order of an investor that is renamed', async () => {
    const of = async (query: Readonly<Record<string, string>>) => {
      const { values } = await get<{ values: { label: string }[] }>('/categories/investor', query);
      return values.map(({ label }) => label);
    };
    expect(await of({ q: 'al' })).toEqual(['Alpha']);
    await api.sql.query(`UPDATE venture.fund SET name = 'Ólga' WHERE name = 'Alpha'`);
    await api.catchUp();
    expect([await of({ q: 'al' }), await of({ q: 'olg' })]).toEqual([[], ['Ólga']]);
    expect(await of({ counts: 'false' })).toEqual(['Beta', 'Gamma', 'Ólga']);
    await api.sql.query(`UPDATE venture.fund SET name = 'Alpha' WHERE name = 'Ólga'`);
    await api.catchUp();
  });

  test('costs one credit, and its price is known before', async () => {
    const quoted = await api.get(AGGREGATES, { quote: 'true' });
    expect([chargedOf(quoted), quoted.body]).toMatchObject([0, { quote: { credits_max: 1 } }]);
    expect(chargedOf(await api.get(AGGREGATES, { by: 'industry,city,founded_year' }))).toBe(1);
  });
});

describe('an error', () => {
  test.each([
    ['entity=companies', 'unknown_entity', { suggestion: 'startups' }],
    ['entity=valuation', 'unknown_entity', { suggestion: 'valuations' }],
    ['measures=avg(TotalRaised)', 'bad_parameter', { suggestion: 'average(TotalRaised)' }],
    [
      'measures=TotalRaised',
      'bad_parameter',
      { allowed: expect.arrayContaining(['sum(TotalRaised)']) },
    ],
    ['measures=p10(TotalRaised)', 'bad_parameter', { suggestion: undefined }],
    ['entity=rounds&by=week(Date)', 'bad_parameter', { suggestion: undefined }],
    [
      'entity=rounds&measures=sum(OriginalAmount)',
      'bad_parameter',
      { message: expect.stringContaining('sum(Amount)') },
    ],
    ['entity=rounds&by=investor_type&investor=Alpha', 'bad_parameter', { allowed: ['funds'] }],
    ['by=investor&round_year=2012', 'bad_parameter', { allowed: ['rounds'] }],
    ['measures=sum(Founded)', 'bad_parameter', { parameter: 'measures', value: 'Founded' }],
    ['measures=median(Name)', 'bad_parameter', { parameter: 'measures', value: 'Name' }],
    ['measures=median(Amount)', 'unknown_field', { parameter: 'measures' }],
    ['measures=median(TotalRaise)', 'unknown_field', { suggestion: 'median(TotalRaised)' }],
    ['measures=countdistinct(Name)', 'bad_parameter', { parameter: 'measures' }],
    ['measures=', 'bad_parameter', { parameter: 'measures' }],
    ['by=sector', 'unknown_dimension', { parameter: 'by', suggestion: 'industry' }],
    ['by=week(LastFundingDate)', 'bad_parameter', { parameter: 'by' }],
    [
      'by=year(Founded)',
      'bad_parameter',
      { parameter: 'by', allowed: expect.arrayContaining(['LastFundingDate']) },
    ],
    ['by=city,country,region,industry', 'bad_parameter', { parameter: 'by' }],
    ['orderby=sum(TotalRaised)', 'bad_parameter', { parameter: 'orderby', allowed: ['count'] }],
    ['by=round_year,round_stage', 'bad_parameter', { parameter: 'entity', allowed: ['rounds'] }],
    ['by=round_stage&round_year=2012', 'bad_parameter', { allowed: ['rounds'] }],
    ['entity=rounds&by=investor&investor_type=studio', 'bad_parameter', { allowed: ['funds'] }],
    ['entity=rounds&lead_investor=Alpa', 'unknown_value', { suggestion: 'Alpha' }],
    [
      'entity=rounds&investor=f0000000-0000-0000-0000-000000000009',
      'unknown_value',
      { allowed: expect.arrayContaining(['Alpha', 'Beta']) },
    ],
    ['top=1001', 'bad_parameter', { parameter: 'top' }],
    ['country=Franze', 'unknown_value', { suggestion: 'France' }],
    ['country=Frankrich', 'unknown_value', { suggestion: 'France' }],
    ...['Niger', 'Island', 'Korea North', 'Kongo', 'Frances Republic of Nowhere'].map(
      (country): [string, string, object] => [
        `country=${country}`,
        'unknown_value',
        { suggestion: undefined },
      ],
    ),
    ['country=Island', 'unknown_value', { message: 'No record has the country Iceland.' }],
    ['$filter=Amount gt 5', 'unknown_field', {}],
    ['$top=5', 'unknown_parameter', { suggestion: 'top' }],
  ])('repairs %s', async (query, code, error) => {
    const reply = await api.get(`${AGGREGATES}?${query}`);
    expect([errorOf(reply).code, chargedOf(reply)]).toEqual([code, 0]);
    expect({ suggestion: undefined, ...errorOf(reply) }).toMatchObject(error);
    const { parameter, suggestion } = errorOf(reply) as { parameter?: string; suggestion?: string };
    if (suggestion === undefined || parameter === undefined || query.startsWith('$')) return;
    // A suggestion works when it is sent, but for a call with another fault.
    const sent = new URLSearchParams(query);
    sent.set(parameter, suggestion);
    expect((await api.get(`${AGGREGATES}?${sent}`)).status).toBe(200);
  });

  test('asks for an id where several investors have a name', async () => {
    await api.sql.query(`UPDATE venture.fund SET name = 'alpha' WHERE name = 'Beta'`);
    await api.catchUp();
    const reply = await api.get(AGGREGATES, { entity: 'rounds', investor: 'Alpha' });
    const ids = ['f0000000-0000-0000-0000-000000000001', 'f0000000-0000-0000-0000-000000000002'];
    expect(errorOf(reply)).toMatchObject({ code: 'unknown_value', allowed: ids });
    expect(chargedOf(reply)).toBe(0);
    await api.sql.query(`UPDATE venture.fund SET name = 'Beta' WHERE name = 'alpha'`);
    await api.catchUp();
  });

  test('names the key to leave out if there are too many groups', async () => {
    const many = (prefix: string, form: string) =>
      `(SELECT array_agg(${form}) FROM generate_series(1, 320) AS n)`.replaceAll('@', prefix);
    await api.sql.query(`INSERT INTO venture.startup (name, tags, addresses)
      SELECT 'Everywhere', ${many('t', "'@' || n")},
        to_jsonb(${many('c', "jsonb_build_object('City', '@' || n)")})`);
    const reply = await api.get(AGGREGATES, { by: 'industry,city' });
    expect([errorOf(reply).code, reply.status]).toEqual(['too_many_groups', 400]);
    expect(errorOf(reply)).toMatchObject({ parameter: 'by', value: 'city' });
  });

  test('is that of the scope for a key without it', async () => {
    const other = await openApi({
      seed: 'SELECT 1',
      principal: { scopes: new Set(['companies']) },
    });
    expect(errorOf(await other.get(AGGREGATES)).code).toBe('not_entitled');
    await other.close();
  });
});

// Tests docs/spec/addresses.md 1.10.
// Tests docs/spec/collections.md 6.7.
import { describe, expect, test } from '@jest/globals';
import type { ClosedValue } from '@vcds/odata-query';
import { closedAfterAll } from '@vcds/test-kit';
import {
  exitStatuses,
  investorTypes,
  memberBuckets,
  operatingStatuses,
  personRoles,
  primarySources,
  stages,
} from '@vcds/venture-model';
import fc from 'fast-check';
import Papa from 'papaparse';
import { type Column, csvText, isObject } from '../../src/tables/csv.ts';
import { chargedOf, errorOf, openApi, type Reply } from '../support/api.ts';
import { seedId } from '../support/collections.ts';
import { publishOutbox } from '../support/publish.ts';

const api = await closedAfterAll(openApi());
const NAUGHTY = [
  '=cmd|"/C calc"!A0',
  'a "b",\r\n\tc; =1',
  ' padded ',
  'Ωmega 株式会社 🚀',
  "+49; '-1",
];
const { rows: NAMED } = await api.sql.query(
  'UPDATE venture.startup s SET name = n.name, description = n.name FROM (SELECT id, name FROM ' +
    'unnest($1::text[], ARRAY(SELECT id FROM venture.startup WHERE deleted_at IS NULL LIMIT 5)) ' +
    'AS u(name, id)) AS n WHERE s.id = n.id RETURNING s.id',
  [NAUGHTY],
);
await publishOutbox(api.sql);

const CSV = { Accept: 'text/csv' };
const STARTUP = `/startups/${seedId('startup2')}`;
const NO_MATCH = encodeURIComponent("Name eq 'no such name'");
const CLOSED: Readonly<Record<string, readonly ClosedValue[]>> = {
  ...{ LastFundingStage: stages, NextFundingStage: stages, InvestmentStage: stages, Stage: stages },
  ...{ MembersCountBucket: memberBuckets, InvestmentType: investorTypes, Role: personRoles },
  ...{ OperatingStatus: operatingStatuses, Status: exitStatuses, HoldingStatus: exitStatuses },
  PrimarySource: primarySources,
};
type Cells = readonly (readonly string[])[];

function read({ text }: { readonly text: string }): Cells {
  const { data, errors } = Papa.parse<string[]>(text, { delimiter: ',', newline: '\r\n' });
  expect(errors).toEqual([]);
  expect(data.pop()).toEqual(['']);
  return data;
}

/** The cells of JSON records, by other code than that of the product: a path is the name of a column. */
function cellsOf(columns: readonly string[], records: readonly object[]): Cells {
  const valueAt = (record: object, name: string): unknown => {
    if (Object.hasOwn(record, name)) return Reflect.get(record, name);
    const [first = '', ...rest] = name.split('.');
    const inner: unknown = Reflect.get(record, first);
    return typeof inner === 'object' && inner !== null && rest.length > 0
      ? valueAt(inner, rest.join('.'))
      : null;
  };
  const text = (value: unknown): string => {
    if (!Array.isArray(value)) return value === null || value === undefined ? '' : String(value);
    return value.map((each) => each?.Label ?? each?.Name ?? each?.Text ?? each).join('; ');
  };
  return records.map((record) => columns.map((name) => text(valueAt(record, name))));
}

const itemsOf = ({ body }: Reply, member: string): readonly object[] =>
  (member === '' ? body : Reflect.get(body as object, member)) as readonly object[];

const TABLES: readonly (readonly [path: string, member?: string, paged?: boolean])[] = [
  ['/startups?$top=60&$orderby=Name', '', true],
  ['/startups?$select=Domain,Name,Tag,Founded&$orderby=Founded&$top=100', '', true],
  ['/startups?$select=Website&$top=100', '', true],
  ['/startups/fundingrounds?$top=50&$expand=Startup', '', true],
  ['/startups/postvaluations?$top=50', '', true],
  ['/funds?$top=40&$expand=Tags,InvestmentStages,InvestmentTypes,Groups'],
  ['/funds?$top=20&$expand=Startups,Persons&$select=Name', '', true],
  ['/persons?$top=50'],
  ['/news?$top=50&$expand=Startup,Fund', '', true],
  [`${STARTUP}/references?$top=100`],
  [`/funds/${seedId('fund2')}/portfolio?$top=100`],
  [STARTUP],
  ['/startups?$count=true'],
  ['/startups/search?q=agora'],
  ['/companies/search?q=zeta&fields=Score,Name'],
  ['/categories', 'dimensions'],
  ['/categories/stage', 'values'],
  ['/categories/stage?counts=false', 'values'],
  ['/categories/industry/Fintech/startups?$top=10', '', true],
  [
    '/aggregates?entity=rounds&measures=count,median(Amount)&by=round_stage,year(Date)&top=5',
    'rows',
    true,
  ],
  ['/signals?limit=20&expand=subject,object', 'signals', true],
  ['/activityfeed?$top=20', '', true],
  ['/changes?limit=20', 'changes', true],
  ['/changes?limit=20&include=record&collections=startups', 'changes', true],
  ['/changes?limit=5&include=record&collections=holdings', 'changes', true],
  [`${STARTUP}/similar?top=5`],
  ['/signals/types', 'types'],
];
test.each(TABLES.map(([path, member = '', paged = false]) => [path, member, paged] as const))(
  '%s has as CSV the cells of its JSON, its price and its Link',
  async (path, member, paged) => {
    const json = await api.get(path);
    expect([json.status, json.text]).toEqual([200, json.text]);
    const byAccept = await api.get(path, {}, CSV);
    const csv = await api.get(path, { $format: 'csv' });
    expect([csv.status, csv.headers['content-type']]).toEqual([
      ...[200, 'text/csv; charset=utf-8; header=present'],
    ]);
    expect(byAccept.text).toBe(csv.text);
    const [header = [], ...rows] = read(csv);
    const body = itemsOf(json, member);
    const records = Array.isArray(body) ? body : [body];
    expect(records.length).toBeGreaterThan(0);
    const counts = header.filter((name) => name.endsWith('@count'));
    const withCounts = records.map((record) => ({
      ...Object.fromEntries(counts.map((name) => [name, record[name.slice(0, -6)].length])),
      ...record,
    }));
    expect(rows).toEqual(cellsOf(header, withCounts));
    expect(chargedOf(csv)).toBe(chargedOf(json));
    for (const { headers } of [json, csv, byAccept]) expect('link' in headers).toBe(paged);
    if (!paged) return;
    const url = new URL(/<(.*?)>/.exec(csv.headers.link ?? '')?.[1] ?? '');
    const next = await api.get(`${url.pathname.slice('/v2'.length)}${url.search}`);
    expect(read(next)[0]).toEqual(header);
  },
);

test('facets are a row for each value', async () => {
  const path = '/categories/facets?dimensions=stage,industry&top=3';
  const { facets } = (await api.get(path)).body as { facets: Record<string, { value: unknown }[]> };
  const values = Object.entries(facets).flatMap(([id, all]) =>
    all.map(({ value }) => [id, String(value)]),
  );
  const [header, ...rows] = read(await api.get(path, {}, CSV));
  expect(header).toEqual(['dimension', 'value', 'label', 'slug', 'name', 'count']);
  expect(rows.map((row) => row.slice(0, 2))).toEqual(values);
});

test.each([
  ['/categories', 'id,title,description,kind,entities,filterField'],
  ['/categories/facets?dimensions=industry', 'dimension,value,label,slug,name,count'],
  ['/categories/stage', 'value,label,slug,name,count'],
  ['/categories/stage?counts=false', 'value,label,slug,name'],
  ['/categories/industry', 'value,label,count'],
  ['/categories/investor?counts=false', 'value,label'],
  ['/startups/tags/search?q=fin', 'value,label,count'],
  ['/aggregates?measures=count&by=country', 'country,count'],
  [
    '/aggregates?entity=rounds&measures=SUM( amount ),count,median(Amount),min(Date)&by=Quarter(date),lead_investor',
    'quarter(Date),lead_investor.Id,lead_investor.Name,sum(Amount),count,median(Amount),min(Date),known.Amount,known.Date',
  ],
])('%s has these columns as CSV, also without rows', async (path, columns) => {
  const reply = await api.get(path, { $format: 'csv' });
  expect(reply.text.split('\r\n')[0]).toBe(columns);
  const isNarrowed = !['/categories', '/startups/tags/search?q=fin'].includes(path);
  const none = {
    $format: 'csv',
    ...(isNarrowed && { founded_year: '2003', city: 'Oslo', stage: '11' }),
  };
  expect((await api.get(path, none)).text.split('\r\n')[0]).toBe(columns);
});

test('columns are in the order of $select, and an empty page has them too', async () => {
  const select = 'Tag,Name,Id,CreatedTimeStamp';
  const empty = await api.get(`/startups?$filter=${NO_MATCH}&$select=${select}`, {}, CSV);
  expect([empty.text, chargedOf(empty)]).toEqual([`${select}\r\n`, 1]);
  const all = await api.get(
    `/funds/${seedId('fund2')}/portfolio?$filter=Status eq 'Acquired' and Status eq 'Held'`,
    {},
    CSV,
  );
  expect(all.text).toMatch(/^Startup\.Id,Startup\.Name,Startup\.Website,Status,[A-Za-z,]+\r\n$/);
});

test('X-Next-Cursor follows the change feed beyond its last page', async () => {
  const path = '/signals?order=asc&limit=200&types=news.mention';
  const { nextCursor, hasMore } = (await api.get(path)).body as Record<string, unknown>;
  const csv = await api.get(path, {}, CSV);
  expect(csv.headers['x-next-cursor']).toBe(nextCursor);
  expect(csv.headers.link === undefined).toBe(!hasMore);
});

test('csv-excel has a byte order mark and no cell that a spreadsheet runs', async () => {
  const ids = NAMED.map(({ id }) => id).join(',');
  const path = `/startups?$filter=Id in (${ids})&$select=Name&$format=csv-excel&$top=10`;
  const reply = await fetch(new URL(api.url + encodeURI(path)));
  const bytes = Buffer.from(await reply.arrayBuffer());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const names = new Set(read({ text: bytes.toString('utf8', 3) }).flat());
  expect(names).toEqual(
    new Set([
      ...['Name', `'=cmd|"/C calc"!A0`, `a "b",\r\n\tc; '=1`, ' padded '],
      ...['Ωmega 株式会社 🚀', "'+49; ''-1"],
    ]),
  );
});

const RUN = /^[\s"]*[=+\-@＝＋－＠]/;
test('any table is read back as it was; as csv-excel no cell begins a formula, with any separator', async () => {
  const TEXT = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.stringMatching(/^[=+\-@;,\t\r\n"' a|]{0,8}$/),
  );
  const cell = fc.oneof(TEXT, fc.integer(), fc.constant(null), fc.boolean(), fc.array(TEXT));
  await fc.assert(
    fc.asyncProperty(
      fc
        .integer({ min: 1, max: 4 })
        .chain((width) =>
          fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1 }),
        ),
      async (rows) => {
        const columns = (rows[0] ?? []).map(
          (_, index): Column => ({ name: `c${index}`, cell: (row) => row[index] }),
        );
        const text = (value: unknown) =>
          Array.isArray(value) ? value.join('; ') : String(value ?? '');
        const written = await csvText({ columns }, rows, false);
        expect(read({ text: written })).toEqual([
          columns.map(({ name }) => name),
          ...rows.map((row) => row.map(text)),
        ]);
        const [mark, ...safe] = await csvText({ columns }, rows, true);
        expect(mark).toBe('\uFEFF');
        for (const delimiter of [',', ';', '\t']) {
          const { data } = Papa.parse<string[]>(safe.join(''), { delimiter });
          const isNumber = (value: string) => /^[\s"]*-\d+(?=$|,)/.test(value);
          expect(data.flat().filter((value) => RUN.test(value) && !isNumber(value))).toEqual([]);
        }
      },
    ),
  );
});

test.each([
  ['/startups?$top=100&$expand=Funds,FundingRounds'],
  ['/funds?$top=40&$expand=Startups'],
  ['/startups/fundingrounds?$top=50&$expand=Startup,Investors&$select=Stage'],
  ['/persons?$top=50'],
  [STARTUP],
  ['/categories/industry/Fintech/funds?$select=Name,InvestmentStage'],
])('%s with labels is the same answer with the label of each closed value', async (path) => {
  const [plain, labelled] = await Promise.all([api.get(path), api.get(path, { labels: 'true' })]);
  const expected = relabelled(plain.body);
  expect(labelled.body).toEqual(expected);
  expect(expected).not.toEqual(plain.body);
  expect(chargedOf(labelled)).toBe(chargedOf(plain));
});

/** By the lists of the model, not by the tables of resources. */
function relabelled(value: unknown, name = ''): unknown {
  const list = CLOSED[name.replace(/@.*/, '')];
  if (Array.isArray(value)) return value.map((each) => relabelled(each, name));
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, relabelled(each, key)]),
    );
  }
  return list?.find((each) => each.value === value)?.label ?? value;
}

describe('content negotiation', () => {
  test.each([
    ['/startups', undefined, 'application/json'],
    ['/startups', '', 'application/json'],
    ['/startups', '*/*', 'application/json'],
    ['/startups', 'text/html,application/xhtml+xml,*/*;q=0.8', 'application/json'],
    ['/startups', 'application/json;odata.metadata=minimal;charset="a,b"', 'application/json'],
    ['/startups', 'application/*, text/csv;q=0.5', 'application/json'],
    ['/startups', 'text/csv; charset=utf-8, application/json;q=0.9', 'text/csv'],
    ['/startups', 'text/*', 'text/csv'],
    ['/startups?$format=json', 'text/csv', 'application/json'],
    ['/startups?$format=csv', 'application/json', 'text/csv'],
    ['/startups?quote=true', 'text/csv', 'application/json'],
    ['/pricing', 'application/json', 'application/json'],
  ])('%s with Accept: %s is %s', async (path, accept, type) => {
    const reply = await api.get(path, {}, accept === undefined ? {} : { Accept: accept });
    expect([reply.status, reply.headers['content-type']?.split(';')[0]]).toEqual([200, type]);
  });

  test.each([
    ['/startups', 'application/xml', ['application/json', 'text/csv']],
    ['/startups', 'application/json;q=0, text/csv;q=0', ['application/json', 'text/csv']],
    ['/startups', 'nonsense', ['application/json', 'text/csv']],
    ['/pricing', 'text/csv', ['application/json']],
    ['/pricing', 'text/html', ['application/json']],
  ])('%s with Accept: %s is 406, free', async (path, accept, allowed) => {
    const reply = await api.get(path, {}, { Accept: accept });
    expect([reply.status, chargedOf(reply)]).toEqual([406, 0]);
    const error = { code: 'not_acceptable', status: 406, parameter: 'Accept', allowed };
    expect(errorOf(reply)).toMatchObject(error);
    expect(reply.headers['content-type']).toBe('application/json');
  });

  test.each([
    [
      '/startups?$format=xml',
      { code: 'bad_parameter', parameter: '$format', allowed: ['json', 'csv', 'csv-excel'] },
    ],
    ['/startups?$format=cvs', { code: 'bad_parameter', suggestion: 'csv' }],
    ['/pricing?$format=csv', { code: 'unknown_parameter', parameter: '$format' }],
    [
      '/startups?$format=csv&$expand=FundingRounds',
      { code: 'bad_parameter', parameter: '$expand', value: 'FundingRounds' },
    ],
    [
      '/funds?$format=csv&$expand=Tags,Addresses',
      { code: 'bad_parameter', parameter: '$expand', value: 'Addresses' },
    ],
  ])('%s is a free error', async (path, error) => {
    const reply = await api.get(path);
    expect([reply.status, chargedOf(reply)]).toEqual([400, 0]);
    expect(errorOf(reply)).toMatchObject(error);
  });
});

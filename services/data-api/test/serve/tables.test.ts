// Tests docs/spec/addresses.md 1.10.
import { expect, test } from '@jest/globals';
import type { Principal } from '@vcds/credentials';
import Papa from 'papaparse';
import { endpoints } from '../../src/endpoints.ts';
import { FIND_TABLE } from '../../src/find/json.ts';
import { createCursors } from '../../src/serve/cursors.ts';
import { ParameterReader } from '../../src/serve/request/parameter-reader.ts';
import { SNAPSHOTS_TABLE } from '../../src/snapshots/read-snapshots.ts';
import { csvText } from '../../src/tables/csv.ts';

const FUND = '5a0e6d2c-2b6b-4b7e-9a51-6f0f4f5a3c11';
const PRINCIPAL: Principal = {
  ...{
    accountId: 'a',
    keyId: 'k',
    plan: 'scale',
    scopes: null,
    expiresAt: null,
    creditLimit: null,
  },
};

test('every endpoint has CSV, but for files and the prices, which are several tables', () => {
  const without = endpoints.filter(({ text, table }) => text && !text.media && !table);
  expect(without.map(({ path }) => path)).toEqual(['/pricing']);
});

test.each([
  ['/find', { website: 'x.example' }, 'Website,FinalUrl,FetchedAt,Name,'],
  ['/venturematching', { fund: FUND }, 'Startup.Id,Startup.Name,'],
  ['/venturematching', { tags: 'Fintech' }, 'Fund.Id,Fund.Name,Fund.Website,Fund.Country,Score,'],
])('%s with %j has columns for what it returns', (path, query, columns) => {
  const endpoint = endpoints.find((each) => each.path === path);
  const parameters = new Map(Object.entries(query));
  const context = {
    ...{ path: {}, today: '2026-11-28', cursors: createCursors(['x'.repeat(32)]) },
    principal: PRINCIPAL,
  };
  const reader = new ParameterReader(parameters, endpoint?.accepts ?? []);
  const plan = endpoint?.plan(endpoint.parse({ reader, ...context }), context);
  const header = endpoint
    ?.table?.(plan)
    .columns.map(({ name }) => name)
    .join(',');
  expect(header?.startsWith(columns)).toBe(true);
});

test('a site is one row, and a snapshot a row for each file', async () => {
  const site = {
    ...{
      Website: 'https://a.example',
      Name: 'A',
      FoundedYear: 2020,
      Evidence: [{ Field: 'Name' }],
    },
    SocialProfiles: [
      { Network: 'x', Url: 'https://x.example/a' },
      { Network: 'y', Url: 'u' },
    ],
    Match: { Id: 'i', Type: 'fund', Name: 'A', Website: null, Score: 1, MatchedOn: 'name' },
  };
  const [names = [], row = []] = cells(await csvText(FIND_TABLE, site, false));
  const cell = (name: string) => row[names.indexOf(name)];
  expect([cell('SocialProfiles'), cell('Match.Id'), cell('Title'), cell('FoundedYear')]).toEqual([
    ...['https://x.example/a; u', 'i', '', '2020'],
  ]);
  const file = { name: 'f', url: 'u', format: 'parquet', rows: 3, bytes: 4, sha256: 's' };
  const snapshot = { id: 'S', createdAt: 't', schemaVersion: 1, cursor: 'c' };
  const collections = [{ name: 'funds', rows: 3, files: [file, file] }];
  const body = { snapshots: [{ ...snapshot, collections }] };
  const [, ...files] = cells(await csvText(SNAPSHOTS_TABLE, body, false));
  expect(files).toEqual(
    Array(2).fill(['S', 't', '1', 'c', 'funds', 'f', 'u', 'parquet', '3', '4', 's']),
  );
});

const cells = (text: string) => Papa.parse<string[]>(text, { skipEmptyLines: true }).data;

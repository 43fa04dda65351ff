// Tests docs/spec/signals.md 9.6.
import { expect, test } from '@jest/globals';
import { recordTables } from '@vcds/importer';
import { closedAfterAll } from '@vcds/test-kit';
import { openFeed } from './support/feed.ts';

type Patch = Readonly<Record<string, unknown>>;

const SOURCE = 'contract';
const other = (key: string): Patch => ({ source: SOURCE, key });
const round = { Round: other('round') };

/** The records to patch, in the order of their references. */
const RECORDS: readonly Patch[] = [
  { type: 'startup', key: 'startup', Name: 'Acme', TotalRaised: 10 },
  { type: 'startup', key: 'startup2', Name: 'Bolt' },
  { type: 'fund', key: 'fund', Name: 'North Fund' },
  { type: 'fund', key: 'fund2', Name: 'South Fund' },
  { type: 'person', key: 'person', Name: 'Ada Example' },
  { type: 'round', key: 'round', Startup: other('startup'), Amount: 10, Series: 'Seed' },
  { type: 'round', key: 'round2', Startup: other('startup'), Amount: 20 },
  { type: 'valuation', key: 'valuation', Startup: other('startup'), Amount: 100 },
  { type: 'news', key: 'news', Title: 'Acme grows' },
  { type: 'investor', ...round, Investor: { ...other('fund'), type: 'fund' } },
  { type: 'holding', Fund: other('fund'), Startup: other('startup') },
  { type: 'startup_person', Startup: other('startup'), Person: other('person') },
  { type: 'fund_person', Fund: other('fund'), Person: other('person') },
  {
    type: 'reference',
    key: 'reference',
    Startup: other('startup'),
    Field: 'Name',
    Source: 'register',
  },
  {
    type: 'observation',
    occurredAt: '2020-01-02',
    Company: { type: 'startup', ...other('startup') },
    Kind: 'social',
    Url: 'https://social.example/acme',
    State: 'alive',
  },
];

/** Each importable field with a new value; identities cannot change. */
const VALUES: Readonly<Record<string, Patch>> = {
  profile: {
    Name: 'Acme Labs',
    Website: 'https://acme.example/',
    Identifiers: ['linkedin:acme', { Scheme: 'registry', Value: 'GB:01234567' }],
    Description: 'Makes anvils.',
    LogoUrl: 'https://acme.example/logo.png',
    Founded: 2011,
    Tags: ['Fintech'],
    Addresses: [{ City: 'Berlin', Country: 'Germany' }],
    City: 'Hamburg',
    Region: 'Hesse',
    Country: 'France',
    MembersCount: 12,
    OperatingStatus: 'Closed',
    OperatingStatusSource: { OperatingStatus: 'Active', OperatingStatusSource: 'owner' },
    SourceUrl: 'https://source.example/1',
  },
  startup: {
    TotalRaised: 99,
    Currency: { TotalRaised: 80, Currency: 'EUR', occurredAt: '2030-01-02T00:00:00Z' },
    NextFundingStage: 'seed',
    PrimarySource: 'Media',
  },
  fund: { InvestmentStages: ['seed'], InvestmentTypes: ['accelerator'], Groups: ['Top 100'] },
  person: {
    Name: 'Ada B. Example',
    FirstName: 'Ada',
    LastName: 'Example',
    Role: 'founder',
    Title: 'CEO',
    Location: 'Berlin',
    Countries: ['Germany'],
    SourceUrl: 'https://source.example/1',
  },
  round: {
    Date: '2020-02-03',
    Series: 'Series A',
    Stage: 'series-b',
    Amount: 11,
    Currency: { Amount: 12, Currency: 'EUR' },
    Investors: [{ ...other('fund2'), type: 'fund' }],
    SourceUrl: 'https://source.example/1',
    Startup: other('startup2'),
    Confirmed: false,
  },
  valuation: {
    Round: other('round2'),
    Date: '2020-02-03',
    Amount: 101,
    Currency: { Amount: 102, Currency: 'EUR' },
    Estimated: true,
    SourceUrl: 'https://source.example/1',
    Startup: other('startup2'),
  },
  news: {
    Title: 'Acme grows again',
    Url: 'https://news.example/1',
    Publisher: 'Example Times',
    Date: '2020-02-03',
    Startup: other('startup'),
    Fund: other('fund'),
  },
  investor: { Lead: true },
  holding: {
    Status: 'Exited',
    ExitDate: { ExitDate: '2020-02-03', Status: 'Exited' },
    Acquirer: { Acquirer: 'Globex', Status: 'Exited' },
  },
  startup_person: { Title: 'CTO', Since: '2020-02-03' },
  fund_person: { Title: 'Partner', Since: '2020-02-03' },
  reference: {
    Startup: other('startup2'),
    Field: 'Founded',
    Source: 'website',
    Url: 'https://source.example/1',
    RetrievedAt: '2020-02-03T04:05:06Z',
    Confidence: 'estimated',
  },
  observation: { State: 'parked', LastPostAt: '2019-01-01' },
};

/** The signals of a patch: one of the type, unless the field is an exception. */
const SIGNALS: Readonly<Record<string, readonly string[]>> = {
  startup: ['startup.updated'],
  fund: ['fund.updated'],
  round: ['round.updated'],
  'round.Investors': ['investor.joined_round', 'portfolio.company_added'],
  'round.Startup': ['portfolio.company_added', 'portfolio.company_added', 'round.updated'],
  valuation: ['valuation.recorded'],
  'valuation.Round': [],
  'valuation.Estimated': [],
  news: [],
  'news.Startup': ['news.mention'],
  'news.Fund': ['news.mention'],
  holding: ['portfolio.exit_recorded'],
  'holding.ExitDate': [],
  'holding.Acquirer': [],
  // No signal type is about a person, an investor's role, a position, a reference or an observation.
  person: [],
  investor: [],
  startup_person: [],
  fund_person: [],
  reference: [],
  observation: [],
};

const feed = await closedAfterAll(openFeed());
await feed.importLines(RECORDS.map((line) => ({ source: SOURCE, ...line })));
await feed.published();
let { cursor } = await feed.follow({});

function valuesOf(type: string): Patch {
  const own = VALUES[type] ?? {};
  return type === 'startup' || type === 'fund' ? { ...VALUES.profile, ...own } : own;
}

test('every importable field of every record type has a value here', () => {
  for (const { type, fields } of Object.values(recordTables)) {
    const changeable = Object.entries(fields).filter(([, row]) => !('identity' in row));
    expect([type, Object.keys(valuesOf(type)).sort()]).toEqual([
      type,
      changeable.map(([name]) => name).sort(),
    ]);
  }
});

// Records of all types are patched together, one field of each at a time.
test('a patch of any field causes its signals, and no others', async () => {
  const records = RECORDS.filter(({ key }) => !String(key ?? '').endsWith('2'));
  const steps = Math.max(...records.map(({ type }) => Object.keys(valuesOf(String(type))).length));
  for (let step = 0; step < steps; step++) {
    const patches = records.flatMap((record) => patchOf(record, step));
    const signals = await signalsOf(patches.map(({ line }) => line));
    const fields = patches.map(({ field }) => field);
    const expected = patches.flatMap(({ expected: types }) => types).sort();
    expect({ fields, signals }).toEqual({ fields, signals: expected });
  }
});

/** The patch of the n-th field of a record, and the types of its signals; none beyond the last. */
function patchOf(record: Patch, n: number) {
  const type = String(record.type);
  const [entry] = Object.entries(valuesOf(type)).slice(n, n + 1);
  if (entry === undefined) return [];
  const [name, value] = entry;
  const field = `${type}.${name}`;
  const expected = name === 'SourceUrl' ? [] : (SIGNALS[field] ?? SIGNALS[type] ?? []);
  return [{ field, expected, line: { ...identityOf(record), ...changeOf(name, value) } }];
}

/** The types of the signals of lines that change one record each. */
async function signalsOf(lines: readonly Patch[]): Promise<readonly string[]> {
  const { total } = await feed.importLines(
    lines.map((line) => ({ op: 'patch', source: SOURCE, ...line })),
  );
  expect({ lines, updated: total.updated }).toEqual({ lines, updated: lines.length });
  await feed.published();
  const followed = await feed.follow({ cursor });
  cursor = followed.cursor;
  return followed.signals.map(({ type }) => type).sort();
}

/** The identity of a record: its key, or for a relation all fields of its line. */
function identityOf({ type, key, ...relation }: Patch): Patch {
  return key === undefined ? { type, ...relation } : { type, key };
}

/** Some fields are only valid together with another. */
function changeOf(field: string, value: unknown): Patch {
  const groups = ['Currency', 'OperatingStatusSource', 'ExitDate', 'Acquirer'];
  const isGroup = groups.includes(field);
  return isGroup ? (value as Patch) : { [field]: value };
}

// Tests docs/spec/signals.md 9.11.
import { expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import { planNarrowing } from '../../src/narrowing/plan.ts';
import type { StatisticsOf } from '../../src/postgres/column-statistics.ts';
import { narrowSignals } from '../../src/signals/narrow-signals.ts';
import { SIGNAL_TYPES } from '../../src/signals/signal-types.ts';
import { openApi, type Query } from '../support/api.ts';
import { followFeed, openFeed, type Signal, type SignalPage } from './support/feed.ts';

const feed = await closedAfterAll(openFeed());
const NO_COLUMN = { rows: 0, nulls: 0, bounds: [] } as const;
const LINES = [
  { type: 'startup', key: 'fr', Name: 'Paris', Country: 'France', Tags: ['Fintech', 'AI'] },
  { type: 'startup', key: 'de', Name: 'Berlin', Country: 'Germany', Tags: ['AI'] },
  {
    type: 'fund',
    key: 'us',
    Name: 'North',
    Country: 'United States',
    InvestmentTypes: ['Accelerator'],
  },
  {
    type: 'fund',
    key: 'uk',
    Name: 'South',
    Country: 'United Kingdom',
    InvestmentTypes: ['VentureFund'],
  },
  { type: 'person', key: 'p', Name: 'Ada' },
  {
    type: 'round',
    key: 'a',
    Startup: { key: 'fr' },
    Date: '2021-01-01',
    Series: 'Series A',
    Stage: 'SeriesA',
    Investors: [{ type: 'fund', key: 'us' }],
  },
  {
    type: 'round',
    key: 'b',
    Startup: { key: 'de' },
    Date: '2022-01-01',
    Series: 'Seed',
    Stage: 'Seed',
  },
  { type: 'fund_person', Fund: { key: 'us' }, Person: { key: 'p' } },
  { type: 'news', key: 'n', Title: 'Both', Startup: { key: 'fr' }, Fund: { key: 'uk' } },
];
await feed.importLines(LINES.map((line) => ({ source: 't', ...line })));
await feed.published();

/** The signals of a query, as `type subject`. */
async function signalsOf(query: Readonly<Record<string, string>>): Promise<string[]> {
  const { signals } = await feed.follow({ expand: 'subject', ...query });
  return signals.map(({ type, subject }) => `${type} ${subject.name}`).sort();
}

test('a dimension of the subject filters by the subject', async () => {
  expect(await signalsOf({ country: 'France' })).toEqual([
    'news.mention Paris',
    'round.recorded Paris',
    'startup.added Paris',
  ]);
  expect(await signalsOf({ country: 'United States' })).toEqual([
    'fund.added North',
    'investor.joined_round North',
    'portfolio.company_added North',
    'team.person_added North',
  ]);
  expect(await signalsOf({ industry: 'Fintech,AI', types: 'startup.added' })).toEqual([
    'startup.added Berlin',
    'startup.added Paris',
  ]);
});

test('any other filters by the object, or excludes the signal', async () => {
  expect(await signalsOf({ stage: 'Series A' })).toEqual([
    'investor.joined_round North',
    'news.mention Paris',
    'portfolio.company_added North',
    'round.recorded Paris',
    'startup.added Paris',
  ]);
  expect(await signalsOf({ investor_type: 'accelerator' })).toEqual([
    'fund.added North',
    'investor.joined_round North',
    'portfolio.company_added North',
    'round.recorded Paris',
    'team.person_added North',
  ]);
});

test('a dimension of rounds filters signals about a round by that round only', async () => {
  const ofRound = ['investor.joined_round North', 'round.recorded Paris'];
  expect(await signalsOf({ round_year: '2021' })).toEqual(ofRound);
  expect(await signalsOf({ round_series: 'Series A' })).toEqual(ofRound);
  expect(await signalsOf({ round_stage: 'series-a' })).toEqual(ofRound);
  expect(await signalsOf({ round_year: '2022' })).toEqual(['round.recorded Berlin']);
  // The startup of the holding has a round of that year; the holding has none.
  expect(await signalsOf({ round_year: '2021', types: 'portfolio.company_added' })).toEqual([]);
});

test('several dimensions filter together, each by its own record', async () => {
  expect(await signalsOf({ country: 'United States', stage: 'series-a' })).toEqual([
    'investor.joined_round North',
    'portfolio.company_added North',
  ]);
  expect(await signalsOf({ country: 'United States', stage: 'Seed' })).toEqual([]);
});

test('types without the dimension give an empty page with a cursor', async () => {
  expect(await feed.page({ types: 'fund.added,team.person_added', stage: 'Seed' })).toEqual({
    signals: [],
    nextCursor: expect.any(String),
    hasMore: false,
    order: 'desc',
  });
});

test('the share of signals that meet narrowings is estimated, at most, from that of the subjects', () => {
  const shares: Readonly<Record<string, Readonly<Record<string, number>>>> = {
    'venture.signal.subject_type': { 1: 0.75, 2: 0.25 },
    'venture.startup.countries': { France: 0.5 },
    'venture.startup.last_funding_stage': { 4: 0.1 },
    'venture.fund.countries': { France: 0.2 },
  };
  const shareOf = (narrowing: Readonly<Record<string, string>>) =>
    narrowSignals(
      SIGNAL_TYPES,
      planNarrowing(
        Object.entries(narrowing).map(([dimension, value]) => ({
          dimension: dimension as 'country',
          parameter: dimension,
          values: [value],
        })),
      ),
    ).shareMax((table, column) => {
      const frequent = shares[`${table}.${column}`];
      return frequent && { ...NO_COLUMN, frequent: new Map(Object.entries(frequent)) };
    });
  expect(shareOf({ country: 'France' })).toBeCloseTo(0.75 * 0.5 + 0.25 * 0.2);
  expect(shareOf({ country: 'Chile' })).toBe(0);
  expect(shareOf({ country: 'France', stage: 'series-a' })).toBeCloseTo(
    0.75 * 0.5 * 0.1 + 0.25 * 0.2,
  );
  // The columns of cities have no statistics.
  expect(shareOf({ city: 'Paris' })).toBeCloseTo(1);
});

test.each([
  ['few subjects are read from the index of subjects', 300],
  ['more subjects are read from the index of the feed', 0],
])('%s', async (_name, fallbackRecordsMax) => {
  const api = await openApi({
    url: feed.url,
    seed: 'SELECT 1',
    scanLimits: { candidatesFirst: 1, batchesBeforeFallback: 1, fallbackRecordsMax },
  });
  const read = async (query: Query) => (await api.get('/signals', query)).body as SignalPage;
  try {
    for (const filter of [{ country: 'Germany' }, { industry: 'AI', types: 'startup.added' }]) {
      const { signals } = await feed.follow(filter);
      expect(signals).toHaveLength(2);
      expect((await followFeed(read, { ...filter, limit: '1' })).signals).toEqual(signals);
      const latest = await read({ ...filter, order: 'desc', limit: '1' });
      expect(latest).toMatchObject({ signals: signals.slice(1), hasMore: true });
    }
  } finally {
    await api.close();
  }
});

const NARROWED: readonly Query[] = [
  { country: 'Germany' },
  { country: 'France,United States', stage: 'Series A' },
  { industry: 'AI', types: 'startup.added,round.recorded,news.mention' },
  { stage: 'series-a', types: 'round.recorded' },
  { investor_type: 'accelerator' },
  { round_year: '2021' },
];

/** No statistics but of types. */
const ofEqualTypes: StatisticsOf = (_table, column) =>
  column === 'type'
    ? {
        ...NO_COLUMN,
        frequent: new Map(SIGNAL_TYPES.map(({ code }) => [`${code}`, 1 / 12])),
      }
    : undefined;

test.each([
  ['batches of the feed or of types', { fallbackRecordsMax: 0 }, false],
  ['the feed, of few records', { candidatesPerRecord: 1_000 }, true],
  ['the start of the feed, of few records, and then their index', { candidatesPerRecord: 4 }, true],
  ['the index of few records', { candidatesPerRecord: 0 }, false],
])('%s: the same signals', async (_name, limits, isOfRecords) => {
  const scanLimits = { candidatesFirst: 1, batchesBeforeFallback: 1, ...limits };
  const api = await openApi({ url: feed.url, seed: 'SELECT 1', scanLimits });
  Object.assign(api.database.statistics, { of: ofEqualTypes });
  const rows = api.database.rows.bind(api.database);
  const texts = new Set<string>();
  api.database.rows = (statement, isReplayed) => {
    texts.add(statement.text);
    return rows(statement, isReplayed);
  };
  const read = async (query: Query) => (await api.get('/signals', query)).body as SignalPage;
  try {
    for (const query of NARROWED) {
      const wanted = (await feed.page({ ...query, order: 'desc', limit: '200' })).signals;
      expect(wanted).not.toHaveLength(0);
      for (const limit of ['1', '2', '50']) {
        expect(await pagesDown(read, { ...query, limit })).toEqual(wanted);
        const { signals } = await followFeed(read, { ...query, limit });
        expect(signals).toEqual(wanted.toReversed());
      }
    }
    expect([...texts].some((text) => text.includes('AS k(id)'))).toBe(isOfRecords);
  } finally {
    await api.close();
  }
});

async function pagesDown(read: (query: Query) => Promise<SignalPage>, query: Query) {
  const signals: Signal[] = [];
  for (let cursor: Query = {}; ; ) {
    const page = await read({ ...query, ...cursor, order: 'desc' });
    signals.push(...page.signals);
    if (!page.hasMore) return signals;
    cursor = { cursor: page.nextCursor };
  }
}

test('a company that meets the narrowing only after the look-up of the few is not missed', async () => {
  const api = await openApi({
    url: feed.url,
    seed: 'SELECT 1',
    scanLimits: { candidatesFirst: 1, batchesBeforeFallback: 1 },
  });
  const read = async (query: Query) => (await api.get('/signals', query)).body as SignalPage;
  const rows = api.database.rows.bind(api.database);
  const query = { country: 'Germany', order: 'asc', limit: '1' };
  const { nextCursor: cursor } = await read(query);
  let isAdded = false;
  api.database.rows = async (statement, isReplayed) => {
    const found = await rows(statement, isReplayed);
    if (!isAdded && statement.text.startsWith('SELECT string_agg(s.id')) {
      isAdded = true;
      await feed.importLines([
        { source: 't', type: 'startup', key: 'late', Name: 'Late', Country: 'Germany' },
      ]);
      await feed.published();
    }
    return found as never;
  };
  try {
    const first = await followFeed(read, { ...query, cursor });
    expect(isAdded).toBe(true);
    const later = await followFeed(read, { ...query, cursor: first.cursor });
    expect([...first.signals, ...later.signals]).toHaveLength(2);
  } finally {
    await api.close();
  }
});

// Tests docs/spec/signals.md 9.3, 9.5, 9.6.
import { expect, test } from '@jest/globals';
import { fillDatabase, generateDataset } from '@vcds/demo-data';
import { closedAfterAll } from '@vcds/test-kit';
import { signalsOf } from '../../../../packages/demo-data/test/support/signal-causes.ts';
import { SIGNAL_TYPES } from '../../src/signals/signal-types.ts';
import { chargedOf } from '../support/api.ts';
import { openFeed, type Signal } from './support/feed.ts';

const feed = await closedAfterAll(openFeed());
await feed.importLines([
  { type: 'startup', source: 't', key: 's', Name: 'Acme', Website: 'acme.example' },
  { type: 'fund', source: 't', key: 'f', Name: 'North Fund' },
  { type: 'person', source: 't', key: 'p', Name: 'Ada Example' },
]);
await feed.published();
let { cursor } = await feed.follow({});

/** The signals that the import of some lines publishes. */
async function published(...lines: readonly object[]): Promise<Signal[]> {
  await feed.importLines(lines.map((line) => ({ source: 't', ...line })));
  await feed.published();
  const followed = await feed.follow({ cursor, expand: 'subject,object' });
  cursor = followed.cursor;
  return followed.signals;
}

const startup = { type: 'startup', id: expect.any(String), name: 'Acme', domain: 'acme.example' };
const fund = { type: 'fund', id: expect.any(String), name: 'North Fund', domain: null };
const [Startup, Fund] = [{ key: 's' }, { key: 'f' }];
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

test('a round and its investor are published with the date of the round, whatever their line says', async () => {
  const [recorded, ...others] = await published({
    type: 'round',
    key: 'r',
    Startup,
    Date: '2021-03-04',
    Series: 'Series A',
    Amount: 4_000_000,
  });
  expect(others).toEqual([]);
  expect(recorded).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5/),
    type: 'round.recorded',
    detectedAt: expect.stringMatching(INSTANT),
    occurredAt: '2021-03-04T00:00:00.000Z',
    subject: startup,
    object: { type: 'round', id: expect.any(String), name: 'Acme Series A' },
    amount: 4_000_000,
    label: 'Series A',
  });
  const joined = await published({
    type: 'investor',
    Round: { key: 'r' },
    Investor: { type: 'fund', key: 'f' },
    occurredAt: '2021-05-01T00:00:00Z',
  });
  expect(joined).toEqual([
    {
      id: expect.any(String),
      type: 'investor.joined_round',
      detectedAt: expect.stringMatching(INSTANT),
      occurredAt: '2021-03-04T00:00:00.000Z',
      subject: fund,
      object: recorded?.object,
      amount: 4_000_000,
      label: 'Series A',
    },
    {
      id: expect.any(String),
      type: 'portfolio.company_added',
      detectedAt: expect.stringMatching(INSTANT),
      occurredAt: '2021-03-04T00:00:00.000Z',
      subject: fund,
      object: { type: 'startup', id: recorded?.subject.id, name: 'Acme' },
    },
  ]);
  const corrected = await published({ op: 'patch', type: 'round', key: 'r', Amount: 4_500_000 });
  expect(corrected).toMatchObject([{ type: 'round.updated', amount: 4_500_000 }]);
});

test.each<[string, object, object]>([
  [
    'an exit, with the date of its line',
    { type: 'holding', Fund, Startup, Status: 'Exited', occurredAt: '2022-02-02T00:00:00Z' },
    { type: 'portfolio.exit_recorded', occurredAt: '2022-02-02T00:00:00.000Z', subject: fund },
  ],
  [
    'a valuation',
    { type: 'valuation', key: 'v', Startup, Date: '2021-04-01', Amount: 9_000_000 },
    {
      type: 'valuation.recorded',
      amount: 9_000_000,
      object: { type: 'valuation', name: 'Acme valuation 2021' },
    },
  ],
  [
    'a valuation without an amount',
    { type: 'valuation', key: 'w', Startup, Date: '2022-04-01' },
    { type: 'valuation.recorded', amount: null, object: { name: 'Acme valuation 2022' } },
  ],
  [
    'a person added to a team',
    { type: 'fund_person', Fund, Person: { key: 'p' }, Since: '2020-01-01' },
    {
      type: 'team.person_added',
      occurredAt: '2020-01-01T00:00:00.000Z',
      subject: fund,
      object: { type: 'person', name: 'Ada Example' },
    },
  ],
  [
    'a mention in the news',
    { type: 'news', key: 'n', Title: 'Acme exits', Startup, Date: '2022-02-03' },
    { type: 'news.mention', subject: startup, object: { type: 'news', name: 'Acme exits' } },
  ],
])('%s is published', async (_what, line, signal) => {
  const signals = await published(line);
  expect(signals).toMatchObject([signal]);
  if (!('amount' in signal)) expect(signals[0]).not.toHaveProperty('amount');
  expect(signals[0]).not.toHaveProperty('label');
});

test('profiles are published when they are added, changed and restored', async () => {
  const changed = await published(
    { op: 'patch', type: 'startup', key: 's', Founded: 2015 },
    { op: 'patch', type: 'fund', key: 'f', Founded: 2001 },
    { op: 'patch', type: 'fund', key: 'f', Founded: 2001 },
  );
  expect(changed.map(({ type }) => type).sort()).toEqual(['fund.updated', 'startup.updated']);
  expect(changed[0]).not.toHaveProperty('object');
  expect(await published({ op: 'delete', type: 'startup', key: 's' })).toEqual([]);
  const back = await published({
    type: 'startup',
    key: 's',
    Name: 'Acme',
    Website: 'acme.example',
  });
  expect(back).toMatchObject([{ type: 'startup.added', subject: startup }]);
});

test('the feed has every type, at positions without a gap', async () => {
  const { signals } = await feed.follow({ limit: '3' });
  expect(new Set(signals.map(({ type }) => type))).toEqual(
    new Set(SIGNAL_TYPES.map(({ name }) => name)),
  );
  expect(new Set(signals.map(({ id }) => id)).size).toBe(signals.length);
  const { rows } = await feed.api.sql.query(
    'SELECT position::int FROM venture.signal ORDER BY detected_at',
  );
  expect(rows.map(({ position }) => position)).toEqual(signals.map((_, index) => index + 1));
  const { signals: backwards } = await feed.page({ limit: '200' });
  expect([...backwards].reverse()).toEqual(signals);
});

test('the types are listed free of charge', async () => {
  const reply = await feed.api.get('/signals/types');
  expect(reply.status).toBe(200);
  expect(chargedOf(reply)).toBe(0);
  expect(reply.body).toEqual({
    clock: { orderedBy: 'detectedAt', note: expect.stringContaining('do not page by it') },
    amount: { currency: 'USD', note: expect.stringContaining('Whole US dollars') },
    types: SIGNAL_TYPES.map(({ name, subjects, object, carriesAmount }) => ({
      type: name,
      subject: name === 'news.mention' ? null : expect.stringMatching(/^(startup|fund)$/),
      subjects,
      object,
      carriesAmount,
      description: expect.any(String),
    })),
  });
});

test('the demonstration data causes signals of every type, dated by its lines', async () => {
  const dataset = { startups: 200, today: '2026-01-01' };
  const feed = await openFeed();
  try {
    await fillDatabase({ connectionString: feed.url, dataset });
    await feed.published();
    const { signals } = await feed.follow({ limit: '200' });
    expect(new Set(signals.map(({ type }) => type))).toEqual(
      new Set(SIGNAL_TYPES.map(({ name }) => name)),
    );
    const { types } = (await feed.api.get('/signals/types')).body as {
      types: { type: string; subjects: string[]; object: string | null; carriesAmount: boolean }[];
    };
    for (const { type, subjects, object, carriesAmount } of types) {
      const ofType = signals.filter((signal) => signal.type === type);
      const found = (values: readonly unknown[]) => [...new Set(values)].sort();
      expect({
        type,
        subjects: found(ofType.map((signal) => signal.subject.type)),
        objects: found(ofType.map((signal) => signal.object?.type ?? null)),
        carriesAmount: found(ofType.map((signal) => 'amount' in signal)),
      }).toEqual({
        type,
        subjects: subjects.toSorted(),
        objects: [object],
        carriesAmount: [carriesAmount],
      });
    }
    // Signals of a round have the date of the round, others that of their line.
    const dates = new Map<string, Set<string>>();
    for (const line of generateDataset(dataset)) {
      const date = (line.type === 'round' && 'Date' in line && line.Date) || line.occurredAt;
      for (const type of signalsOf(line)) {
        const subject = type.split('.')[0] ?? '';
        const dated = dates.get(subject) ?? new Set();
        dates.set(subject, dated.add(new Date(date ?? 0).toISOString()));
      }
    }
    for (const type of ['startup.added', 'startup.updated', 'round.recorded', 'round.updated']) {
      const of = dates.get(type.split('.')[0] ?? '');
      const ofType = signals.filter((signal) => signal.type === type);
      const undated = ofType.filter(({ occurredAt }) => of?.has(occurredAt) !== true);
      expect([type, undated.slice(0, 3)]).toEqual([type, []]);
    }
    await fillDatabase({ connectionString: feed.url, dataset });
    await feed.published();
    expect((await feed.follow({ limit: '200' })).signals).toHaveLength(signals.length);
  } finally {
    await feed.close();
  }
});

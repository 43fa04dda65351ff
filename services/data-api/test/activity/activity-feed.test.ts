// Tests docs/spec/activity.md 21.1, 21.2, 21.3, 21.4, 21.5.
import { describe, expect, test } from '@jest/globals';
import { runImport } from '@vcds/importer';
import { closedAfterAll, createTestDatabase, runs } from '@vcds/test-kit';
import fc from 'fast-check';
import pg from 'pg';
import { ACTIVITY_FEED } from '../../src/activity/activity-feed.ts';
import { createCursors } from '../../src/serve/cursors.ts';
import { createByteCodec } from '../../src/serve/request/authenticated-bytes.ts';
import type { Scan } from '../../src/signals/scan.ts';
import { compileScan } from '../../src/signals/scan-sql.ts';
import { SIGNAL_TYPES } from '../../src/signals/signal-types.ts';
import { CURSOR_SECRET, chargedOf, errorOf, openApi, type Query } from '../support/api.ts';
import { publishOutbox } from '../support/publish.ts';
import { apply, EDITS_COUNT, type Edit } from './support/edits.ts';
import { LARGE_SEED, rowsRead } from './support/large.ts';
import { at, LINES } from './support/lines.ts';
import {
  type Entry,
  type Expected,
  expectedEntries,
  followLinks,
  shortOf,
} from './support/oracle.ts';

const api = await closedAfterAll(openApi());
const { sql } = api;
const ALL = { $top: '5000' };
// The seed has no entries of some types.
await apply(
  sql,
  Array.from({ length: 6 * EDITS_COUNT }, (_, n) => [n % EDITS_COUNT, n * 7]),
);

const feed = async (query: Query = ALL): Promise<Entry[]> => {
  await publishOutbox(sql);
  return (await api.list('/activityfeed', query)) as unknown as Entry[];
};
/** The entries of the oracle that meet a condition, in the order of the feed. */
const expected = async (meets: (entry: Expected) => boolean = () => true) =>
  (await expectedEntries(sql)).filter(meets);
const edits: fc.Arbitrary<Edit[]> = fc.array(fc.tuple(fc.nat(EDITS_COUNT - 1), fc.nat(999)), {
  minLength: 20,
  maxLength: 40,
});
describe('the entries', () => {
  test('are one for each event with a market date, newest first, after any edits', async () => {
    expect((await feed()).map(shortOf)).toEqual(await expected());
    await fc.assert(
      fc.asyncProperty(edits, async (made) => {
        await apply(sql, made);
        const entries = await feed();
        expect(entries.map(shortOf)).toEqual(await expected());
        expect(new Set(entries.map(({ Id }) => Id)).size).toBe(entries.length);
      }),
      { ...runs(3, 100), endOnFailure: true },
    );
    expect(new Set((await feed()).map(({ Type }) => Type))).toEqual(
      new Set(SIGNAL_TYPES.map(({ name }) => name)),
    );
  });

  test('page by Link without gap or repetition while records come and go', async () => {
    const random = fc.sample(edits, { seed: 7, numRuns: 40 });
    await publishOutbox(sql);
    const before = await expectedEntries(sql);
    const positionOf = ({ id, date }: { id: string; date: string }) => `${id} ${date}`;
    let always = new Set(before.map(positionOf));
    const read = await followLinks(api, { $top: '40' }, async () => {
      await apply(sql, random.pop()?.slice(0, 5) ?? []);
      await publishOutbox(sql);
      const now = new Set((await expectedEntries(sql)).map(positionOf));
      always = new Set([...always].filter((each) => now.has(each)));
    });
    const seen = read.map((entry) => positionOf(shortOf(entry)));
    expect(new Set(seen).size).toBe(seen.length);
    expect([...always].filter((each) => !seen.includes(each))).toEqual([]);
    expect(read.map(({ Date: date }) => date)).toEqual(
      read
        .map(({ Date: date }) => date)
        .toSorted()
        .toReversed(),
    );
  });

  test('page the same by Link, by $skip, and in one page', async () => {
    const entries = await feed();
    expect(await followLinks(api, { $top: '100' })).toEqual(entries);
    expect(await feed({ $top: '30', $skip: '50' })).toEqual(entries.slice(50, 80));
    const types = 'round.recorded,news.mention';
    const some = entries.filter(({ Type }) => types.includes(Type));
    expect(await followLinks(api, { types, $top: '60', $skip: '20' })).toEqual(some.slice(20));
  });
});

describe('filters', () => {
  test.each(SIGNAL_TYPES.map(({ name }) => [name]))('types=%s', async (types) => {
    const entries = await expected(({ type }) => type === types);
    expect(entries.length).toBeGreaterThan(0);
    expect((await feed({ ...ALL, types })).map(shortOf)).toEqual(entries);
  });

  test('subject finds the entries of a company, as in the change feed', async () => {
    const entries = await feed();
    const ids = [...new Set(entries.map(({ Subject }) => Subject.Id))];
    const varied = ids
      .map((id) => entries.filter(({ Subject }) => Subject.Id === id))
      .sort((a, b) => b.length - a.length)
      .slice(0, 4);
    for (const each of varied) {
      expect(await feed({ ...ALL, subject: each[0]?.Subject.Id ?? '' })).toEqual(each);
    }
    const subject = varied.map(([first]) => first?.Subject.Id.toUpperCase()).join();
    const all = new Set(varied.flat());
    expect(await followLinks(api, { subject, $top: '9' })).toEqual(
      entries.filter((e) => all.has(e)),
    );
  });

  test('since is inclusive, until is exclusive, and an instant within a day is after the day', async () => {
    const [since, until] = ['2016-09-09', '2018-03-01'];
    const within = await expected(({ date }) => date >= since && date < until);
    expect(within.length).toBeGreaterThan(20);
    expect((await feed({ ...ALL, since, until })).map(shortOf)).toEqual(within);
    const round = (query: Query) => feed({ ...ALL, types: 'round.recorded', ...query });
    const day = (await round({ since, until }))[0]?.Date ?? '';
    const has = async (query: Query) => (await round(query)).some((e) => e.Date === day);
    expect(await has({ since: day })).toBe(true);
    expect(await has({ since: `${day}T00:00:01Z` })).toBe(false);
    expect(await has({ until: day })).toBe(false);
    expect(await has({ until: `${day}T00:00:01Z` })).toBe(true);
    expect(await feed({ ...ALL, occurredSince: since, occurredUntil: until })).toEqual(
      await feed({ ...ALL, since, until }),
    );
    expect((await followLinks(api, { since, until, $top: '7' })).map(shortOf)).toEqual(within);
  });

  test.each([
    ['an index scan', {}],
    ['the few companies that match', { candidatesFirst: 1, batchesBeforeFallback: 1 }],
    ['small batches', { candidatesFirst: 1, batchesBeforeFallback: 99, growth: 1 }],
  ])('dimensions narrow by the subject, read by %s', async (_name, scanLimits) => {
    const other = await openApi({
      url: sql.options.connectionString ?? '',
      ...{ seed: 'SELECT 1', scanLimits },
    });
    try {
      const { rows } = await sql.query<{ id: string }>(
        `SELECT id FROM venture.startup WHERE 'Norway' = ANY (countries)
         UNION SELECT id FROM venture.fund WHERE 'Norway' = ANY (countries)`,
      );
      const ids = new Set(rows.map(({ id }) => id));
      await publishOutbox(sql);
      const entries = await expected(({ subject }) => ids.has(subject));
      expect(entries.length).toBeGreaterThan(20);
      const read = await followLinks(other, { country: 'Norway', $top: '35' });
      expect(read.map(shortOf)).toEqual(entries);
      const seeds = await followLinks(other, { country: 'Norway', round_stage: 'seed', $top: '5' });
      const ofRounds = new Set(['round.recorded', 'round.updated', 'investor.joined_round']);
      expect(ofRounds).toEqual(new Set([...ofRounds, ...seeds.map(({ Type }) => Type)]));
      expect(seeds.length).toBeGreaterThan(0);
    } finally {
      await other.close();
    }
  });

  test('a dimension that no type of the call has gives an empty page', async () => {
    const query = { types: 'fund.added', round_stage: 'seed' };
    const reply = await api.get('/activityfeed', query);
    expect([reply.status, reply.body, chargedOf(reply)]).toEqual([200, [], 1]);
  });
});

describe('an entry', () => {
  const importLines = (these: readonly object[]) =>
    runImport({
      connectionString: sql.options.connectionString ?? '',
      stream: {
        name: 'lines',
        lines: these.map((line) => JSON.stringify({ source: 't', ...line })),
      },
    });
  const shown = async () =>
    (await feed({ since: '2031-01-01' })).map(({ Date: date, Title }) => `${date} ${Title}`);

  test('has the date of its object, else the market date of the change', async () => {
    await importLines(LINES);
    expect(await shown()).toEqual([
      '2031-06-01 Acme Ventures exited Lichenbench',
      '2031-06-01 Acme Ventures added Lichenbench to its portfolio',
      '2031-05-01 Lichenbench in Lisbon',
      '2031-05-01 Lichenbench in Lisbon',
      '2031-04-01 李小龍 joined Acme Ventures as Partner',
      '2031-03-01 Lichenbench was valued at an estimated $40M',
      '2031-02-01 Beta Capital added Lichenbench to its portfolio',
      '2031-02-01 Acme Ventures invested in Lichenbench, which raised a $3.9M Seed',
      '2031-02-01 Beta Capital invested in Lichenbench, which raised a $3.9M Seed',
      '2031-02-01 Lichenbench raised a $3.9M Seed from Acme Ventures and 2 others',
      '2031-01-02 Fund added: Acme Ventures',
    ]);
  });

  test('shows the facts of today, and leaves with its record', async () => {
    const change = { op: 'patch', occurredAt: at('2031-07-01') };
    await importLines([
      { ...change, type: 'round', key: 'seed', Amount: 5_000_000, Currency: 'USD' },
      { ...change, type: 'fund', key: 'acme', MembersCount: 12 },
    ]);
    const titles = await shown();
    expect(titles).toContain('2031-07-01 Profile updated: Acme Ventures');
    const raised = 'Lichenbench raised a $5M Seed from Acme Ventures and 2 others';
    expect(titles).toEqual(
      expect.arrayContaining([`2031-02-01 ${raised}`, `2031-02-01 Updated: ${raised}`]),
    );
    await sql.query(`UPDATE venture.funding_round SET confirmed = false WHERE source_key = 'seed'`);
    expect(await shown()).toContain(`2031-02-01 ${raised} (unconfirmed)`);
    await importLines([{ op: 'delete', type: 'round', key: 'seed', occurredAt: at('2031-08-01') }]);
    expect((await shown()).join()).not.toContain('Seed');
  });

  test('links to its article or source, else to the website of the company', async () => {
    const entries = await feed({ since: '2031-01-01' });
    const urls = new Map(entries.map(({ Type, Url }) => [Type, Url]));
    expect(Object.fromEntries(urls)).toEqual({
      'portfolio.exit_recorded': 'https://moss.example',
      'portfolio.company_added': 'https://moss.example',
      'news.mention': 'https://news.example/n',
      'team.person_added': null,
      'valuation.recorded': 'https://moss.example',
      'fund.added': null,
      'fund.updated': null,
    });
  });
});

describe('a call', () => {
  const cursor = createCursors([CURSOR_SECRET]).activity.encode({
    ...{ occurredAtUs: 0n, detectedAtUs: 0n, seenUs: 0n },
  });

  test('costs 0.25 an entry and 1 at least, as quoted', async () => {
    const charges = async (query: Query) => chargedOf(await api.get('/activityfeed', query));
    expect(await charges({ $top: '3' })).toBe(1);
    expect(await charges({ $top: '41' })).toBe(11);
    const { body } = await api.get('/activityfeed', { $top: '41', quote: 'true' });
    expect(body).toMatchObject({ quote: { credits_max: 11, credits_min: 1, per_record: 0.25 } });
  });

  test.each([
    [{ types: 'round.recordd' }, 'unknown_signal_type', 'types'],
    [{ types: 'constructor' }, 'unknown_signal_type', 'types'],
    [{ types: '' }, 'bad_parameter', 'types'],
    [{ subject: 'acme' }, 'bad_parameter', 'subject'],
    [{ since: 'yesterday' }, 'bad_date', 'since'],
    [{ until: '2024-02-30' }, 'bad_date', 'until'],
    [{ since: '2024-01-02', until: '2024-01-01' }, 'bad_date', 'since'],
    [{ since: '2024-01-02', until: '2024-01-02' }, 'bad_date', 'until'],
    [{ $top: '0' }, 'bad_parameter', '$top'],
    [{ $top: '5001' }, 'bad_parameter', '$top'],
    [{ $skip: '10001' }, 'bad_parameter', '$skip'],
    [{ cursor: 'nonsense' }, 'bad_cursor', 'cursor'],
    [{ cursor: `${cursor.slice(0, -1)}_` }, 'bad_cursor', 'cursor'],
    [{ cursor: '' }, 'bad_cursor', 'cursor'],
    [{ country: 'Atlantis' }, 'unknown_value', 'country'],
    [{ since: '2024-01-01', occurredSince: '2024-01-01' }, 'bad_parameter', 'occurredSince'],
    [{ limit: '5' }, 'unknown_parameter', 'limit'],
    [{ $orderby: 'Date' }, 'unknown_parameter', '$orderby'],
  ])('%j is an error', async (query: object, code, parameter) => {
    const reply = await api.get('/activityfeed', query as Query);
    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toMatchObject({ code, parameter });
    expect(chargedOf(reply)).toBe(0);
  });

  test('continues with cursors of earlier versions, from their day on', async () => {
    const entries = await feed();
    const { Date: day = '' } = entries[40] ?? {};
    const bytes = Buffer.alloc(46);
    bytes.writeUInt8(1);
    bytes.writeInt32BE(Date.parse(day) / 86_400_000, 2);
    const old = createByteCodec([CURSOR_SECRET], 'vcds activity cursor', 46).encode(bytes);
    expect(await feed({ ...ALL, cursor: old })).toEqual(entries.filter((e) => e.Date <= day));
  });

  test('names the ceiling of the plan', async () => {
    const free = await openApi({
      ...{ url: sql.options.connectionString ?? '', seed: 'SELECT 1', principal: { plan: 'free' } },
    });
    try {
      const reply = await free.get('/activityfeed', { $top: '101' });
      expect([reply.status, errorOf(reply).code]).toEqual([400, 'top_above_plan']);
    } finally {
      await free.close();
    }
  });
});

describe('a page reads a bounded number of rows', () => {
  const SIZE = 32;
  const FIRST: Scan = {
    partitions: { by: 'type', codes: SIGNAL_TYPES.map(({ code }) => code) },
    range: { from: undefined, to: undefined },
    order: 'desc',
    ...{ batchSize: SIZE, recordsMax: SIZE, skip: 0, limit: SIZE },
  };
  const [from, to] = [1_472_688_000_000_000n, 1_500_688_000_000_000n];

  const BATCHES: readonly Scan[] = [
    FIRST,
    { ...FIRST, range: { from: undefined, to: [to, 0n] } },
    { ...FIRST, range: { from: [from], to: [to] } },
    { ...FIRST, partitions: { by: 'type', codes: [7] } },
  ];

  test('whatever the position, the days and the types', async () => {
    const { url, drop } = await createTestDatabase();
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.query(LARGE_SEED);
      await client.query('ANALYZE');
      await client.query('SET plan_cache_mode = force_generic_plan');
      for (const batch of BATCHES) {
        const { text, values } = compileScan(ACTIVITY_FEED, batch, (row, values) =>
          String(ACTIVITY_FEED.isEntry?.(row, values)),
        );
        const { rows } = await client.query({
          ...{ text: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values: [...values] },
        });
        const read = rowsRead(rows[0]['QUERY PLAN'][0].Plan);
        // Of 48,000 signals; a candidate passes through about thirty nodes, and is compared with the
        // other signals of its subject, one of each type.
        const candidates = SIZE * SIGNAL_TYPES.length;
        expect(read.largest).toBeLessThanOrEqual(candidates * SIGNAL_TYPES.length);
        expect(read.sum).toBeLessThan(candidates * 4 * SIGNAL_TYPES.length);
      }
    } finally {
      await client.end();
      await drop();
    }
  });
});

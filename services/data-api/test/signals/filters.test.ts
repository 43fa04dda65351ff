// Tests docs/spec/signals.md 9.1, 9.2, 9.3, 9.4, 9.10.
import { describe, expect, test } from '@jest/globals';
import { closedAfterAll, runs } from '@vcds/test-kit';
import fc from 'fast-check';
import type { Partitions } from '../../src/signals/scan.ts';
import type { ScanLimits } from '../../src/signals/scan-limits.ts';
import { compileScan } from '../../src/signals/scan-sql.ts';
import { SIGNAL_TYPES } from '../../src/signals/signal-types.ts';
import { signalsFeed } from '../../src/signals/signals-feed.ts';
import { instantOf, microsecondsOf } from '../../src/signals/timestamps.ts';
import { chargedOf, errorOf, openApi, type Query, type TestApi } from '../support/api.ts';
import { executed } from '../support/executed.ts';
import { followFeed, type Signal, type SignalPage } from './support/feed.ts';
import { insertSignals } from './support/synthetic.ts';

/** Batches so small that a page needs many, and most conditions use the fallback index. */
const TINY = {
  candidatesFirst: 50,
  growth: 2,
  candidatesMax: 400,
  fallbackSignalsMax: 100,
} as const;
/** A page is sent only when it is full or the end is reached. */
const NO_DEADLINE = {
  candidatesEnough: Number.POSITIVE_INFINITY,
  hardDeadlineMs: Number.POSITIVE_INFINITY,
} as const;

const api = await closedAfterAll(openApi({ seed: 'SELECT 1', scanLimits: NO_DEADLINE }));
await insertSignals(api.sql, 3_000, 40);
const tiny = await closedAfterAll(beside({}));
const tinyWithDeadline = await closedAfterAll(beside({ candidatesEnough: 0 }));
// With statistics, a query of most types scans the feed.
await api.sql.query('ANALYZE venture.signal');
await Promise.all([tiny, tinyWithDeadline].map(({ database }) => database.statistics.refresh()));
const all: readonly Signal[] = (await followFeed(page, { limit: '200' })).signals;

/** The same feed, read in tiny batches. */
function beside(limits: Partial<ScanLimits>): Promise<TestApi> {
  const url = api.sql.options.connectionString ?? '';
  return openApi({ url, seed: 'SELECT 1', scanLimits: { ...TINY, ...NO_DEADLINE, ...limits } });
}

async function page(query: Query, from = api): Promise<SignalPage> {
  const reply = await from.get('/signals', query);
  if (reply.status !== 200) throw new Error(`${JSON.stringify(query)}: ${reply.text}`);
  return reply.body as SignalPage;
}

/** All pages of a query in its order. */
async function pages(query: Query, from = api): Promise<Signal[]> {
  const read = (each: Query) => page(each, from);
  if (query.order === 'asc') return (await followFeed(read, query)).signals;
  const signals: Signal[] = [];
  for (let cursor: Query = {}; ; ) {
    const next = await read({ ...query, ...cursor });
    signals.push(...next.signals);
    if (!next.hasMore) return signals;
    expect(next.signals).not.toHaveLength(0);
    cursor = { cursor: next.nextCursor };
  }
}

/** The expected signals of a query, by the specification alone. */
function wanted(query: Query): Signal[] {
  const { types, subject, since, until, occurredSince, occurredUntil, minAmount } = query;
  const found = all.filter(
    (signal) =>
      (types === undefined || types.split(',').includes(signal.type)) &&
      (subject === undefined || subject.split(',').includes(signal.subject.id)) &&
      (since === undefined || signal.detectedAt >= since) &&
      (until === undefined || signal.detectedAt < until) &&
      (occurredSince === undefined || signal.occurredAt.slice(0, 10) >= occurredSince) &&
      (occurredUntil === undefined || signal.occurredAt.slice(0, 10) < occurredUntil) &&
      (minAmount === undefined || (signal.amount ?? -1) >= Number(minAmount)),
  );
  return query.order === 'asc' ? found : found.reverse();
}

/** The signals after a page's cursor, unfiltered. */
async function behind({ order, nextCursor: cursor }: SignalPage): Promise<readonly Signal[]> {
  return (await page({ order, cursor, limit: '200' })).signals;
}

/** The first signals after the end of a query's window; none without such a bound. */
function beyond({ order, since, until }: Query): Signal[] {
  const rest = order === 'asc' ? until && { order, since: until } : since && { until: since };
  return rest ? wanted(rest).slice(0, 200) : [];
}

const names = SIGNAL_TYPES.map(({ name }) => name);
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const subjectId = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const moment = fc.nat(3_100).map((n) => {
  const micros = n * 37;
  return `2024-01-01T00:00:00.${String(micros).padStart(6, '0')}Z`;
});
const day = fc
  .integer({ min: 0, max: 4_200 })
  .map((n) => new Date(Date.UTC(2010, 0, 1) + n * 86_400_000).toISOString().slice(0, 10));
const range = <T extends string>(arbitrary: fc.Arbitrary<T>) =>
  fc
    .tuple(optional(arbitrary), optional(arbitrary))
    .map(([one, other]) =>
      one !== undefined && other !== undefined && one >= other
        ? [other, one === other ? undefined : one]
        : [one, other],
    );

const queries = fc
  .record({
    types: optional(fc.subarray(names, { minLength: 1, maxLength: 10 }).map(String)),
    subject: optional(
      fc.uniqueArray(fc.nat(45).map(subjectId), { minLength: 1, maxLength: 30 }).map(String),
    ),
    detected: range(moment),
    occurred: range(day),
    minAmount: optional(fc.nat(100_000_000).map(String)),
    order: fc.constantFrom('asc', 'desc'),
    limit: fc.constantFrom('1', '7', '50', '200'),
  })
  .map(({ detected: [since, until], occurred: [occurredSince, occurredUntil], ...rest }) => {
    const query = { ...rest, since, until, occurredSince, occurredUntil };
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    return Object.fromEntries(given) as Record<string, string>;
  });

// Pages of one signal would be three thousand calls.
const limited = (query: Record<string, string>) =>
  query.limit === '1' ? { ...query, limit: '200' } : query;

describe('every combination of filters', () => {
  test('returns every matching signal once, in the order of the query, page by page', async () => {
    await fc.assert(
      fc.asyncProperty(queries, fc.boolean(), async (query, isTiny) => {
        const from = isTiny ? tiny : api;
        expect(await pages(limited(query), from)).toEqual(wanted(query));
        const first = await page(query, from);
        const matching = wanted(query);
        expect(first.signals).toEqual(matching.slice(0, Number(query.limit)));
        if (matching.length > Number(query.limit)) expect(first.hasMore).toBe(true);
        if (matching.length === 0) expect(await behind(first)).toEqual(beyond(query));
      }),
      { ...runs(25, 1_600), seed: 5 },
    );
  });

  test('does so with pages that are sent before they are full', async () => {
    let short = 0;
    await fc.assert(
      fc.asyncProperty(queries, async (query) => {
        expect(await pages(limited(query), tinyWithDeadline)).toEqual(wanted(query));
        const { signals, hasMore } = await page(query, tinyWithDeadline);
        if (hasMore && signals.length < Number(query.limit)) short++;
      }),
      { ...runs(40, 800), seed: 6 },
    );
    expect(short).toBeGreaterThan(0);
  });

  test('is a free 503 with a suggestion if it finds nothing within the deadline', async () => {
    await insertLater();
    const withDeadline = await beside({ fallbackSignalsMax: 0, hardDeadlineMs: 0 });
    // One signal has the market date, outside the window: none matches.
    const query = { occurredSince: '2022-01-01', until: '2024-02-01' };
    const reply = await withDeadline.get('/signals', query);
    await withDeadline.close();
    const found = await page(query);
    await removeLater();
    expect([reply.status, chargedOf(reply)]).toEqual([503, 0]);
    expect(errorOf(reply)).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('since and until, types or subject'),
    });
    expect(found).toMatchObject({ signals: [], hasMore: false });
  });

  test('a page that ends with the last match has hasMore false', async () => {
    const matching = wanted({ types: 'news.mention', order: 'asc' });
    const limit = String(Math.min(matching.length, 200));
    const query = { types: 'news.mention', order: 'asc', limit };
    const since = matching.at(-Number(limit))?.detectedAt ?? '';
    const exact = await page({ ...query, since });
    expect([exact.signals.length, exact.hasMore]).toEqual([Number(limit), false]);
    const after = await page({ ...query, cursor: exact.nextCursor });
    expect(after).toMatchObject({ signals: [], hasMore: false });
  });

  test('500 subjects at once', async () => {
    const subject = Array.from({ length: 500 }, (_, n) => subjectId(n)).join();
    expect(await pages({ subject, order: 'asc', limit: '200' })).toEqual(all);
  });
});

describe('cursors', () => {
  test('may be used with other filters: they are positions', async () => {
    const read = await page({ order: 'asc', limit: '100', types: 'startup.added' });
    const last = read.signals.at(-1)?.detectedAt ?? '';
    const { signals } = await followFeed(page, { limit: '200', cursor: read.nextCursor });
    expect(signals).toEqual(all.filter(({ detectedAt }) => detectedAt > last));
  });

  test('an empty page has a cursor from which later signals are read', async () => {
    const none = { subject: subjectId(999_999), order: 'asc' } as const;
    const end = await page(none);
    expect(end).toMatchObject({ signals: [], hasMore: false, nextCursor: expect.any(String) });
    await insertLater();
    const { signals } = await followFeed(page, { cursor: end.nextCursor });
    expect(signals.map(({ type }) => type)).toEqual(['startup.added']);
    await removeLater();
    const down = await page({ order: 'desc', until: '2020-01-01' });
    expect(down).toMatchObject({ signals: [], hasMore: false, order: 'desc' });
    expect(await behind(down)).toEqual([]);
    const ahead = await page({ order: 'desc', since: '2100-01-01' });
    expect(ahead).toMatchObject({ signals: [], hasMore: false });
    expect(await behind(ahead)).toEqual(wanted({ order: 'desc' }).slice(0, 200));
    const nothing = { order: 'desc', since: all[2_000]?.detectedAt ?? '', subject: none.subject };
    const above = await page({ order: 'desc', limit: '1', since: all[1_000]?.detectedAt ?? '' });
    const below = await page({ ...nothing, cursor: above.nextCursor });
    expect((await behind(below)).at(0)).toEqual(all.at(-2));
  });

  test('until ends a window, and the cursor continues from it', async () => {
    const until = all[1_500]?.detectedAt ?? '';
    const before = await followFeed(page, { limit: '200', until });
    expect(before.signals).toEqual(all.slice(0, 1_500));
    const rest = await followFeed(page, { limit: '200', cursor: before.cursor });
    expect(rest.signals).toEqual(all.slice(1_500));
  });
});

describe('a page reads one index in order, with one plan for all values', () => {
  const partitions: readonly (readonly [string, Partitions])[] = [
    ['signal_pkey', { by: 'feed' }],
    ['signal_by_type', { by: 'type', codes: [1, 12] }],
    ['signal_by_subject', { by: 'record', subjects: [subjectId(1), subjectId(39)], objects: [] }],
    ['signal_by_object', { by: 'record', subjects: [], objects: [subjectId(1)] }],
  ];

  test.each(partitions)('%s', async (index, by) => {
    for (const order of ['asc', 'desc'] as const) {
      const range = { from: [1_704_067_200_000_000n], to: undefined };
      const sizes = { batchSize: 51, recordsMax: 1, skip: 0, limit: 51 };
      const scan = { partitions: by, range, order, ...sizes };
      const statement = compileScan(signalsFeed([]), scan, () => 'true');
      const { nodes } = await executed(api.sql, statement, 'generic');
      expect(nodes.map((node) => node.replace(' Only', ''))).toContainEqual(`Index Scan ${index}`);
      expect(nodes).not.toContainEqual(expect.stringMatching(/^Seq Scan|^Sort s\w*\./));
    }
  });
});

describe('times of signals', () => {
  const unitsOf = (us: number) =>
    fc.integer({ min: 0, max: Math.floor(4e15 / us) }).map((units) => units * us);
  const instants = fc.oneof(unitsOf(1), unitsOf(1_000), unitsOf(1_000_000));

  test('have the digits that PostgreSQL stores', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(instants, { minLength: 1, maxLength: 50 }), async (us) => {
        const { rows } = await api.sql.query(
          `SELECT to_json(at) #>> '{}' || '+00:00' AS json, to_json(whole) #>> '{}' || '+00:00' AS short,
             to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS micros,
             to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS millis
           FROM unnest($1::bigint[]) WITH ORDINALITY AS t(us, n),
             LATERAL (SELECT timestamp 'epoch' + us * interval '1 microsecond' AS at) a,
             LATERAL (SELECT date_trunc('milliseconds', at) AS whole) w
           ORDER BY n`,
          [us],
        );
        expect(rows.map(({ json }) => microsecondsOf(json))).toEqual(us.map(BigInt));
        expect(rows.map(({ json }) => instantOf(json, 6))).toEqual(rows.map((row) => row.micros));
        expect(rows.map(({ short }) => instantOf(short, 3))).toEqual(rows.map((row) => row.millis));
      }),
      runs(8, 400),
    );
  });

  test('in another zone are an error', () => {
    expect(() => instantOf('2026-05-19T02:00:00.5+02:00', 3)).toThrow(RangeError);
  });
});

async function insertLater(): Promise<void> {
  await api.sql.query(
    `INSERT INTO venture.signal
       (detected_at, position, id, type, subject_type, subject_id, occurred_at)
     VALUES (now(), 3001, gen_random_uuid(), 7, 1, gen_random_uuid(), now())`,
  );
}

async function removeLater(): Promise<void> {
  await api.sql.query('DELETE FROM venture.signal WHERE position > 3000');
}

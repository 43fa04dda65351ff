// Tests docs/spec/signals.md 9.4, 9.6.
// Tests docs/spec/activity.md 21.1, 21.2.
import { describe, expect, test } from '@jest/globals';
import { closedAfterAll, runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { openApi, type Query } from '../support/api.ts';
import { publishOutbox } from '../support/publish.ts';
import { apply, EDITS_COUNT, type Edit } from './support/edits.ts';
import { type Entry, followLinks } from './support/oracle.ts';

const api = await closedAfterAll(openApi());
const { sql } = api;
const ALL = { $top: '5000' };
await apply(
  sql,
  Array.from({ length: 6 * EDITS_COUNT }, (_, n) => [n % EDITS_COUNT, n * 7]),
);
const edits: fc.Arbitrary<Edit[]> = fc.array(fc.tuple(fc.nat(EDITS_COUNT - 1), fc.nat(999)), {
  minLength: 20,
  maxLength: 40,
});
const feed = async (query: Query = ALL): Promise<Entry[]> => {
  await publishOutbox(sql);
  return (await api.list('/activityfeed', query)) as unknown as Entry[];
};

describe('a window of market dates', () => {
  const COLLECTIONS = [
    ['round.recorded', '/startups/fundingrounds', 'Confirmed eq true and '],
    ['valuation.recorded', '/startups/postvaluations', ''],
    ['news.mention', '/news', ''],
  ] as const;

  test('has the same in both feeds and in the collection, after any edits', async () => {
    const day = fc.nat(3_000).map((n) => new Date(Date.UTC(2014, 11, 1) + n * 86_400_000));
    await fc.assert(
      fc.asyncProperty(edits, day, fc.integer({ min: 1, max: 400 }), async (made, from, days) => {
        await apply(sql, made);
        await publishOutbox(sql);
        const since = from.toISOString().slice(0, 10);
        const until = new Date(from.getTime() + days * 86_400_000).toISOString().slice(0, 10);
        for (const [types, path, condition] of COLLECTIONS) {
          const $filter = `${condition}Date ge ${since} and Date lt ${until}`;
          const records = new Set(
            (await api.list(path, { $filter, $top: '5000' })).map(({ Id }) => String(Id)),
          );
          const signals = await followSignals({
            types,
            occurredSince: since,
            occurredUntil: until,
          });
          const shown = new Set((await feed({ ...ALL, types, since, until })).map(({ Id }) => Id));
          const objects = new Set(signals.map(({ object }) => object.id));
          // The change feed also keeps what was deleted, withdrawn or moved to another company.
          expect(without(records, objects)).toEqual(new Set());
          const still = signals.filter(({ id }) => shown.has(id)).map(({ object }) => object.id);
          expect(without(shown, new Set(signals.map(({ id }) => id)))).toEqual(new Set());
          expect(await datedOf(new Set(still))).toEqual(await listed(records));
        }
      }),
      { ...runs(2, 120), endOnFailure: true },
    );
  });

  function without(ids: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
    return new Set([...ids].filter((id) => !others.has(id)));
  }

  /** Those with a date of their own; of rounds, those that are confirmed. */
  async function datedOf(ids: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const { rows } = await sql.query<{ id: string }>(
      `SELECT id FROM venture.funding_round WHERE id = ANY ($1) AND (NOT confirmed OR date IS NULL)
       UNION SELECT id FROM venture.post_valuation WHERE id = ANY ($1) AND date IS NULL
       UNION SELECT id FROM venture.news WHERE id = ANY ($1) AND date IS NULL`,
      [[...ids]],
    );
    return without(ids, new Set(rows.map(({ id }) => id)));
  }

  /** Without news that is about no company, and rounds that moved: no signal is about their company. */
  async function listed(ids: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const { rows } = await sql.query<{ id: string }>(
      `SELECT id FROM venture.news WHERE id = ANY ($1) AND companies_deleted IS NOT FALSE
       UNION SELECT r.id FROM venture.funding_round r WHERE r.id = ANY ($1) AND NOT EXISTS (
         SELECT FROM venture.signal s
         WHERE s.object_id = r.id AND s.type = 1 AND s.subject_id = r.startup_id)`,
      [[...ids]],
    );
    return without(ids, new Set(rows.map(({ id }) => id)));
  }

  async function followSignals(query: Query) {
    const found: { id: string; object: { id: string } }[] = [];
    for (let cursor: string | undefined; ; ) {
      const { body } = await api.get('/signals', {
        ...query,
        ...{ limit: '200', order: 'asc', ...(cursor && { cursor }) },
      });
      const page = body as { signals: typeof found; nextCursor: string; hasMore: boolean };
      found.push(...page.signals);
      if (!page.hasMore) return found;
      cursor = page.nextCursor;
    }
  }

  test('moves with the date of the object, also before its signal is published', async () => {
    const id = '00000000-0000-4000-8000-0000000000a7';
    const startup = `(SELECT id FROM venture.startup WHERE deleted_at IS NULL LIMIT 1)`;
    const dates = async () => {
      await publishOutbox(sql);
      const { rows } = await sql.query(
        `SELECT DISTINCT dated, CASE WHEN dated THEN occurred_at::date::text END AS day
         FROM venture.signal WHERE object_id = $1`,
        [id],
      );
      return rows;
    };
    await sql.query(`INSERT INTO venture.funding_round (id, startup_id, date)
      VALUES ('${id}', ${startup}, '2033-01-01')`);
    await sql.query(`UPDATE venture.funding_round SET date = NULL WHERE id = '${id}'`);
    expect(await dates()).toEqual([{ dated: false, day: null }]);
    await sql.query(`UPDATE venture.funding_round SET date = '2033-02-02' WHERE id = '${id}'`);
    expect(await dates()).toEqual([{ dated: true, day: '2033-02-02' }]);
    await sql.query(`UPDATE venture.funding_round SET date = '2033-03-03' WHERE id = '${id}'`);
    expect(await dates()).toEqual([{ dated: true, day: '2033-03-03' }]);
    await sql.query(`UPDATE venture.funding_round SET date = NULL, occurred_at = '2033-04-04'
      WHERE id = '${id}'`);
    expect(await dates()).toEqual([{ dated: true, day: '2033-04-04' }]);
  });
});

describe('more follows only if there is more', () => {
  test('whatever the size of the page and the narrowing, in both feeds', async () => {
    const small = await openApi({
      ...{ url: sql.options.connectionString ?? '', seed: 'SELECT 1' },
      scanLimits: { candidatesFirst: 2, candidatesEnough: 1, batchesBeforeFallback: 99, growth: 2 },
    });
    const narrowings: Query[] = [
      {},
      { country: 'Norway' },
      { industry: 'Fintech', types: 'round.recorded,fund.added' },
      { types: 'startup.added', country: 'Norway' },
      { country: 'Norway', occurredSince: '2016-01-01' },
    ];
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...narrowings),
          fc.integer({ min: 3, max: 200 }),
          fc.constantFrom('asc', 'desc'),
          async (narrowing, size, order) => {
            for (let cursor: string | undefined; ; ) {
              const query = { ...narrowing, order, limit: String(size), ...(cursor && { cursor }) };
              const { body } = await small.get('/signals', query);
              const page = body as { signals: object[]; nextCursor: string; hasMore: boolean };
              if (cursor !== undefined) expect(page.signals.length).toBeGreaterThan(0);
              if (!page.hasMore) break;
              cursor = page.nextCursor;
            }
            let pages = 0;
            const entries = await followLinks(
              small,
              { ...narrowing, $top: String(size) },
              (count) => {
                pages += 1;
                if (pages > 1) expect(count).toBeGreaterThan(0);
              },
            );
            expect(entries).toEqual(await feed({ ...ALL, ...narrowing }));
          },
        ),
        { ...runs(3, 500), endOnFailure: true },
      );
    } finally {
      await small.close();
    }
  });
});

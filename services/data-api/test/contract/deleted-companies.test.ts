/**
 * After the deletion of companies, every listing, count and aggregate equals the prediction of a
 * model from the listings before it; after their restoration, the listings before it.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { closedAfterAll, eventually } from '@vcds/test-kit';
import { openCategoryApi } from '../categories/support/category-api.ts';
import { ENGINES } from '../categories/support/engines.ts';
import { seedId } from '../support/collections.ts';
import { type Dump, dumpOf, facetsOf, type Json, withoutCompanies } from './deleted-companies.ts';

const STARTUPS = ['startup2', 'startup7', 'startup17'].map(seedId);
const FUNDS = ['fund2', 'fund8'].map(seedId);
const GONE = new Set([...STARTUPS, ...FUNDS]);

const api = await closedAfterAll(openCategoryApi());
// Articles about two companies, of which one or both are deleted.
await api.sql.query(
  `INSERT INTO venture.news (title, startup_id, fund_id, date) VALUES
     ('startup goes', $1, $3, '2024-01-01'), ('fund goes', $2, $4, '2024-01-02'),
     ('both go', $1, $4, '2024-01-03'), ('neither goes', $2, $3, '2024-01-04')`,
  [STARTUPS[0], seedId('startup11'), seedId('fund3'), FUNDS[0]],
);
await api.sql.query('UPDATE venture.news SET created_at = now()');
const before = await dumpOf(api);
let signalsBefore: Record<string, number> = await signalTypes();

const setDeleted = async (value: 'now()' | 'NULL') => {
  for (const table of ['startup', 'fund']) {
    await api.sql.query(`UPDATE venture.${table} SET deleted_at = ${value} WHERE id = ANY ($1)`, [
      [...GONE],
    ]);
  }
  await api.catchUp();
};

/** The number of unpublished signals of each type. */
async function signalTypes(): Promise<Record<string, number>> {
  const { rows } = await api.sql.query(
    `SELECT t.name, count(o.serial)::int AS signals FROM venture.signal_type t
     LEFT JOIN venture.signal_outbox o ON o.type = t.code GROUP BY t.name`,
  );
  return Object.fromEntries(rows.map(({ name, signals }) => [name, signals]));
}

describe('deleted companies', () => {
  beforeAll(() => setDeleted('now()'));

  test('have records of every kind in the seed', () => {
    const { rounds, valuations, news } = before;
    for (const list of [rounds, valuations, news]) {
      expect(list.some(({ StartupId }) => GONE.has(String(StartupId)))).toBe(true);
    }
    expect(
      news.filter(({ StartupId, FundId }) => StartupId !== null && FundId !== null),
    ).toHaveLength(4);
  });

  test('remove their rounds, valuations, articles and holdings from every collection', async () => {
    const after = await dumpOf(api);
    const expected = withoutCompanies(before, GONE);
    for (const name of Object.keys(expected) as (keyof Dump)[]) {
      expect({ [name]: after[name] }).toEqual({ [name]: expected[name] });
    }
  });

  test('are not counted in a collection', async () => {
    const expected = withoutCompanies(before, GONE);
    const counts = { '/startups/fundingrounds': expected.rounds, '/news': expected.news };
    for (const [path, records] of Object.entries(counts)) {
      expect((await api.get(path, { $count: 'true' })).body).toEqual({ count: records.length });
    }
    for (const [path, field, id] of [
      ['/startups/fundingrounds', 'StartupId', STARTUPS[0]],
      ['/startups/fundingrounds', 'Startup', STARTUPS[0]],
      ['/startups/postvaluations', 'StartupId', STARTUPS[0]],
      ['/news', 'StartupId', STARTUPS[0]],
      ['/news', 'FundId', FUNDS[0]],
    ]) {
      expect(await api.list(`${path}`, { $filter: `${field} eq ${id}` })).toEqual([]);
    }
  });

  test('are 404 on each of their paths', async () => {
    const paths = [
      ...['', '/fundingrounds', '/postvaluations', '/persons', '/references'].map(
        (path) => `/startups/${STARTUPS[0]}${path}`,
      ),
      ...['', '/portfolio', '/persons'].map((path) => `/funds/${FUNDS[0]}${path}`),
    ];
    for (const path of paths) expect([path, (await api.get(path)).status]).toEqual([path, 404]);
  });

  test('are in no facet, tag count, category path or search', async () => {
    const expected = withoutCompanies(before, GONE);
    const facets = facetsOf(expected);
    for (const [entity, dimensions] of Object.entries(facets)) {
      for (const [dimension, counts] of Object.entries(dimensions)) {
        const { body } = await api.get(`/categories/${dimension}`, { entity, top: '500' });
        const { values } = body as { values: { value: string; count: number }[] };
        const shown = values.filter(({ count }) => count > 0);
        expect({
          entity,
          dimension,
          counts: Object.fromEntries(shown.map(({ value, count }) => [value, count])),
        }).toEqual({ entity, dimension, counts });
      }
    }
    const tags = (await api.get('/startups/tags/search', { q: 'Fintech' })).body as Json[];
    expect(tags[0]).toMatchObject({ value: 'Fintech', count: facets.startups?.industry?.Fintech });
    const rounds = await api.list('/categories/round_series/Series%20A/rounds', { $top: '5000' });
    expect(rounds.map(({ Id }) => Id).sort()).toEqual(
      expected.rounds
        .filter(({ Series }) => Series === 'Series A')
        .map(({ Id }) => Id)
        .sort(),
    );
    const funds = await api.list('/categories/round_year/2015/funds', { $top: '5000' });
    const named = new Set(
      expected.rounds
        .filter(({ Year }) => Year === 2015)
        .flatMap(({ Investors }) => (Investors as Json[]).map(({ Id }) => Id)),
    );
    expect(funds.map(({ Id }) => Id).sort()).toEqual(
      expected.funds
        .filter(({ Id }) => named.has(Id))
        .map(({ Id }) => Id)
        .sort(),
    );
    for (const company of [...before.startups, ...before.funds].filter(({ Id }) =>
      GONE.has(`${Id}`),
    )) {
      const hits = await api.list('/companies/search', { q: String(company.Name), top: '100' });
      expect(hits.filter(({ Id }) => GONE.has(String(Id)))).toEqual([]);
    }
  });

  test.each(Object.entries(ENGINES))('are not counted by the engine %s', async (_name, open) => {
    const { rounds } = withoutCompanies(before, GONE);
    const { engine, caughtUp, close } = await open(api.url);
    try {
      await caughtUp();
      const page = { top: 500, skip: 0, order: 'count' } as const;
      const { facets: counts } = await engine.count({
        entity: 'rounds',
        narrowing: [{ dimension: 'round_series', values: ['Seed'] }],
        facets: [{ dimension: 'round_year', ...page }],
      });
      const expected = new Map<unknown, number>();
      for (const { Series, Year } of rounds) {
        if (Series === 'Seed' && Year !== null) expected.set(Year, (expected.get(Year) ?? 0) + 1);
      }
      const counted = counts.get('round_year') ?? [];
      expect(new Map(counted.map(({ value, count }) => [value, count]))).toEqual(expected);
    } finally {
      await close();
    }
  });

  test('cause no signal, and keep the signals of their records', async () => {
    expect(await signalTypes()).toEqual(signalsBefore);
  });

  test('hide records that are added or moved to them later', async () => {
    const client = await api.sql.connect();
    const [gone, other] = [STARTUPS[0], seedId('startup11')];
    const listed = async () => (await api.list('/startups/fundingrounds', { $top: '5000' })).length;
    const count = await listed();
    try {
      const { rows } = await client.query(
        'INSERT INTO venture.funding_round (startup_id) VALUES ($1) RETURNING id',
        [gone],
      );
      expect(await listed()).toBe(count);
      await client.query('UPDATE venture.funding_round SET startup_id = $2 WHERE id = $1', [
        rows[0].id,
        other,
      ]);
      expect(await listed()).toBe(count + 1);
      await client.query('UPDATE venture.funding_round SET startup_id = $2 WHERE id = $1', [
        rows[0].id,
        gone,
      ]);
      expect(await listed()).toBe(count);
      await client.query('UPDATE venture.funding_round SET deleted_at = now() WHERE id = $1', [
        rows[0].id,
      ]);
      const news = await client.query(
        `INSERT INTO venture.news (title, startup_id, fund_id) VALUES ('x', $1, NULL), ('x', NULL, $2),
           ('x', $1, $3), ('x', $4, $2) RETURNING live_startup_id, live_fund_id, companies_deleted`,
        [gone, FUNDS[0], seedId('fund3'), other],
      );
      expect(news.rows.map((row) => Object.values(row))).toEqual([
        [null, null, true],
        [null, null, true],
        [null, seedId('fund3'), false],
        [other, null, false],
      ]);
      await client.query(`UPDATE venture.news SET deleted_at = now() WHERE title = 'x'`);
    } finally {
      client.release();
    }
  });

  describe('after their restoration', () => {
    beforeAll(async () => {
      signalsBefore = await signalTypes();
      await setDeleted('NULL');
    });

    test('are listed as before', async () => {
      const after = await dumpOf(api);
      for (const name of Object.keys(before) as (keyof Dump)[]) {
        expect({ [name]: after[name] }).toEqual({ [name]: before[name] });
      }
    });

    test('cause only the signals of their own restoration', async () => {
      const added = { 'startup.added': STARTUPS.length, 'fund.added': FUNDS.length };
      const expected = Object.entries(signalsBefore).map(([type, count]) => [
        type,
        count + (added[type as keyof typeof added] ?? 0),
      ]);
      expect(await signalTypes()).toEqual(Object.fromEntries(expected));
    });

    test('have new revisions, their records do not', async () => {
      const { rows } = await api.sql.query(
        `SELECT max(r.revision)::int AS round, (SELECT max(v.revision)::int FROM venture.post_valuation v
           WHERE v.startup_id = ANY ($1)) AS valuation
         FROM venture.funding_round r WHERE r.startup_id = ANY ($1) AND r.deleted_at IS NULL`,
        [STARTUPS],
      );
      expect(rows).toEqual([{ round: 1, valuation: 1 }]);
    });
  });
});

test('a round added while its startup is being deleted is not listed', async () => {
  const startup = seedId('startup20');
  const [adding, deleting] = [await api.sql.connect(), await api.sql.connect()];
  try {
    await adding.query('BEGIN');
    const { rows } = await adding.query(
      `INSERT INTO venture.funding_round (startup_id, series) VALUES ($1, 'Late') RETURNING id`,
      [startup],
    );
    const deleted = deleting.query('UPDATE venture.startup SET deleted_at = now() WHERE id = $1', [
      startup,
    ]);
    await waitsForLock();
    await adding.query('COMMIT');
    await deleted;
    expect(await api.list('/startups/fundingrounds', { $filter: `Id eq ${rows[0].id}` })).toEqual(
      [],
    );
  } finally {
    adding.release();
    deleting.release();
  }
});

async function waitsForLock(): Promise<void> {
  const waiting = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await eventually(async () => (await api.sql.query(waiting)).rowCount !== 0);
}

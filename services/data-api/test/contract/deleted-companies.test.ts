// Tests docs/spec/resources.md 4.15, 4.16.
// Tests docs/spec/collections.md 6.1.
// Tests docs/spec/signals.md 9.12.
/**
 * After the deletion of companies, every response equals that of a database which never had them;
 * after their restoration, the response before the deletion.
 */
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { closedAfterAll, eventually } from '@vcds/test-kit';
import { dimensionsOf, ENTITY_IDS } from '@vcds/venture-model';
import { type CategoryApi, openCategoryApi } from '../categories/support/category-api.ts';
import { ENGINES } from '../categories/support/engines.ts';
import type { Query } from '../support/api.ts';
import { seedId } from '../support/collections.ts';

const STARTUPS = ['startup2', 'startup7', 'startup17'].map(seedId);
const FUNDS = ['fund2', 'fund8'].map(seedId);
const GONE = [...STARTUPS, ...FUNDS];

const seed = `${await readFile(new URL('../support/seed.sql', import.meta.url), 'utf8')};
  -- Articles about two companies, of which one or both are deleted.
  INSERT INTO venture.news (id, title, startup_id, fund_id, date) VALUES
    (md5('a')::uuid, 'startup goes', '${STARTUPS[0]}', '${seedId('fund3')}', '2024-01-01'),
    (md5('b')::uuid, 'fund goes', '${seedId('startup11')}', '${FUNDS[0]}', '2024-01-02'),
    (md5('c')::uuid, 'both go', '${STARTUPS[0]}', '${FUNDS[0]}', '2024-01-03'),
    (md5('d')::uuid, 'neither goes', '${seedId('startup11')}', '${seedId('fund3')}', '2024-01-04')`;

/** Skips the inserts of companies and of their records; an article of another company stays. */
const SKIP_GONE = `
  CREATE FUNCTION skip_gone() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    row jsonb := to_jsonb(NEW);
    gone text := '{${GONE}}';
    startup_goes boolean := coalesce(row ->> 'startup_id' = ANY (gone::text[]), false);
    fund_goes boolean := coalesce(row ->> 'fund_id' = ANY (gone::text[]), false);
  BEGIN
    IF TG_TABLE_NAME = 'news' THEN
      IF startup_goes THEN NEW.startup_id := NULL; END IF;
      IF fund_goes THEN NEW.fund_id := NULL; END IF;
      IF (startup_goes OR fund_goes) AND NEW.startup_id IS NULL AND NEW.fund_id IS NULL THEN
        RETURN NULL;
      END IF;
      RETURN NEW;
    END IF;
    IF startup_goes OR fund_goes OR row ->> 'id' = ANY (gone::text[]) THEN RETURN NULL; END IF;
    IF row ->> 'round_id' IS NOT NULL AND NOT EXISTS (
      SELECT FROM venture.funding_round r WHERE r.id::text = row ->> 'round_id') THEN
      IF TG_TABLE_NAME = 'round_investor' THEN RETURN NULL; END IF;
      NEW.round_id := NULL;
    END IF;
    RETURN NEW;
  END $$;
  DO $$ DECLARE name text; BEGIN
    FOREACH name IN ARRAY '{startup,fund,funding_round,round_investor,holding,startup_person,
      fund_person,post_valuation,news,reference}'::text[] LOOP
      EXECUTE format('CREATE TRIGGER a_skip_gone BEFORE INSERT ON venture.%I
        FOR EACH ROW EXECUTE FUNCTION skip_gone()', name);
    END LOOP;
  END $$;`;

const api = await closedAfterAll(openCategoryApi({ seed }));
const without = await closedAfterAll(openCategoryApi({ seed: `${SKIP_GONE}${seed}` }));

const ALL = { $top: '5000', $orderby: 'Id' };
const CALLS: readonly (readonly [path: string, query: Query])[] = [
  ['/startups', { ...ALL, $top: '166', $expand: 'Tags,Addresses,Funds,FundingRounds,Persons' }],
  ['/funds', { ...ALL, $top: '250', $expand: 'Groups,Startups,Persons' }],
  ['/startups/fundingrounds', { ...ALL, $expand: 'Startup,Investors' }],
  ['/startups/postvaluations', { ...ALL, $expand: 'Startup' }],
  ['/news', { ...ALL, $expand: 'Startup,Fund' }],
  ['/persons', { ...ALL, $top: '250', $expand: 'Startups,Funds' }],
  ...['/startups', '/funds', '/startups/fundingrounds', '/startups/postvaluations', '/news'].map(
    (path) => [path, { $count: 'true' }] as const,
  ),
  ...ENTITY_IDS.flatMap((entity) =>
    dimensionsOf(entity).map(({ id }) => [`/categories/${id}`, { entity, top: '500' }] as const),
  ),
  ['/startups/tags/search', { q: 'fin' }],
  ['/categories/round_series/Series%20A/rounds', ALL],
  ['/categories/round_year/2015/funds', ALL],
  ['/companies/search', { q: 'zebra works 2', top: '100' }],
  ['/companies/search', { q: 'beta ventures 8', top: '100' }],
];

const bodiesOf = (from: CategoryApi) =>
  Promise.all(
    CALLS.map(async ([path, query]) => {
      const { status, body } = await from.get(path, query);
      return { path, query, status, body: plain(body) };
    }),
  );

// Without time stamps, which move, scores, whose weights of words are read hourly, and the round of a
// valuation, which the seed gives to another startup; names and related records in a fixed order.
function plain(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(plain).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name]) => !/TimeStamp$|^(FundingRoundId|Score)$/.test(name),
  );
  return Object.fromEntries(kept.map(([name, each]) => [name, plain(each)]));
}

const before = await bodiesOf(api);
const expected = await bodiesOf(without);
let signalsBefore: Record<string, number> = await signalTypes();

const setDeleted = async (value: 'now()' | 'NULL') => {
  for (const table of ['startup', 'fund']) {
    await api.sql.query(`UPDATE venture.${table} SET deleted_at = ${value} WHERE id = ANY ($1)`, [
      GONE,
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

  test('are in the responses before', () => {
    const unchanged = before.filter((each, index) => isDeepStrictEqual(each, expected[index]));
    expect(before.filter(({ status }) => status !== 200)).toEqual([]);
    expect(unchanged.filter(({ path }) => !path.startsWith('/categories/'))).toEqual([]);
    expect(unchanged.length).toBeLessThan(before.length / 2);
  });

  test('leave every listing, count, facet, category path and search', async () => {
    const after = await bodiesOf(api);
    for (const [index, each] of after.entries()) expect(each).toEqual(expected[index]);
  });

  test('are found by no id of a company', async () => {
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

  test.each(Object.entries(ENGINES))('are not counted by the engine %s', async (_name, open) => {
    const counts = [];
    for (const { url } of [api, without]) {
      const { engine, caughtUp, close } = await open(url);
      try {
        await caughtUp();
        counts.push(
          await engine.count({
            entity: 'rounds',
            narrowing: [{ dimension: 'round_series', values: ['Seed'] }],
            facets: [{ dimension: 'round_year', top: 500, skip: 0, order: 'count' }],
          }),
        );
      } finally {
        await close();
      }
    }
    expect(counts[0]?.facets.get('round_year')?.length).toBeGreaterThan(3);
    expect(counts[0]).toEqual(counts[1]);
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
      expect(await bodiesOf(api)).toEqual(before);
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

test('a round added or moved to a startup whose deletion is not committed is not listed', async () => {
  const startup = seedId('startup21');
  const [deleting, writing] = [await api.sql.connect(), await api.sql.connect()];
  const write = async (statement: string) => {
    await deleting.query('BEGIN');
    await deleting.query('UPDATE venture.startup SET deleted_at = now() WHERE id = $1', [startup]);
    const written = writing.query(`${statement} RETURNING id`, [startup]);
    await waitsForLock();
    await deleting.query('COMMIT');
    const $filter = `Id eq ${(await written).rows[0].id}`;
    expect(await api.list('/startups/fundingrounds', { $filter })).toEqual([]);
    await api.sql.query('UPDATE venture.startup SET deleted_at = NULL WHERE id = $1', [startup]);
    expect(await api.list('/startups/fundingrounds', { $filter })).toHaveLength(1);
  };
  try {
    await write(`INSERT INTO venture.funding_round (startup_id, series) VALUES ($1, 'Late')`);
    await write(`UPDATE venture.funding_round SET startup_id = $1 WHERE id = (
      SELECT id FROM venture.funding_round WHERE startup_id <> $1 AND deleted_at IS NULL ORDER BY id LIMIT 1)`);
  } finally {
    deleting.release();
    writing.release();
  }
});

async function waitsForLock(): Promise<void> {
  const waiting = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await eventually(async () => (await api.sql.query(waiting)).rowCount !== 0);
}

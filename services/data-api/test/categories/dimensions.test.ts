// Tests docs/spec/categories.md 8.2, 8.4.
import { describe, expect, test } from '@jest/globals';
import { closedAfterAll, eventually, runs } from '@vcds/test-kit';
import {
  DIMENSION_IDS,
  DIMENSIONS,
  dimensionOf,
  ENTITIES,
  ENTITY_IDS,
  entityOf,
  FIGURES,
  INDEXED,
} from '@vcds/venture-model';
import fc from 'fast-check';
import { foldLabel } from '../../src/categories/execute.ts';
import { planNarrowing } from '../../src/narrowing/plan.ts';
import { ValueResolver } from '../../src/narrowing/resolve.ts';
import { resources } from '../../src/resources/index.ts';
import { storeClosedValues } from '../../src/worker/index-facets/closed-codes.ts';
import { inPages, PageSize } from '../../src/worker/index-facets/pages.ts';
import { applyAll, indexerOf, openCategoryApi } from './support/category-api.ts';
import { openDatabase } from './support/engines.ts';

/** The table of docs/spec/categories.md 8.2. */
const SPECIFIED = [
  ['industry', 'open', ['startups', 'funds'], 'Tag'],
  ['country', 'open', ['startups', 'funds'], 'Country'],
  ['region', 'open', ['startups', 'funds'], 'Region'],
  ['city', 'open', ['startups', 'funds'], 'City'],
  ['stage', 'closed', ['startups'], 'LastFundingStage'],
  ['next_stage', 'closed', ['startups'], 'NextFundingStage'],
  ['investment_stage', 'closed', ['funds'], 'InvestmentStage'],
  ['investor_type', 'closed', ['funds'], 'InvestmentType'],
  ['team_size', 'closed', ['startups', 'funds'], 'MembersCountBucket'],
  ['operating_status', 'closed', ['startups', 'funds'], 'OperatingStatus'],
  ['exit_status', 'closed', ['startups'], 'Status'],
  ['founded_year', 'bucketed', ['startups', 'funds'], 'Founded'],
  ['fund_group', 'open', ['funds'], 'Group.Name'],
  ['round_series', 'open', ['rounds'], 'Series'],
  ['round_stage', 'closed', ['rounds'], 'Stage'],
  ['round_year', 'bucketed', ['rounds'], 'Year'],
  ['confirmed', 'closed', ['rounds'], 'Confirmed'],
  ['investor', 'open', ['startups', 'rounds'], 'Investor'],
  ['lead_investor', 'open', ['rounds'], 'LeadInvestor'],
];

test('the dimensions are those of the specification', () => {
  expect(
    DIMENSIONS.map(({ id, kind, entities, filterField }) => [id, kind, entities, filterField]),
  ).toEqual(SPECIFIED);
  expect(DIMENSION_IDS).toHaveLength(19);
  // Stored codes refer to the numbers, so they never change.
  expect(DIMENSIONS.map(({ number }) => number)).toEqual([
    ...Array.from({ length: 14 }, (_, i) => i + 1),
    ...[16, 15, 32, 33, 34],
  ]);
});

test('exactly the closed ones list their values', () => {
  for (const { kind, closed } of DIMENSIONS) expect(closed !== undefined).toBe(kind === 'closed');
});

test('the filter field of a dimension is a filterable field of each of its entities', () => {
  const resourceOf = {
    startups: resources.startup,
    funds: resources.fund,
    rounds: resources.fundingRound,
  };
  for (const { id, entities, filterField, closed } of DIMENSIONS) {
    for (const entity of entities) {
      const field = resourceOf[entity].fields.get(filterField);
      expect([id, entity, field?.filterable]).toEqual([id, entity, true]);
      // A boolean field has no list.
      const values = field?.type === 'boolean' ? undefined : closed;
      expect([id, entity, field?.closed]).toEqual([id, entity, values]);
    }
  }
});

test('names of the prototype are neither dimensions nor entities', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', '']) {
    expect(dimensionOf(name)).toBeUndefined();
    expect(entityOf(name)).toBeUndefined();
  }
  expect(Object.getPrototypeOf(ENTITIES)).toBeNull();
});

const api = await closedAfterAll(openCategoryApi());
const database = await closedAfterAll(openDatabase(api.url));

describe('in the database', () => {
  test('every reading of every entity is valid SQL of the declared type', async () => {
    for (const { readings, sqlType } of DIMENSIONS) {
      for (const entity of ENTITY_IDS) {
        const { through, sql, many } = readings[entity];
        const from =
          through === undefined ? `FROM ${ENTITIES[entity].table} AS r` : through.from('r');
        const value = sql(through === undefined ? 'r' : 'related');
        const outer = through === undefined ? '' : `FROM ${ENTITIES[entity].table} AS r`;
        const type = many ? `${sqlType}[]` : sqlType;
        await api.sql.query(
          through === undefined
            ? `SELECT ${value} = NULL::${type} ${from}`
            : `SELECT (SELECT count(${value} = NULL::${type}) ${from}) ${outer}`,
        );
      }
    }
  });

  test('closed values get their codes once, labels folded as the code folds them', async () => {
    await storeClosedValues(api.sql);
    const { rows: first } = await api.sql.query(
      'SELECT * FROM venture.dimension_value ORDER BY code',
    );
    await storeClosedValues(api.sql);
    const { rows: second } = await api.sql.query(
      'SELECT * FROM venture.dimension_value ORDER BY code',
    );
    expect(second).toEqual(first);
    const listed = DIMENSIONS.flatMap(({ number, closed = [] }) =>
      closed.map(({ value, label }) => [number, String(value), foldLabel(label)]),
    );
    const dimensions = new Set(listed.map(([number]) => number));
    const stored = first.filter(({ dimension }) => dimensions.has(dimension));
    expect(stored).toHaveLength(listed.length);
    expect(stored.map((row) => [row.dimension, row.value, row.folded])).toEqual(
      expect.arrayContaining(listed),
    );
  });
});

test('a value that no record has any more is rejected once the index has caught up', async () => {
  let nowMs = 0;
  const resolver = new ValueResolver(database, () => nowMs);
  const narrowing = planNarrowing([
    { dimension: 'industry', parameter: 'industry', values: ['Passing'] },
  ]);
  await api.sql.query(`UPDATE venture.startup SET tags = tags || '{Passing}'`);
  await api.catchUp();
  await resolver.known(narrowing);
  await api.sql.query(`UPDATE venture.startup SET tags = array_remove(tags, 'Passing')`);
  await api.catchUp();
  nowMs = 2_001;
  await expect(resolver.known(narrowing)).rejects.toMatchObject({ code: 'unknown_value' });
});

test('a value that occurs nowhere is found behind any number of values that occur', async () => {
  const { rows } = await api.sql.query<{ value: string }>(
    'SELECT DISTINCT unnest(tags) AS value FROM venture.startup WHERE deleted_at IS NULL LIMIT 3',
  );
  const spelled = [...rows, { value: 'zzqx' }].map(({ value }) => {
    return { field: 'Tag', dimension: 1, value };
  });
  const absent = await new ValueResolver(database).absent(spelled, 2);
  expect([spelled.length, absent.map(({ value }) => value)]).toEqual([4, ['zzqx']]);
});

test('a number that is not a year may be part of the suggested value', () => {
  const stated = [{ dimension: 'team_size', parameter: 'team_size', values: ['1001'] }] as const;
  expect(() => planNarrowing(stated)).toThrow(/did you mean 1001-5000/);
});

// Statements of the facet indexer.

test('the pages of a set have every id once, in order, however long their statements take', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: 9_000 }),
      fc.array(fc.integer({ min: 1, max: 200_000 }), { minLength: 1 }),
      async (count, durations) => {
        const ids = Array.from({ length: count }, (_, n) => String(n).padStart(36, '0'));
        const pages: string[][] = [];
        let nowMs = 0;
        const takePage = async (page: string) => {
          nowMs += durations[pages.length % durations.length] ?? 0;
          pages.push(page.slice(1, -1).split(','));
        };
        await inPages(`{${ids.join(',')}}`, takePage, new PageSize(() => nowMs));
        expect(pages.flat()).toEqual(ids);
      },
    ),
    runs(10, 600),
  );
});

test('a statement takes seconds, whatever a record costs', async () => {
  await fc.assert(
    fc.asyncProperty(fc.double({ min: 0.001, max: 30, noNaN: true }), async (recordMs) => {
      let nowMs = 0;
      const size = new PageSize(() => nowMs);
      for (let statement = 0; statement < 20; statement += 1) {
        const { records } = size;
        await size.run(async () => {
          nowMs += records * recordMs;
        });
      }
      expect(size.records).toBeLessThanOrEqual(20_000);
      expect(size.records * recordMs).toBeLessThanOrEqual(4_000);
      expect(size.records === 20_000 || (size.records + 1) * recordMs >= 1_000).toBe(true);
    }),
  );
});

// The values of all records, when the facet index is rebuilt.

const FUND = 'f0000000-0000-0000-0000-000000000001';
/** More than a statement computes at first. */
const STARTUPS = 1_200;
const RECORDS = 2 * STARTUPS + 1;
const ROWS_MIN = 100;

const rebuilt = await closedAfterAll(
  openCategoryApi({
    seed: `INSERT INTO venture.fund (id, name, groups) VALUES ('${FUND}', 'Fund', '{Group}');
      INSERT INTO venture.startup (id, name, tags)
        SELECT md5('s' || i)::uuid, 'Startup', ARRAY['Tag ' || i % 7] FROM generate_series(1, ${STARTUPS}) i;
      INSERT INTO venture.funding_round (id, startup_id, date, series)
        SELECT md5('r' || i)::uuid, md5('s' || i)::uuid, '2020-01-01', 'seed' FROM generate_series(1, ${STARTUPS}) i;
      INSERT INTO venture.round_investor (round_id, fund_id)
        SELECT id, '${FUND}' FROM venture.funding_round`,
  }),
);
const follower = await closedAfterAll(indexerOf(rebuilt.url));

const rebuilderOf = (onRebuild: (records: number) => void) =>
  indexerOf(rebuilt.url, 200_000, { onRebuild, times: { rebuildRowsMin: ROWS_MIN } });

const logAll = () =>
  rebuilt.sql.query(`INSERT INTO venture.facet_change (entity, id)
    SELECT 1, id FROM venture.startup UNION ALL SELECT 2, id FROM venture.fund
    UNION ALL SELECT 3, id FROM venture.funding_round`);

const numberOf = async (text: string): Promise<number> => {
  const { rows } = await rebuilt.sql.query<[number]>({
    text: `SELECT ${text}::int`,
    rowMode: 'array',
  });
  return rows[0]?.[0] ?? Number.NaN;
};
const logged = () => numberOf('(SELECT count(*) FROM venture.facet_change)');
const counted = (tag: string) =>
  numberOf(`coalesce((SELECT c.count FROM venture.facet_count c JOIN venture.dimension_value USING (code)
    WHERE c.entity = 1 AND value = '${tag}'), 0)`);

test.each(ENTITY_IDS)('a change of each indexed column of %s is logged', async (entity) => {
  const { table, listed } = ENTITIES[entity];
  const { rows } = await rebuilt.sql.query<{ source: string }>(
    `SELECT p.prosrc AS source FROM pg_trigger AS t JOIN pg_proc AS p ON p.oid = t.tgfoid
     WHERE t.tgrelid = $1::regclass AND t.tgname = 'log_update'`,
    [table],
  );
  const own = INDEXED.flatMap(({ readings }) => readings[entity] ?? []);
  const sql = own.filter(({ through }) => through === undefined).map((each) => each.sql('record'));
  const figures = FIGURES[entity].map((figure) => figure.sql('record'));
  const names = DIMENSIONS.some((each) => each.names === entity) ? ['record.name'] : [];
  const columns = [...sql, ...figures, ...names, listed('record')]
    .flatMap((text) => text.match(/(?<=record\.)\w+/g) ?? [])
    .filter((column) => column !== 'id');
  expect(columns.length).toBeGreaterThan(8);
  // The condition that decides whether a record is logged, and not how far its change reaches.
  const source = rows[0]?.source ?? '';
  const compared = source.slice(source.search(/\bWHERE\b|\bchanged AS\b/));
  for (const column of columns) expect(compared).toMatch(new RegExp(`\\b${column}\\b`));
});

test('a log with more rows than there are records rebuilds the index: each record once', async () => {
  const computed: number[] = [];
  const rebuilder = await closedAfterAll(rebuilderOf((records) => computed.push(records)));
  const open = await rebuilt.sql.connect();
  try {
    await rebuilt.sql.query(`UPDATE venture.startup SET tags = '{Rebuilt}'`);
    await open.query('BEGIN');
    await open.query(`UPDATE venture.startup SET tags = '{Open}' WHERE id = md5('s1')::uuid`);
    await logAll();
    expect(await rebuilder.applyOnce()).toMatchObject({ status: 'applied', rebuilt: true });
    expect(computed.reduce((sum, records) => sum + records)).toBe(RECORDS);
    expect(Math.max(...computed)).toBeLessThan(STARTUPS);
    expect([await logged(), await counted('Rebuilt')]).toEqual([0, STARTUPS]);
    // A change that commits after the rebuild is in the log.
    await open.query('COMMIT');
    expect(await rebuilder.applyOnce()).toMatchObject({ rebuilt: false });
    expect([await counted('Rebuilt'), await counted('Open')]).toEqual([STARTUPS - 1, 1]);
  } finally {
    open.release();
  }
  // Following the log of all records changes nothing.
  await applyAll(follower);
  await logAll();
  expect(await follower.applyOnce()).toMatchObject({ rebuilt: false, changed: 0 });
});

test('an interrupted rebuild leaves the log and the counts, and the next one completes it', async () => {
  await rebuilt.sql.query(`UPDATE venture.startup SET tags = '{Complete}'`);
  await logAll();
  const before = await logged();
  const failing = await closedAfterAll(
    rebuilderOf((records) => {
      if (records > 0) throw new Error('interrupted');
    }),
  );
  await expect(failing.applyOnce()).rejects.toThrow('interrupted');
  expect([await logged(), await counted('Complete')]).toEqual([before, 0]);
  expect(await failing.applyOnce().catch(() => 'again')).toBe('again');
  const next = await closedAfterAll(rebuilderOf(() => undefined));
  // PostgreSQL releases the lock of a closed connection when its process has ended.
  const outcome = await eventually(async () => {
    const applied = await next.applyOnce();
    return applied.status !== 'busy' && applied;
  });
  expect(outcome).toMatchObject({ rebuilt: true, taken: before });
  expect(await counted('Complete')).toBe(STARTUPS);
});

test('a shorter log, or one with fewer rows than there are records, is followed', async () => {
  const rebuilder = await closedAfterAll(rebuilderOf(() => undefined));
  await rebuilt.sql.query(`UPDATE venture.startup SET tags = '{Few}' WHERE id = md5('s1')::uuid`);
  expect(await rebuilder.applyOnce()).toMatchObject({ rebuilt: false });
  await applyAll(rebuilder);
  await rebuilt.sql.query(
    `INSERT INTO venture.startup (name) SELECT 'Many' FROM generate_series(1, 500)`,
  );
  await applyAll(follower);
  await rebuilt.sql.query('ANALYZE venture.startup');
  await logAll();
  await rebuilt.sql.query(`DELETE FROM venture.facet_change WHERE position > (
    SELECT min(position) + 2 * ${ROWS_MIN} FROM venture.facet_change)`);
  expect(await rebuilder.applyOnce()).toMatchObject({ rebuilt: false });
});

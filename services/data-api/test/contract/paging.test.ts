// Tests docs/spec/collections.md 6.5.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parseFilter, parseOrderBy } from '@vcds/odata-query';
import { atLength, closedAfterAll } from '@vcds/test-kit';
import fc from 'fast-check';
import { accessOf } from '../../src/collections/page-access.ts';
import { compilePage } from '../../src/collections/page-sql.ts';
import { type PagePlan, planCollection } from '../../src/collections/plan.ts';
import { readPage } from '../../src/collections/read-page.ts';
import type { Answer } from '../../src/postgres/database.ts';
import { createCursors } from '../../src/serve/cursors.ts';
import { errorOf, openApi } from '../support/api.ts';
import { makeVisible, seedId, withTableRows } from '../support/collections.ts';
import { sample } from './support/sample.ts';

const SORTABLE = [...sample.fields.values()].flatMap((field) => (field.sortable ? field.name : []));

const api = await closedAfterAll(openApi());
await api.sql.query(`
  CREATE TABLE venture.sample (
    id uuid PRIMARY KEY, name text, year smallint, members integer, amount bigint, date date,
    confirmed boolean, rounds integer NOT NULL, created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL);
  CREATE INDEX ON venture.sample (name COLLATE venture.text_order NULLS FIRST, id);
  CREATE INDEX ON venture.sample (amount NULLS FIRST, id);
  CREATE INDEX ON venture.sample (rounds NULLS FIRST, id);
  GRANT SELECT ON venture.sample TO vcds_data_api`);

const nullable = <T>(...values: T[]) => fc.constantFrom(null, ...values);
const INSTANTS = ['2020-01-01T00:00:00.000001Z', '2020-01-01T00:00:00.000002Z', '1999-12-31Z'];
// Few values, so that many are equal; some names differ in case, or after some hundred bytes.
const row = fc.record({
  id: fc.uuid(),
  name: nullable('a', 'A', 'á', 'b', '', 'z "quoted" \\', 'é'.repeat(300), `${'é'.repeat(299)}f`),
  year: nullable(1999, 2003),
  members: nullable(0, -1, 2_147_483_647),
  amount: nullable('0', '9007199254740993', '9007199254740992', '-5'),
  date: nullable('1999-12-31', '2024-02-29'),
  confirmed: nullable(true, false),
  rounds: fc.constantFrom(0, 1),
  created_at: fc.constantFrom(...INSTANTS),
  updated_at: fc.constantFrom(...INSTANTS),
});
type Sample = typeof row extends fc.Arbitrary<infer One> ? One : never;
const rows = (maxLength: number) =>
  fc.uniqueArray(row, { minLength: 1, maxLength, selector: ({ id }) => id });
const order = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...SORTABLE), fc.constantFrom('asc', 'desc')), {
    maxLength: 4,
    selector: ([name]) => name,
  })
  .map((keys) => keys.map((key) => key.join(' ')).join(','));
const size = fc.integer({ min: 1, max: 9 });
const numRuns = atLength(30, 2_000);

const insert = (added: readonly Sample[]) =>
  api.sql.query(
    `INSERT INTO venture.sample SELECT * FROM json_populate_recordset(NULL::venture.sample, $1)
     ON CONFLICT DO NOTHING`,
    [JSON.stringify(added)],
  );
const replaceAll = async (all: readonly Sample[]) => {
  await api.sql.query('DELETE FROM venture.sample');
  await insert(all);
};

const cursors = createCursors(['a-secret-of-this-test']);
const sources = { database: api.database, cursors, baseUrl: '' };
const asOfLarge = { ...sources, database: withTableRows(api.database, 1_000_000) };

function planOf($orderby: string, top: number, cursor?: string, $filter?: string): PagePlan {
  const plan = planCollection(
    {
      ...{ top, skip: 0, cursor, identity: $orderby, count: false },
      ...{ filterText: $filter, select: undefined, expand: undefined },
      filter: $filter === undefined ? undefined : parseFilter($filter),
      orderBy: $orderby === '' ? [] : parseOrderBy($orderby),
    },
    {
      resource: sample,
      ceiling: { plan: 'scale', topMax: 5_000 },
      today: '2020-01-01',
      cursors: cursors.pages,
    },
  );
  if (plan.kind !== 'page') throw new TypeError('This is the plan of a page.');
  return plan;
}

const idsIn = ({ body }: Answer): string[] =>
  JSON.parse(body ?? '[]').map(({ Id }: { Id: string }) => Id);

/** The ids of all pages by their cursors; `between` runs after each page. */
async function idsByPages(
  $orderby: string,
  top: number,
  between = async () => {},
  $filter?: string,
  from = sources,
) {
  const ids: string[] = [];
  let next: string | undefined;
  do {
    const answer: Answer = await readPage(planOf($orderby, top, next, $filter), from);
    expect(answer.more).toBe(answer.next !== undefined);
    ids.push(...idsIn(answer));
    next = answer.next;
    await between();
  } while (next !== undefined);
  return ids;
}

describe('following the links', () => {
  test('returns exactly the records of one unlimited page, in its order', async () => {
    await fc.assert(
      fc.asyncProperty(rows(40), order, size, async (all, $orderby, top) => {
        await replaceAll(all);
        const whole = idsIn(await readPage(planOf($orderby, 5_000), sources));
        expect(whole).toHaveLength(all.length);
        expect(await idsByPages($orderby, top)).toEqual(whole);
      }),
      { numRuns },
    );
  });

  test('returns the same records if many of them meet a filter', async () => {
    const some = ['Rounds ge 0', 'Year ne 1999', 'Amount gt 0 or Rounds eq 1'] as const;
    const filter = fc.constantFrom(...some, 'Rounds eq 1', 'Year eq 1999 and Rounds ge 0');
    await fc.assert(
      fc.asyncProperty(rows(40), order, filter, size, async (all, $orderby, $filter, top) => {
        await replaceAll(all);
        await api.sql.query('ANALYZE venture.sample');
        await api.database.statistics.refresh();
        const whole = idsIn(await readPage(planOf($orderby, 5_000, undefined, $filter), sources));
        for (const from of [sources, asOfLarge])
          expect(await idsByPages($orderby, top, undefined, $filter, from)).toEqual(whole);
      }),
      { numRuns },
    );
  });

  test('returns the same records if the statistics say that few of them meet a filter', async () => {
    await replaceAll([]);
    await api.sql.query(`INSERT INTO venture.sample (id, rounds, amount, created_at, updated_at)
      VALUES (gen_random_uuid(), 9, 9, '2020-01-01', '2020-01-01'); ANALYZE venture.sample`);
    await api.database.statistics.refresh();
    const filter = fc.constantFrom('ge 0', 'eq 1').map((is) => `Amount gt -9 and Rounds ${is}`);
    await fc.assert(
      fc.asyncProperty(rows(40), order, filter, size, async (all, $orderby, $filter, top) => {
        await replaceAll(all);
        const plan = planOf($orderby, 5_000, undefined, $filter);
        expect(accessOf(plan, api.database.statistics.of).kind).toBe('sorted');
        const whole = idsIn(await readPage(plan, sources));
        expect(await idsByPages($orderby, top, undefined, $filter)).toEqual(whole);
        const skipped = idsIn(await readPage({ ...plan, top, skip: 3 }, sources));
        expect(skipped).toEqual(whole.slice(3, 3 + top));
      }),
      { numRuns },
    );
  });

  test('returns every record that exists throughout once, while others come and go', async () => {
    const changes = fc.array(fc.tuple(rows(4), fc.nat(), fc.boolean()), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(rows(30), order, size, changes, async (all, $orderby, top, pending) => {
        await replaceAll(all);
        const [first, ...others] = all.map(({ id }) => id);
        const stay = new Set([first, ...others.filter((_, index) => index % 2 === 0)]);
        const isGoing = all.flatMap(({ id }) => (stay.has(id) ? [] : id));
        const queue = [...pending];
        const ids = await idsByPages($orderby, top, async () => {
          const [added, gone, moves] = queue.shift() ?? [[], 0, false];
          await insert(added);
          const id = isGoing[gone % Math.max(1, isGoing.length)];
          await api.sql.query(
            moves
              ? 'UPDATE venture.sample SET name = NULL, amount = 7, rounds = 2 WHERE id = $1'
              : 'DELETE FROM venture.sample WHERE id = $1',
            [id],
          );
        });
        expect(ids.filter((id) => stay.has(id)).sort()).toEqual([...stay].sort());
      }),
      { numRuns },
    );
  });
});

const STARTUPS = '/startups?$top=3&$orderby=Founded desc,Name&$filter=Founded ge 1990';
const tokenOf = async (path: string): Promise<string> => {
  const { link } = (await api.get(path)).headers;
  return new URL(String(link).slice(1).split('>')[0] ?? '').searchParams.get('$skiptoken') ?? '';
};
const token = await tokenOf(STARTUPS);

describe('$skiptoken', () => {
  test('continues after the page, with another size, other fields, and from $skip', async () => {
    const whole = await api.list(
      '/startups?$top=50&$orderby=Founded desc,Name&$filter=Founded ge 1990',
    );
    const next = await api.list(`${STARTUPS.replace('=3', '=5')}&$select=Id&$skiptoken=${token}`);
    expect(next).toEqual(whole.slice(3, 8).map(({ Id }) => ({ Id })));
    const skipped = await tokenOf(`${STARTUPS}&$skip=10`);
    expect(await api.list(`${STARTUPS}&$skiptoken=${skipped}`)).toEqual(whole.slice(13, 16));
  });

  test('continues after the longest name, though its record is renamed or deleted', async () => {
    await api.sql.query(`INSERT INTO venture.fund (id, name, founded)
      SELECT gen_random_uuid(), repeat('😀', 499) || n, 1801 FROM unnest('{a,b}'::text[]) AS n`);
    const path = '/funds?$top=1&$orderby=Name&$filter=Founded eq 1801 and InvestmentsCount ge 0';
    const next = `${path}&$skiptoken=${await tokenOf(path)}`;
    const first = "WHERE founded = 1801 AND name NOT LIKE '%😀b'";
    for (const change of ["name = 'zzz'", "name = ''", 'deleted_at = now()']) {
      await api.sql.query(`UPDATE venture.fund SET ${change} ${first}`);
      expect(await api.list(next)).toMatchObject([{ Name: expect.stringMatching(/😀b$/) }]);
    }
  });

  test('meets each of several names that differ in case, accents and width once', async () => {
    const names = ['ACME', 'acme', 'Ácme', 'ａｃｍｅ', 'Acme', 'acmé'];
    await api.sql.query(
      'INSERT INTO venture.fund (id, name, founded) SELECT gen_random_uuid(), n, 1802 FROM unnest($1::text[]) AS n',
      [names],
    );
    for (const order of ['Name', 'Name desc', 'Founded,Name']) {
      const path = `/funds?$top=1&$orderby=${order}&$filter=Founded eq 1802`;
      const found: unknown[] = [];
      for (let next = ''; found.length < names.length; ) {
        const [{ Name } = { Name: undefined }] = await api.list(`${path}${next}`);
        found.push(Name);
        if (found.length < names.length) next = `&$skiptoken=${await tokenOf(`${path}${next}`)}`;
      }
      expect([...found].sort()).toEqual([...names].sort());
    }
  });

  test.each([
    ['another filter', '/startups?$orderby=Founded desc,Name&$filter=Founded ge 1991'],
    ['another order', '/startups?$orderby=Founded,Name&$filter=Founded ge 1990'],
    ['no order', '/startups?$filter=Founded ge 1990'],
    ['another collection', '/funds?$orderby=Founded desc,Name&$filter=Founded ge 1990'],
    [
      'a dimension',
      '/categories/country/France/startups?$orderby=Founded desc,Name&$filter=Founded ge 1990',
    ],
  ])('is an error with %s', async (_, path) => {
    const reply = await api.get(`${path}&$skiptoken=${token}`);
    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toMatchObject({ code: 'bad_parameter', parameter: '$skiptoken' });
    expect(errorOf(reply).message).toMatch(/another query.*Link/s);
  });

  test('of one record does not continue the collection of another one', async () => {
    const pathOf = (name: string) => `/startups/${seedId(name)}/fundingrounds?$top=1`;
    const ofOne = await tokenOf(pathOf('startup2'));
    expect((await api.get(`${pathOf('startup2')}&$skiptoken=${ofOne}`)).status).toBe(200);
    const reply = await api.get(`${pathOf('startup4')}&$skiptoken=${ofOne}`);
    expect(errorOf(reply).message).toContain('another query');
  });

  test('is an error if it is modified, too long, or beside $skip', async () => {
    const changed = `${token.slice(0, 40)}${token[40] === 'A' ? 'B' : 'A'}${token.slice(41)}`;
    for (const invalid of [changed, `${token}A`, token.slice(1), 'x', 'A'.repeat(7_000)]) {
      const reply = await api.get(`${STARTUPS}&$skiptoken=${invalid}`);
      expect(reply.status).toBe(400);
      expect(errorOf(reply)).toMatchObject({ code: 'bad_parameter', parameter: '$skiptoken' });
    }
    const both = await api.get(`${STARTUPS}&$skip=0&$skiptoken=${token}`);
    expect(errorOf(both)).toMatchObject({ code: 'bad_parameter', parameter: '$skiptoken' });
    expect(errorOf(both).message).toContain('not both');
  });
});

test('deleted records are not among those that a page skips', async () => {
  await api.sql.query(`
    INSERT INTO venture.startup (id, name, founded)
      SELECT md5('skipped' || i)::uuid, 'Skipped ' || i, 1990 + i % 3 FROM generate_series(1, 1500) i;
    UPDATE venture.startup SET deleted_at = now()
      WHERE id IN (SELECT md5('skipped' || i)::uuid FROM generate_series(1, 1500, 7) i)`);
  for (const $orderby of ['Id', 'Id desc', 'Name', 'Founded,Name desc', 'TotalRaised,Founded']) {
    const path = `/startups?$select=Id&$orderby=${$orderby}`;
    const whole = await api.list(`${path}&$top=5000`);
    expect(await api.list(`${path}&$top=40&$skip=700`)).toEqual(whole.slice(700, 740));
  }
});

describe('a page after many records', () => {
  const ORDERS = [
    ...['Id', 'Name', 'Name desc', 'Amount', 'Amount desc', 'Rounds desc'],
    ...['Amount,Name', 'Rounds desc,Name'],
  ];

  /** The blocks that the statement of a page reads. */
  async function blocksOf(plan: PagePlan): Promise<number> {
    const { text, values } = compilePage(plan, '');
    const { rows } = await api.sql.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, [
      ...values,
    ]);
    const { Plan } = rows[0]['QUERY PLAN'][0];
    return Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'];
  }

  beforeAll(async () => {
    await api.sql.query(`TRUNCATE venture.sample;
      INSERT INTO venture.sample
        SELECT md5('a' || i)::uuid, CASE WHEN i % 3 > 0 THEN 'Name ' || i END, 2000, i, 
          CASE WHEN i % 3 > 0 THEN i / 4 END, NULL, NULL, i % 500, '2020-01-01', '2020-01-01'
        FROM generate_series(1, 30000) i`);
    await makeVisible(api.sql, 'venture.sample');
  });

  test.each(ORDERS)(
    'by %s and $skip has the records of the pages before it left out',
    async ($orderby) => {
      const ids = await idsByPages($orderby, 5_000);
      for (const skip of [501, 9_990, 20_000, 29_999, 30_000, 40_000]) {
        const { body, more } = await readPage({ ...planOf($orderby, 25), skip }, sources);
        expect(idsIn({ body, more, records: 0 })).toEqual(ids.slice(skip, skip + 25));
        expect(more).toBe(skip + 25 < ids.length);
      }
    },
  );

  test.each(['Id', 'Id desc', 'Name', 'Amount desc', 'Rounds'])(
    'by %s and $skip reads an index of the records before it, not these records',
    async ($orderby) => {
      const first = await blocksOf(planOf($orderby, 25));
      const skipped = await blocksOf({ ...planOf($orderby, 25), skip: 15_000 });
      const { rows } = await api.sql.query(
        `SELECT pg_relation_size('venture.sample') / 8192 AS blocks`,
      );
      expect(skipped).toBeLessThan(first + rows[0].blocks / 2);
    },
  );

  test('costs what the first page costs', async () => {
    for (const $orderby of ORDERS) {
      const first = await blocksOf(planOf($orderby, 25));
      for (const skip of [5_000, 15_000, 29_000]) {
        const { next } = await readPage({ ...planOf($orderby, 1), skip }, sources);
        const blocks = await blocksOf(planOf($orderby, 25, next));
        const page = { $orderby, skip, first, blocks };
        expect({ ...page, isBounded: blocks < 3 * first + 60 }).toEqual({
          ...page,
          isBounded: true,
        });
      }
    }
  });
});

/** How pages find their records: by which index, and how many rows they read. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { bindFilter, bindOrderBy, parseFilter, parseOrderBy } from '@vcds/odata-query';
import { closedAfterAll } from '@vcds/test-kit';
import { compileCount } from '../../src/collections/count.ts';
import { accessOf } from '../../src/collections/order-scan.ts';
import type { PagePlan } from '../../src/collections/plan.ts';
import { compileOrderScan, compileScannedBoundary } from '../../src/collections/scan-sql.ts';
import { selectivityOf } from '../../src/collections/selectivity.ts';
import { compileBoundary, compilePage } from '../../src/collections/sql.ts';
import { resources } from '../../src/resources/index.ts';
import { FIRST_PAGE, openManyCompanies } from '../categories/support/many-companies.ts';
import type { Query } from '../support/api.ts';
import { executed, planned } from '../support/executed.ts';

const api = await closedAfterAll(openManyCompanies());

test.each(['startup', 'fund', 'person'] as const)(
  'of %s, equal names are found by index, in pages and counts',
  async (name) => {
    const resource = resources[name];
    for (const text of ["Name eq 'Person 7'", "Name in ('Fund 7','Startup 7')"]) {
      const filter = bindFilter(parseFilter(text), resource.fields);
      const shape = { ...FIRST_PAGE, resource, parent: undefined, filter };
      const page = compilePage({ ...shape, kind: 'page', orderBy: [] }, '');
      const count = compileCount({ ...shape, kind: 'count' });
      for (const statement of [page, count]) {
        const { buffers, nodes } = await executed(api.sql, statement, 'custom');
        expect({ nodes, isShort: buffers < 50 }).toEqual({ nodes, isShort: true });
      }
    }
  },
);

test.each([
  ['Founded ge 2000', 10 / 60],
  ['Founded gt 1959 and MembersCount le 30', (50 / 60) * (30 / 60)],
  ['Founded in (1950,1951)', 2 / 60],
  ['not (Founded in (1950,1951))', 58 / 60],
  ["Tag eq 'Common'", 1],
  ["Tag eq 'None' or Founded ge 1980", 30 / 60],
  ['TotalRaised eq null', 1],
  ['CreatedTimeStamp ge 2020-01-01', 1],
  ['CreatedTimeStamp eq 2025-03-04T05:06:07.500Z', 1 / 2],
  ['CreatedTimeStamp in (2025-03-04T05:06:07.5Z,2025-03-04T05:06:08Z)', 1],
  ['CreatedTimeStamp lt 2020-01-01T12:00:00Z', 0],
  ["Name like 'x%'", undefined],
  ["Founded ge 2000 and Keywords eq 'x'", undefined],
])('the estimated share of startups with %s is %d', (filter, share) => {
  const { table, fields } = resources.startup;
  const bound = bindFilter(parseFilter(filter), fields, { source: filter, today: '2026-01-01' });
  const estimated = selectivityOf(bound, table, api.database.statistics.of);
  if (share === undefined) expect(estimated).toBeUndefined();
  else expect(estimated).toBeCloseTo(share, 1);
});

function startupsBy($orderby: string, $filter: string, top = 25): PagePlan {
  const resource = resources.startup;
  return {
    ...{ ...FIRST_PAGE, top, kind: 'page', resource, parent: undefined },
    filter: bindFilter(parseFilter($filter), resource.fields),
    orderBy: bindOrderBy(parseOrderBy($orderby), resource.fields),
  };
}

// Of the second filter, the records are the last ones of the order.
test.each([
  ['Founded ge 1960', 'MembersCount desc', true],
  ['Founded ge 2000', 'MembersCount', false],
])(
  'a page of %s by %s reads a bounded number of rows in order',
  async ($filter, $orderby, isFull) => {
    const page = startupsBy($orderby, $filter, 1);
    const scanOf = accessOf(page, api.database.statistics.of).scan;
    if (scanOf === undefined) throw new Error('The order is not scanned.');
    const scan = compileOrderScan(page, '', scanOf);
    const { buffers, nodes } = await executed(api.sql, scan, scan.plan);
    expect(nodes).toContain('Index Scan startup_members_count');
    expect(buffers).toBeLessThan(2 * scanOf.rowsMax);
    expect((await api.sql.query(scan.text, [...scan.values])).rows[0].more).toBe(isFull);
    const fields = [...page.resource.fields.values()].filter(({ name }) => name === 'Id');
    const called = await api.get('/startups', { $filter, $orderby, $top: '1', $select: 'Id' });
    const { text, values } = compilePage({ ...page, fields }, '');
    const [row] = (await api.sql.query(text, [...values])).rows;
    expect(called.body).toEqual(JSON.parse(row.body));
  },
);

test.each(['Name', 'Name desc,Founded'])(
  'of conditions that exclude each other, a page by %s reads the records that meet one',
  async ($orderby) => {
    const page = startupsBy($orderby, 'Founded lt 1955 and MembersCount gt 55');
    const access = accessOf(page, api.database.statistics.of);
    expect(access).toMatchObject({ scan: undefined, isSorted: true });
    const { buffers, nodes } = await executed(api.sql, compilePage(page, '', [], access), 'custom');
    const { buffers: scanned } = await executed(
      api.sql,
      compileOrderScan(page, '', { rowsMax: 10_000, within: [] }),
      'generic',
    );
    expect(nodes).not.toContain('Index Scan startup_name');
    expect(buffers).toBeLessThan(scanned / 5);
  },
);

test.each(['Id', 'Id desc', 'Id desc, Name'])(
  'a page by %s reads the primary key',
  async (order) => {
    const resource = resources.startup;
    const orderBy = bindOrderBy(parseOrderBy(order), resource.fields);
    const page = { kind: 'page', resource, parent: undefined, filter: undefined, orderBy } as const;
    const statement = compilePage({ ...FIRST_PAGE, ...page }, '');
    expect((await planned(api.sql, statement)).used).toEqual(['startup_pkey']);
  },
);

test.each(['TotalRaised, Name', 'TotalRaised desc, MembersCount, Name desc'])(
  'a page by %s does not sort all records that share the value of the first key',
  async (order) => {
    const resource = resources.startup;
    const orderBy = bindOrderBy(parseOrderBy(order), resource.fields);
    const page = { kind: 'page', resource, parent: undefined, filter: undefined, orderBy } as const;
    const plan = { ...page, ...FIRST_PAGE };
    const boundaries: (string | null)[] = [];
    for (;;) {
      const lookUp = compileBoundary(plan, boundaries);
      if (lookUp === undefined) break;
      const { rows } = await api.sql.query(lookUp.text, [...lookUp.values]);
      boundaries.push(rows[0].value);
    }
    const [split, sorted] = [compilePage(plan, '', boundaries), compilePage(plan, '')];
    const { buffers } = await executed(api.sql, split, split.plan);
    const { buffers: all } = await executed(api.sql, sorted, 'custom');
    expect(buffers).toBeLessThan(all / 3);
  },
);

test.each([
  ['MembersCount ge 30', '2009'],
  ['MembersCount lt 30', undefined],
])('of %s, the scan by Founded finds the boundary %s', async ($filter, value) => {
  const plan = startupsBy('Founded desc,Name', $filter);
  const { text, values } = compileScannedBoundary(plan, { rowsMax: 500, within: [] });
  const { rows } = await api.sql.query(text, [...values]);
  expect(rows).toEqual(value === undefined ? [] : [{ value }]);
});

describe('a pattern with a beginning, by the field itself', () => {
  test.each(['Name', 'Name desc'])('by %s reads that part of the order', async ($orderby) => {
    // A name with another place in the order than its folded form, but with the same beginning.
    await api.sql.query(`INSERT INTO venture.startup (name) VALUES ('Startup 30–5')`);
    const page = startupsBy($orderby, "Name like 'startup 30%'");
    const { scan } = accessOf(page, api.database.statistics.of);
    if (scan === undefined) throw new Error('The order is not scanned.');
    const statement = compileOrderScan(page, '', scan);
    expect((await api.sql.query(statement.text, [...statement.values])).rows[0].more).toBe(true);
    const { buffers, nodes } = await executed(api.sql, statement, statement.plan);
    expect({ nodes, isShort: buffers < 150 }).toEqual({ nodes, isShort: true });
  });

  // Folding and the order treat some of these characters differently.
  const NAMES = [
    ...['©ite', '(c)ite', '(c)', 'Moody’s', "moody's", 'Moody–x', 'moody-y', 'Straße', 'strasse 2'],
    ...[
      'Ærø',
      'aero',
      'Łódź',
      'lodz',
      '№ 1',
      'no 1',
      '½x',
      ' 1/2y',
      'ﬁsh',
      'Fish',
      'ｆｕｌｌ',
      'full',
    ],
    ...['Éclair', 'e\u0301clair', 'eclair', 'l·l', 'll', 'Đon', 'don', 'ŉa', "'na", 'ĳs', 'ijs'],
    ...[
      'İstanbul',
      'istanbul',
      'ıx',
      '“Quote',
      '"quote',
      '…x',
      '...y',
      '™a',
      'tma',
      'a\u200bb',
      'ab',
    ],
    // Folding makes 4 to 18 characters of each.
    String.fromCodePoint(
      ...[0x3300, 0x3371, 0xfbea].flatMap((first) =>
        Array.from({ length: 80 }, (_, i) => first + i),
      ),
    ),
    ...['тест', 'เก', 'ก', '中文', 'a\tb', 'a b', 'z', 'ž', 'z\uFFFF', 'zz', '🦄', '¼', '1/4'],
  ];
  const PREFIXES = [
    ...[
      'c',
      '(',
      '(c',
      'moody',
      "moody'",
      'moody-',
      'stras',
      'a',
      'ae',
      'l',
      'll',
      'no',
      '1',
      ' 1',
      'f',
    ],
    ...[
      'fi',
      'fu',
      'e',
      'ec',
      'd',
      "'",
      'i',
      'is',
      '"',
      '.',
      '..',
      't',
      'tm',
      'z',
      'zz',
      'เ',
      'т',
      '1/',
    ],
  ];

  /** The records of all pages. */
  async function byLinks(query: Query): Promise<unknown[]> {
    const records: unknown[] = [];
    for (let token: Query = {}; ; ) {
      const { body, headers } = await api.get('/startups', { ...query, ...token });
      records.push(...(body as unknown[]));
      const [link] = String(headers.link ?? '').match(/(?<=<)[^>]*(?=>; rel="next")/u) ?? [];
      if (link === undefined) return records;
      token = { $skiptoken: new URL(link).searchParams.get('$skiptoken') ?? '' };
    }
  }

  beforeAll(() =>
    api.sql.query(
      `INSERT INTO venture.startup (name) SELECT unnest($1::text[]) || n FROM generate_series(1, 2) AS n`,
      [NAMES],
    ),
  );

  test.each(['Name', 'Name desc'])('by %s has every match in its place', async ($orderby) => {
    const direction = $orderby === 'Name' ? 'ASC NULLS FIRST' : 'DESC NULLS LAST';
    for (const prefix of PREFIXES) {
      const { rows } = await api.sql.query(
        `SELECT id AS "Id" FROM venture.startup
         WHERE deleted_at IS NULL AND starts_with(name_folded, venture.fold($1))
         ORDER BY name COLLATE venture.text_order ${direction}, id ${direction.slice(0, 4)}`,
        [prefix],
      );
      const query = { $filter: `Name like '${prefix.replaceAll("'", "''")}%'`, $orderby };
      for (const top of [1, 3, 500]) {
        const pages = await api.list('/startups', { ...query, $select: 'Id', $top: String(top) });
        expect([prefix, top, pages]).toEqual([prefix, top, rows.slice(0, top)]);
      }
      const skipped = await api.list('/startups', {
        ...query,
        $select: 'Id',
        $top: '2',
        $skip: '1',
      });
      expect([prefix, skipped]).toEqual([prefix, rows.slice(1, 3)]);
      expect([prefix, await byLinks({ ...query, $select: 'Id', $top: '2' })]).toEqual([
        prefix,
        rows,
      ]);
    }
  });
});

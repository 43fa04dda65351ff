// Tests docs/spec/resources.md 4.2.
// Tests docs/spec/query-language.md 5.9.
// Tests docs/spec/collections.md 6.1, 6.2, 6.4, 6.5, 6.6.
import { afterAll, describe, expect, test } from '@jest/globals';
import { createClient } from '@vcds/client';
import { atLength, closedAfterAll } from '@vcds/test-kit';
import type { Row } from '../../../../packages/odata-query/test/reference-evaluator.ts';
import type { ResourceField } from '../../src/resources/index.ts';
import { errorOf, openApi, type Query } from '../support/api.ts';
import { COLLECTIONS, fieldsToTry, pathOf } from '../support/collections.ts';
import { collator, compareCells } from './compare-cells.ts';

const api = await closedAfterAll(openApi());
const client = createClient({ apiKey: 'unchecked', baseUrl: api.url });

const PAGE = 7;
/** Pages of the seed's larger collections, and pages of {@link PAGE} rows in a soak. */
const PAGES = atLength(2, 1_000);
/** The directions of each field in which all pages are read. */
const DIRECTIONS = (['desc', 'asc'] as const).slice(0, atLength(1, 2));

describe.each(COLLECTIONS)('$path', (collection) => {
  const { resource } = collection;
  const fields = fieldsToTry(collection);
  const path = pathOf(collection) as '/startups';
  const lists = new Map<string, Promise<Row[]>>();
  /** The whole collection in an order; without one in its own. */
  const listBy = ($orderby = ''): Promise<Row[]> => {
    const known = lists.get($orderby);
    if (known !== undefined) return known;
    const order = $orderby === '' ? {} : { $orderby };
    const list = api.list(path, { ...order, $top: '5000' }) as Promise<Row[]>;
    lists.set($orderby, list);
    return list;
  };

  test.each(fields.filter((field) => field.sortable))(
    'sorts by $name, nulls first',
    async (field) => {
      for (const direction of ['asc', 'desc'] as const) {
        const rows = await listBy(`${field.name} ${direction}`);
        assertOrdered(rows, field, direction === 'asc' ? 1 : -1, resource.fields.has('Id'));
        expect(rows.length).toBeGreaterThan(2);
      }
    },
  );

  const unsortable = [...resource.fields.values()].filter((field) => !field.sortable);
  test.each(unsortable)('rejects a sort by $name', async (field) => {
    const reply = await api.get(path, { $orderby: `${field.name} desc` });
    expect(reply.status).toBe(400);
    const code =
      field.selectable === false && !field.filterable ? 'unknown_field' : 'field_not_filterable';
    expect(errorOf(reply)).toMatchObject({ code, field: field.name });
    expect(errorOf(reply).message).toMatch(/sort/i);
  });

  test('pages have every row once, with ties and in every order', async () => {
    const names = fields.filter((field) => field.sortable).map((field) => field.name);
    const keys = names.flatMap((name) => DIRECTIONS.map((direction) => `${name} ${direction}`));
    for (const $orderby of [undefined, ...keys]) {
      const whole = await listBy($orderby);
      const $top = Math.max(PAGE, Math.ceil(whole.length / PAGES));
      const order = $orderby === undefined ? {} : { $orderby };
      expect(await client.list(path, { ...order, $top }).toArray()).toEqual(whole);
    }
  });

  test('pages by several keys are parts of the whole list in that order', async () => {
    const names = fields.filter((field) => field.sortable).map((field) => field.name);
    const orders = names.flatMap((_, index) => {
      const keys = [...names.slice(index), ...names.slice(0, index)].slice(0, 3);
      const [first, second, ...third] = keys.map(
        (name, place) => `${name}${place < 2 ? '' : ' desc'}`,
      );
      return [`${first}, ${second} desc`, [`${first} desc`, second, ...third].join()];
    });
    for (const $orderby of orders) {
      // A list that is not full is read without boundaries.
      const whole = await listBy($orderby);
      for (const skip of [0, PAGE, Math.floor(whole.length / 2)]) {
        const query = { $orderby, $top: String(PAGE), $skip: String(skip) };
        const page = await api.list(path, query);
        expect([$orderby, page]).toEqual([$orderby, whole.slice(skip, skip + PAGE)]);
      }
    }
  });

  test('a page links to the next one, without the credential', async () => {
    const { link } = (await api.get(`${path}?$top=1&token=secret`)).headers;
    const next = `<http://data.example/v2${path}?$top=1&$skiptoken=`;
    expect(link?.startsWith(next)).toBe(true);
    expect(link?.slice(next.length)).toMatch(/^[\w-]{50,200}>; rel="next"$/);
  });

  test('$count replaces the list, with any page parameters', async () => {
    const whole = await listBy();
    const reply = await api.get(path, { $count: 'true', $top: '3', $skip: '2' });
    expect(reply.text).toBe(`{"count":${whole.length}}`);
    expect(reply.headers.link).toBeUndefined();
    expect(await api.list(path, { $count: 'false', $top: '5000' })).toEqual(whole);
  });
});

describe('$skip beyond the middle of a list', () => {
  // Startups with equal names and without a year.
  const SEED = `INSERT INTO venture.startup (id, name, founded, addresses)
    SELECT md5('far' || i)::uuid, 'Name ' || i % 50, nullif(1990 + i % 20, 1990),
      CASE WHEN i % 4 > 0 THEN '[{"Country": "France"}]'::jsonb ELSE '[]' END
    FROM generate_series(1, 1400) i`;
  const idOf = (n: number) => `md5('far${n}')::uuid`;
  const CHANGES = [
    'SELECT 1',
    `UPDATE venture.startup SET deleted_at = now() WHERE id IN (${[3, 5, 8, 900].map(idOf)})`,
    `UPDATE venture.startup SET founded = 1980, addresses = '[]' WHERE id IN (${[9, 10, 11].map(idOf)})`,
    `INSERT INTO venture.startup (name, addresses) VALUES ('Name 7', '[{"Country": "France"}]'), ('A', '[]')`,
    `UPDATE venture.startup SET deleted_at = NULL WHERE id = ${idOf(5)}`,
  ];
  const LISTS = [
    {},
    { $orderby: 'Id desc' },
    { $orderby: 'Name' },
    { $orderby: 'Name desc', $filter: "Country eq 'France'" },
    { $orderby: 'Founded', $filter: "not Country eq 'Chile'" },
    { $orderby: 'Founded desc' },
    { $orderby: 'Name', $filter: 'Founded ge 1995' },
  ];
  /** Of pages before and after the middle, at the end and beyond it. */
  const skipsOf = (length: number) =>
    [501, 0.51, 0.8]
      .map((part) => (part > 1 ? part : Math.floor(part * length)))
      .concat([-7, -1, 0, 5].map((n) => length + n));

  const far = openApi({ seed: SEED });
  afterAll(async () => (await far).close());

  test('pages are slices of the list, also after changes', async () => {
    const { list, sql } = await far;
    for (const change of CHANGES) {
      await sql.query(change);
      for (const query of LISTS) {
        const parts = { ...query, $select: 'Id' };
        const whole = await list('/startups', { ...parts, $top: '5000' });
        for (const skip of skipsOf(whole.length)) {
          const page = await list('/startups', { ...parts, $top: '7', $skip: String(skip) });
          expect({ query, skip, page }).toEqual({ query, skip, page: whole.slice(skip, skip + 7) });
        }
      }
    }
  });

  test('a page has the records of one moment while they change', async () => {
    const { list, sql } = await far;
    const ids = (query: Query) => list('/startups', { $select: 'Id', $orderby: 'Name', ...query });
    const whole = await ids({ $top: '5000' });
    const states = [whole.slice(1_000, 1_007), whole.slice(1_001, 1_008)];
    const { Id } = whole[0] as { Id: string };
    let isDone = false;
    const write = async () => {
      for (let n = 0; n < 60; n += 1) {
        const at = n % 2 === 0 ? 'now()' : 'NULL';
        await sql.query(`UPDATE venture.startup SET deleted_at = ${at} WHERE id = $1`, [Id]);
      }
      isDone = true;
    };
    const read = async () => {
      while (!isDone) expect(states).toContainEqual(await ids({ $top: '7', $skip: '1000' }));
    };
    await Promise.all([write(), read()]);
  });
});

test('several keys sort by the first, then by the second', async () => {
  const rows = (await api.list('/startups', {
    $orderby: 'Founded desc, Name',
    $top: '5000',
  })) as Row[];
  const founded = rows.map((row) => row.Founded ?? null);
  expect(founded).toEqual([...founded].sort((a, b) => Number(b ?? -1) - Number(a ?? -1)));
  const names = rows.filter((row) => row.Founded === 2003).map((row) => String(row.Name));
  expect(names).toEqual([...names].sort(collator.compare));
});

function assertOrdered(
  rows: readonly Row[],
  field: ResourceField,
  sign: number,
  hasId: boolean,
): void {
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1];
    if (before === undefined) continue;
    const order = compareCells(field, before[field.name], row[field.name]) * sign;
    expect(order).toBeLessThanOrEqual(0);
    // The id ends every order, in the direction of the last key.
    if (order === 0 && hasId) expect(String(before.Id) < String(row.Id)).toBe(sign === 1);
  }
}

import { describe, expect, test } from '@jest/globals';
import { atLength, closedAfterAll } from '@vcds/test-kit';
import type { Cell, Row } from '../../../../packages/odata-query/test/reference-evaluator.ts';
import type { ResourceField } from '../../src/resources/index.ts';
import { errorOf, openApi, type Reply } from '../support/api.ts';
import { COLLECTIONS, type Collection, pathOf } from '../support/collections.ts';

const api = await closedAfterAll(openApi());

// Ignores case and accents, as the collation of the database.
const collator = new Intl.Collator('und', { sensitivity: 'base' });
const PAGE = 7;
/** Pages of the seed's larger collections, and pages of {@link PAGE} rows in a soak. */
const PAGES = atLength(4, 1_000);

describe.each(COLLECTIONS)('$path', (collection) => {
  const { resource } = collection;
  const fields = [...resource.fields.values()];
  const path = pathOf(collection);

  test.each(fields.filter((field) => field.sortable))(
    'sorts by $name, nulls first',
    async (field) => {
      for (const direction of ['asc', 'desc'] as const) {
        const $orderby = `${field.name} ${direction}`;
        const rows = (await api.list(path, { $orderby, $top: '5000' })) as Row[];
        assertOrdered(rows, field, direction === 'asc' ? 1 : -1, resource.fields.has('Id'));
        expect(rows.length).toBeGreaterThan(2);
      }
    },
  );

  test.each(fields.filter((field) => !field.sortable))('rejects a sort by $name', async (field) => {
    const reply = await api.get(path, { $orderby: `${field.name} desc` });
    expect(reply.status).toBe(400);
    const code =
      field.selectable === false && !field.filterable ? 'unknown_field' : 'field_not_filterable';
    expect(errorOf(reply)).toMatchObject({ code, field: field.name });
    expect(errorOf(reply).message).toMatch(/sort/i);
  });

  test('pages have every row once, with ties and in every order', async () => {
    const orders = [
      undefined,
      ...fields.filter((field) => field.sortable).map((field) => field.name),
    ];
    for (const order of orders) {
      for (const way of order === undefined ? [''] : [' asc', ' desc']) {
        const $orderby = order === undefined ? {} : { $orderby: `${order}${way}` };
        const whole = await api.list(path, { ...$orderby, $top: '5000' });
        const size = Math.max(PAGE, Math.ceil(whole.length / PAGES));
        expect(await pagesOf(collection, $orderby, size)).toEqual(whole);
      }
    }
  });

  test('links to the next page, and from the last page to none', async () => {
    const whole = await api.list(path, { $top: '5000' });
    const all: unknown[] = [];
    let next: string | undefined = `${path}?$top=${PAGE}&token=secret`;
    while (next !== undefined) {
      const reply: Reply = await api.get(...target(next));
      expect(reply.headers.link ?? '').not.toContain('token');
      all.push(...(reply.body as unknown[]));
      next = /^<http:\/\/data\.example\/v2([^>]+)>; rel="next"$/.exec(
        reply.headers.link ?? '',
      )?.[1];
    }
    expect(all).toEqual(whole);
  });

  test('$count replaces the list, with any page parameters', async () => {
    const whole = await api.list(path, { $top: '5000' });
    const reply = await api.get(path, { $count: 'true', $top: '3', $skip: '2' });
    expect(reply.text).toBe(`{"count":${whole.length}}`);
    expect(reply.headers.link).toBeUndefined();
    expect(await api.list(path, { $count: 'false', $top: '5000' })).toEqual(whole);
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

async function pagesOf(
  collection: Collection,
  query: Record<string, string>,
  size: number,
): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let skip = 0; ; skip += size) {
    const page = await api.list(pathOf(collection), {
      ...query,
      $top: `${size}`,
      $skip: `${skip}`,
    });
    all.push(...page);
    if (page.length < size) return all;
  }
}

function target(link: string): [string, Record<string, string>] {
  const [path = '', query = ''] = link.split('?');
  return [path, Object.fromEntries(new URLSearchParams(query))];
}

function assertOrdered(
  rows: readonly Row[],
  field: ResourceField,
  sign: number,
  hasId: boolean,
): void {
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1];
    if (before === undefined) continue;
    const order = compare(before[field.name] ?? null, row[field.name] ?? null, field) * sign;
    expect(order).toBeLessThanOrEqual(0);
    // The id ends every order, in the direction of the last key.
    if (order === 0 && hasId) expect(String(before.Id) < String(row.Id)).toBe(sign === 1);
  }
}

function compare(a: Cell, b: Cell, field: ResourceField): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  if (field.type === 'text') return collator.compare(String(a), String(b));
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

import { describe, expect, test } from '@jest/globals';
import { createClient, filter } from '@vcds/client';
import { KEY } from './fake-fetch.ts';

const LINK_LENGTH_MAX = 4_096;

/** A client of a collection that pages as docs/spec/collections.md 6.5, and the calls it made. */
function clientOf(total: number, cursorLength = 100) {
  const records = Array.from({ length: total }, (_, Id) => ({ Id }));
  const calls: URLSearchParams[] = [];
  const client = createClient({
    apiKey: KEY,
    baseUrl: 'https://api.example/v2',
    fetch: async (url) => {
      const { origin, pathname, searchParams } = new URL(String(url));
      calls.push(searchParams);
      if (searchParams.has('$skip') && searchParams.has('$skiptoken')) throw new Error('both');
      const [, position] = (searchParams.get('$skiptoken') ?? '').split('.');
      const from = Number(position ?? searchParams.get('$skip') ?? 0);
      const end = from + Number(searchParams.get('$top') ?? 25);
      const query = new Map([...searchParams].filter(([name]) => name !== '$skip'));
      query.set('$skiptoken', `${'c'.repeat(cursorLength)}.${end}`);
      const pairs = [...query].map((pair) => pair.map(encoded).join('='));
      const link = `<${origin}${pathname}?${pairs.join('&')}>; rel="next"`;
      const next: Record<string, string> =
        link.length <= LINK_LENGTH_MAX ? { Link: link } : { 'X-Link-Omitted': 'next' };
      return new Response(JSON.stringify(records.slice(from, end)), {
        headers: end < total ? next : {},
      });
    },
  });
  return { client, calls };
}

// As the service encodes a link.
const encoded = (text: string) => encodeURIComponent(text).replaceAll('%2C', ',');

const ids = (count: number) =>
  Array.from(
    { length: count },
    (_, id) => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  );

const blanks = Array.from(
  { length: 60 },
  (_, year) => `${' '.repeat(22)}Founded eq ${1950 + year}`,
);

describe('a list has every record once', () => {
  test.each<[string, object, number, number]>([
    ['a long query whose last page is full', { filter: filter`Id in ${ids(75)}` }, 75, 100],
    [
      'a query that is too long for a link only with blanks',
      { filter: blanks.join(' or\n') },
      170,
      100,
    ],
    ['a cursor of long names', { filter: filter`Tag in ${ids(40)}`, orderby: 'Name' }, 60, 2_700],
    [
      'a query that is too long for any link',
      { filter: filter`Id in ${ids(200)}`, top: 7 },
      21,
      100,
    ],
    ['an own start', { filter: filter`Id in ${ids(200)}`, skip: 11, top: 7 }, 40, 100],
  ])('of %s', async (_, options, total, cursorLength) => {
    const { skip = 0, top = 25 } = options as { skip?: number; top?: number };
    const { client, calls } = clientOf(total, cursorLength);
    const rows = await client.startups.list({ ...options, max: 1_000 }).toArray();
    const expected = Array.from({ length: total - skip }, (_, index) => skip + index);
    expect(rows.map(({ Id }) => Id)).toEqual(expected);
    expect(calls).toHaveLength(Math.ceil((total - skip) / top));
  });
});

test('a list by several fields ends without another request', async () => {
  const { client, calls } = clientOf(50);
  const orderby = ['Founded desc', 'TotalRaised', 'Name'] as const;
  expect(await client.startups.list({ orderby }).toArray()).toHaveLength(50);
  expect(calls).toHaveLength(2);
});

test('a list from a cursor of the caller ends with an error where its position is unknown', async () => {
  const $skiptoken = 'c.25';
  const list = (count: number, total: number) =>
    clientOf(total)
      .client.list('/startups', { $filter: filter`Id in ${ids(count)}`, $skiptoken })
      .toArray();
  await expect(list(200, 75)).rejects.toMatchObject({ code: 'unknown_position', retryable: false });
  expect(await list(200, 50)).toHaveLength(25);
  expect(await list(2, 75)).toHaveLength(50);
});

test('a list that has all records it wants does not need the position of the next ones', async () => {
  const { client, calls } = clientOf(75);
  const parameters = { $filter: filter`Id in ${ids(200)}`, $skiptoken: 'c.25' };
  const list = client.list('/startups', parameters, { max: 25 });
  expect(await list.toArray()).toHaveLength(25);
  expect(calls).toHaveLength(1);
});

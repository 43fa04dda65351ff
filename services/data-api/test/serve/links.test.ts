// Tests docs/spec/authentication.md 2.1.
// Tests docs/spec/collections.md 6.5.
// Tests docs/spec/errors.md 11.8.
import { describe, expect, test } from '@jest/globals';
import { ApiError } from '@vcds/service-kit';
import { asError } from '../../src/serve/errors.ts';
import { nextLink } from '../../src/serve/next-link.ts';

function headersFor(filter: string): Readonly<Record<string, string>> {
  return nextLink('https://api.example.com/v2', '/startups', new Map([['$filter', filter]]), {
    parameter: '$skiptoken',
    cursor: 'AbC',
  });
}
const linkOf = (filter: string) => headersFor(filter).Link;
const OMITTED = { 'X-Link-Omitted': 'next' };

describe('Link to the next page', () => {
  test('repeats the query and never exceeds 4 KiB', () => {
    const emptyLength = linkOf('')?.length ?? 0;
    const longest = 'a'.repeat(4_096 - emptyLength);
    expect(linkOf(longest)).toHaveLength(4_096);
    expect(linkOf(longest)).toContain(`$filter=${longest}&$skiptoken=AbC>; rel="next"`);
    expect(headersFor(`${longest}a`)).toEqual(OMITTED);
  });

  test('counts the percent-encoded bytes', () => {
    expect(linkOf('é'.repeat(300))).toBeDefined();
    expect(headersFor('é'.repeat(700))).toEqual(OMITTED);
  });
});

function seeOf(see: string, value: string): URL {
  const error = asError(new ApiError('not_found', 'No.', { value, see }), 'http://data.example/v2');
  if (!(error instanceof ApiError)) throw new Error('not an ApiError');
  return new URL(error.details.see ?? '');
}

test.each(['Johnson & Sons', 'a=b', 'Who? Us', '$& x', '100% "Milk"', 'a+b', '#1 Söhne'])(
  'see searches for the whole of %j',
  (value) => {
    const see = seeOf('/startups/search?q={value}', value);
    expect(see.pathname).toBe('/v2/startups/search');
    expect([...see.searchParams]).toEqual([['q', value]]);
  },
);

test('a name in a filter keeps its quotes', () => {
  const see = seeOf("/persons?$filter=Name like '{value}'", "O'Neil & Co");
  expect([...see.searchParams]).toEqual([['$filter', "Name like 'O''Neil & Co'"]]);
});

test('without a name or word to search for, see is the collection', () => {
  expect(seeOf('/startups/search?q={value}', ' - ').href).toBe('http://data.example/v2/startups');
});

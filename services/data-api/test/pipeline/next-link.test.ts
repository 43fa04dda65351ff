import { describe, expect, test } from '@jest/globals';
import { nextLink } from '../../src/pipeline/next-link.ts';

function linkOf(filter: string): string | undefined {
  return nextLink('https://api.example.com/v2', '/startups', new Map([['$filter', filter]]), 25);
}

describe('Link to the next page', () => {
  test('repeats the query and never exceeds 4 KiB', () => {
    const emptyLength = linkOf('')?.length ?? 0;
    const longest = 'a'.repeat(4_096 - emptyLength);
    expect(linkOf(longest)).toHaveLength(4_096);
    expect(linkOf(longest)).toContain(`$filter=${longest}&$skip=25>; rel="next"`);
    expect(linkOf(`${longest}a`)).toBeUndefined();
  });

  test('counts the percent-encoded bytes', () => {
    expect(linkOf('é'.repeat(300))).toBeDefined();
    expect(linkOf('é'.repeat(700))).toBeUndefined();
  });
});

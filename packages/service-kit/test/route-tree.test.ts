import { describe, expect, test } from '@jest/globals';
import { runs } from '@vcds/test-kit';
import express, { type Request } from 'express';
import fc from 'fast-check';
import { routeTree } from '../src/route-tree.ts';

const PATTERNS = [
  '/',
  '/v2',
  '/v2/a',
  '/v2/a/b',
  '/v2/:x',
  '/v2/:x/b',
  '/v2/:x/:y/c',
  '/v2/a/:y/c',
  '/v2/:x/:y/:z',
  '/docs',
  '/docs/*rest',
] as const;

/** The match of Express with the same patterns, in the order of precedence. */
function matchedByExpress(path: string): unknown {
  const router = express.Router({ caseSensitive: true });
  let found: unknown;
  const ordered = ['/', '/v2', '/v2/a', '/v2/a/b', '/v2/a/:y/c', '/v2/:x', '/v2/:x/b'];
  for (const pattern of [...ordered, ...PATTERNS.filter((each) => !ordered.includes(each))]) {
    router.all(pattern, ({ params: { rest: _, ...params } }) => {
      found = { value: pattern, parameters: { ...params } };
    });
  }
  router({ url: path, method: 'GET' } as Request, {} as express.Response, (error) => {
    found = error;
  });
  return found;
}

describe('a tree of routes', () => {
  const find = routeTree(new Map(PATTERNS.map((pattern) => [pattern, pattern])));
  const matched = (path: string): unknown => {
    const match = find(path);
    return match && { ...match, parameters: { ...match.parameters } };
  };

  test('rejects a parameter with invalid percent-encoding', () => {
    expect(() => find('/v2/%zz')).toThrow(URIError);
  });

  test.each([
    ['/', '/', {}],
    ['//', '/', {}],
    ['/v2/a', '/v2/a', {}],
    ['/v2/a/', '/v2/a', {}],
    ['/v2/b%2Fc', '/v2/:x', { x: 'b/c' }],
    ['/v2/a/q/c', '/v2/a/:y/c', { y: 'q' }],
    // Back from the literal segment, below which nothing matches.
    ['/v2/a/q/d', '/v2/:x/:y/:z', { x: 'a', y: 'q', z: 'd' }],
    ['/docs/a/b.html', '/docs/*rest', {}],
  ])('finds %s', (path, value, parameters) => {
    expect(matched(path)).toEqual({ value, parameters });
  });

  test.each(['/V2/a', '/v2//', '/v2/a//', '/v2//b', '/v2/%61/q/c/d', '', '*', '/constructor'])(
    'does not find %j',
    (path) => {
      expect(matched(path)).toBeUndefined();
    },
  );

  test('matches every path as Express does', () => {
    const segment = fc.constantFrom('v2', 'a', 'b', 'c', 'docs', '', '%61', '%2F', 'É', 'x.y');
    const paths = fc.array(segment, { maxLength: 6 }).map((segments) => `/${segments.join('/')}`);
    for (const path of ['/', '//', '///']) expect(matched(path)).toEqual(matchedByExpress(path));
    fc.assert(
      fc.property(paths, (path) => {
        expect(matched(path)).toEqual(matchedByExpress(path));
      }),
      runs(500),
    );
  });
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nearestPath } from '../src/nearest-path.ts';
import { seeUrl } from '../src/see-url.ts';

describe('nearestPath', () => {
  const paths = ['/v2/startups', '/v2/startups/:id', '/v2/startups/fundingrounds', '/v2/funds'];

  test.each([
    ['/v2/startup', '/v2/startups'],
    ['/startups', '/v2/startups'],
    ['/v2/startups/funding-rounds', '/v2/startups/fundingrounds'],
    ['/V2/Funds', '/v2/funds'],
  ])('the nearest path to %s is %s', (typed, nearest) => {
    expect(nearestPath(typed, paths)).toBe(nearest);
  });

  test('keeps the parameters of the path', () => {
    expect(nearestPath('/v2/startup/123', ['/v2/startups/:id'])).toBe('/v2/startups/123');
  });

  test('does not take another word for a typo, however long the rest of the path is', () => {
    const below = ['/v2/startups/:id/persons', '/v2/startups/:id/references'];
    expect(nearestPath('/v2/startups/123/person', below)).toBe('/v2/startups/123/persons');
    expect(nearestPath('/v2/startups/123/news', below)).toBeUndefined();
    expect(nearestPath('/v2/startups/123/funds', below)).toBeUndefined();
  });

  describe('for all paths of an API', () => {
    const served = [
      '/v2',
      '/v2/funds',
      '/v2/funds/:id',
      '/v2/funds/search',
      '/v2/funds/:id/portfolio',
      '/v2/startups/:id',
      '/v2/startups/search',
      '/v2/startups/fundingrounds',
      '/v2/startups/tags/search',
      '/v2/startups/:id/fundingrounds',
      '/v2/categories/:dimension/:value/rounds',
      '/account',
      '/api/v1/register',
    ];

    test.each([
      ['/v2/fundingrounds', '/v2/startups/fundingrounds'],
      ['/fundinground', '/v2/startups/fundingrounds'],
      ['/v2/tags/search', '/v2/startups/tags/search'],
      ['/v1/funds', '/v2/funds'],
      ['/v2/account', '/account'],
      ['/register', '/api/v1/register'],
      ['/api/v2/register', '/api/v1/register'],
    ])('%s has a missing segment or version: %s', (typed, nearest) => {
      expect(nearestPath(typed, served)).toBe(nearest);
    });

    test.each(['/v2/portfolio', '/v2/rounds', '/v2/search', '/v2/v2', '/v2'])(
      '%s is near to none, or equally near to two',
      (typed) => {
        expect(nearestPath(typed, served)).toBeUndefined();
      },
    );

    test('a suggestion is an existing path; a version never replaces another segment', () => {
      const known = served.map((path) => path.replaceAll(/:\w+/g, '(?!v[12]/|v[12]$)[^/]+'));
      const there = new RegExp(`^(?:${known.join('|')})$`);
      const words = served.flatMap((path) => path.split('/')).map((word) => word.replace(':', ''));
      const segment = fc.oneof(
        fc.constantFrom(...words),
        fc.constantFrom(...words).map((word) => word.slice(1)),
        fc.string({ maxLength: 3 }),
      );
      fc.assert(
        fc.property(fc.boolean(), fc.array(segment, { maxLength: 5 }), (isVersioned, below) => {
          const typed = below.filter((word) => !/^v\d$/.test(word) && !word.includes('/'));
          const path = ['', ...(isVersioned ? ['v2'] : []), ...typed].join('/');
          const found = nearestPath(path, served);
          if (found !== undefined) expect(found).toMatch(there);
        }),
      );
    });
  });

  test('suggests nothing for the root, an unrelated path or a very long one', () => {
    expect(nearestPath('/', paths)).toBeUndefined();
    expect(nearestPath('/wp-login.php', paths)).toBeUndefined();
    expect(nearestPath(`/${'a/'.repeat(5_000)}`, paths)).toBeUndefined();
  });
});

describe('seeUrl', () => {
  test('joins root, path and parameters, with readable characters', () => {
    expect(seeUrl('https://api.example.com/v2/', '/categories/city', [['entity', 'funds']])).toBe(
      'https://api.example.com/v2/categories/city?entity=funds',
    );
    expect(seeUrl('http://h/v2', 'funds', [['$filter', "City eq 'São Paulo'"]])).toBe(
      "http://h/v2/funds?$filter=City%20eq%20'S%C3%A3o%20Paulo'",
    );
  });

  test('omits credentials', () => {
    const parameters: [string, string][] = [
      ['token', 'secret'],
      ['$skip', '25'],
      ['Token', 'secret'],
    ];
    expect(seeUrl('http://h/v2', 'funds', parameters)).toBe('http://h/v2/funds?$skip=25');
  });
});

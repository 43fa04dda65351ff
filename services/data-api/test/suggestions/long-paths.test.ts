import { expect, test } from '@jest/globals';
import { endpoints } from '../../src/endpoints.ts';
import { type KnownPaths, suggestPath } from '../../src/suggestions/suggest-path.ts';

/** How often a path of an endpoint is read to find what was meant by `path`. */
function pathsRead(path: string): number {
  let reads = 0;
  const paths: KnownPaths['paths'] = endpoints.map((endpoint) => ({
    get path() {
      reads += 1;
      return endpoint.path;
    },
  }));
  suggestPath(path, { paths });
  return reads;
}

test('the comparisons of an unknown path do not multiply with its segments', () => {
  // Each of these segments has three names, and sending them needs no key.
  const [few, many] = [2, 8].map((n) => pathsRead(`/v2${'/companies'.repeat(n)}`));
  expect(few).toBeGreaterThan(0);
  expect(many).toBeLessThan(10 * Number(few));
});

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

interface Config {
  readonly projects: readonly { displayName: string; testMatch: readonly string[] }[];
}
const CONFIG: string = '../../../jest.config.js';
const { projects } = ((await import(CONFIG)) as { default: Config }).default;
const files = projects
  .filter(({ displayName }) => displayName !== 'unit')
  .flatMap(({ testMatch }) => testMatch)
  .map((file) => file.replace('<rootDir>', fileURLToPath(new URL('../../..', import.meta.url))));

/**
 * The causes of most processor time of `npm test`, and how often the files of its projects may have
 * each. A test beyond a bound shares a server or program with tests of the same subject, or is a
 * soak test with a short version here.
 */
const BOUNDS: readonly (readonly [string, RegExp, number])[] = [
  [
    'start programs of the product',
    /\b(?:startProduct|startDurableProduct|openStack|spawnService|home\.start\w*)\(/g,
    55,
  ],
  ['start Chromium', /\bchromium\.launch\(/g, 3],
  ['start Redis servers', /\bcreateTestRedis(?:Server|Cluster)\(/g, 36],
  ['start PostgreSQL servers', /\bstart(?:Primary|Standby|PgBouncer)\(/g, 8],
];

test.each(BOUNDS)('tests %s in a bounded number of places', (_, pattern, most) => {
  const places = files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(pattern)]);
  expect(places.length).toBeLessThanOrEqual(most);
});

test('the number of test files that are not pure is bounded', () => {
  expect(files.length).toBeGreaterThan(100);
  expect(files.length).toBeLessThanOrEqual(254);
});

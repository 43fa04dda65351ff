import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
  expect(files.length).toBeLessThanOrEqual(240);
});

/**
 * Modules with a variable that calls change: threads, programs, what is loaded at first use, and the
 * text of a day.
 */
const WITH_VARIABLE = [
  'packages/facet-engine/src/count-thread.ts',
  'packages/facet-engine/src/freeze-segment.ts',
  'packages/facet-engine/src/store-thread.ts',
  'packages/importer/src/cli.ts',
  'packages/importer/src/mapping/schema-errors.ts',
  'packages/service-kit/src/logger.ts',
  'packages/service-kit/src/tracing/tracer.ts',
  'packages/test-kit/src/operator.ts',
  'services/data-api/src/serve/parse.ts',
];

test('modules that test files share have no variables', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const sources = ['packages', 'services'].flatMap((group) =>
    readdirSync(join(root, group)).flatMap((member) =>
      sourcesBelow(root, `${group}/${member}/src`),
    ),
  );
  expect(sources.length).toBeGreaterThan(300);
  const withVariable = sources.filter((file) =>
    /^(?:export )?let /m.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(withVariable.sort()).toEqual(WITH_VARIABLE);
});

function sourcesBelow(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('generated'))
    .map((name) => `${folder}/${name}`);
}

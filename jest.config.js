// The projects of the suite. `npm test` runs all but soak, `npm run test:unit` the one that needs no
// server, `npm run soak` the one that takes long. Tests run from source: workspace packages resolve
// through the "@vcds/source" export condition.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('.', import.meta.url));
// Jest compares absolute paths with its patterns: a clone may lie in a folder named test, dist or node_modules.
const ROOT = `^${root.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`;
const isSoak = process.env.VCDS_SOAK === '1';

/** Packages that start, migrate and test the product; they are not part of it. */
const TOOLING = /^packages\/(?:test-kit|local-stack|migrate)\//;
const BROWSER = /(?:^|[/.])browser\.test\.ts$/;
const SOAK = /\.soak\.test\.ts$/;

/** What a soak tries more often than `npm test`. */
const REPEATED = /\b(?:runs|atLength)\(\d/;

/** Modules that reach outside the process. */
const OUTSIDE =
  /^(?:node:(?:child_process|cluster|dns|fs|http|https|net|tls|worker_threads)(?:\/.*)?|bullmq|ioredis|pg|playwright-core|supertest)$/;

/** What the test kit offers beside its pure helpers. */
const SERVERS =
  /\b(?:createTest\w+|describeWith\w+|endConnections|freePort|rollingRestart|start(?:PgBouncer|Primary))\b/;

/**
 * Pure and slow: these generate all invented data, count it at random, train models, or
 * try a property a thousand times.
 */
const SLOW_FOLDERS = ['demo-data', 'facet-engine', 'matching', 'openapi'].map(
  (member) => `packages/${member}/test/`,
);
const SLOW = /\bnumRuns: \d+_?\d{3}\b|\bruns\(\d+_?\d{3}\)/;

const files = ['packages', 'services']
  .flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name, 'test')))
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
  .filter((file) => file.endsWith('.test.ts'))
  .sort();

/** The project of a test file: by its name or place; unit tests by what they import. */
function projectOf(file) {
  const path = relative(root, file);
  if (SOAK.test(path)) return 'soak';
  if (BROWSER.test(path)) return 'browser';
  if (TOOLING.test(path)) return 'tooling';
  const isSlow = SLOW_FOLDERS.some((folder) => path.startsWith(folder));
  return !isSlow && isPure(file) ? 'unit' : 'integration';
}

/** Whether a test file and the helpers below `test/` that it imports stay within the process. */
function isPure(file, seen = new Set()) {
  if (seen.has(file)) return true;
  seen.add(file);
  const source = readFileSync(file, 'utf8');
  if (SERVERS.test(source) || SLOW.test(source)) return false;
  return [...source.matchAll(/^(?:import|export)\s(?!type\b)[^'";]*'([^']+)'/gm)].every(
    ([, specifier]) => {
      if (!specifier.startsWith('.')) return !OUTSIDE.test(specifier);
      const path = resolve(dirname(file), specifier);
      const isOfTests = relative(root, path).split(sep).includes('test');
      const isHelper = isOfTests && path.endsWith('.ts') && existsSync(path);
      return !isHelper || isPure(path, seen);
    },
  );
}

const shared = {
  roots: ['<rootDir>/packages', '<rootDir>/services'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'es6' } },
    ],
  },
  testEnvironmentOptions: { customExportConditions: ['@vcds/source', 'node', 'node-addons'] },
  modulePathIgnorePatterns: [`${ROOT}.*/dist/`],
  testPathIgnorePatterns: [`${ROOT}.*/node_modules/`],
  transformIgnorePatterns: [`${ROOT}.*/node_modules/`],
  haste: { retainAllFiles: root.includes('/node_modules/') },
  setupFilesAfterEnv: ['<rootDir>/packages/test-kit/bin/answers/begin.mjs'],
};
const servers = {
  globalSetup: '<rootDir>/packages/test-kit/bin/global-setup.mjs',
  globalTeardown: '<rootDir>/packages/test-kit/bin/global-teardown.mjs',
};

/** As patterns of Jest: it escapes its own `<rootDir>`, which may contain signs of patterns. */
const patternsOf = (chosen) => chosen.map((file) => `<rootDir>/${relative(root, file)}`);
const filesOf = (project) => patternsOf(files.filter((file) => projectOf(file) === project));
const repeated = patternsOf(files.filter((file) => REPEATED.test(readFileSync(file, 'utf8'))));
const soak = { ...servers, testMatch: [...filesOf('soak'), ...repeated] };
const daily = {
  // The broker of test servers is not started: a unit test that asks for one fails.
  unit: { testMatch: filesOf('unit') },
  integration: { ...servers, testMatch: filesOf('integration') },
  browser: { ...servers, testMatch: filesOf('browser') },
  tooling: { ...servers, testMatch: filesOf('tooling') },
};

export default {
  // Compares the responses of services with docs/openapi.
  reporters: ['default', '<rootDir>/packages/test-kit/bin/answers/reporter.mjs'],
  projects: Object.entries(isSoak ? { soak } : daily).map(([displayName, project]) => ({
    ...shared,
    ...project,
    displayName,
  })),
  // Far more than a test needs: it only ends one that hangs, also on a slow or loaded machine.
  testTimeout: isSoak ? 600_000 : 180_000,
  // Twice the two cores of the smallest machine: many tests wait for a server or a process.
  maxWorkers: 4,
  // Modules of finished test files stay in memory; a heap of gigabytes is slow.
  workerIdleMemoryLimit: '800MB',
};

// npm run test:unit: the tests that use no store, server, process or file. They are chosen by what
// they and their helpers import, so that a new test file needs no entry here. The broker of
// test servers is not started: a test that asks for one fails.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import config from './jest.config.js';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Modules that reach outside the process. */
const OUTSIDE =
  /^(?:node:(?:child_process|cluster|dns|fs|http|https|net|tls|worker_threads)(?:\/.*)?|bullmq|ioredis|pg|playwright-core|supertest)$/;

/** What the test kit offers beside its pure helpers. */
const SERVERS = /\b(?:createTest\w+|describeWith\w+|endConnections|freePort|rollingRestart)\b/;

/**
 * Pure and slow: these generate all invented data, count it at random, measure how work grows, or
 * try a property a thousand times.
 */
const SLOW_FOLDERS = ['services/data-api/test/demo/', 'services/data-api/test/facets-columnar/'];
const SLOW = /\bgrowth\(|\bnumRuns: \d+_?\d{3}\b/;

function testFolders() {
  return ['packages', 'services']
    .flatMap((group) =>
      readdirSync(join(root, group)).map((name) => join(root, group, name, 'test')),
    )
    .filter((folder) => existsSync(folder));
}

function unitTests() {
  return testFolders().flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join(folder, name))
      .filter((file) => !SLOW_FOLDERS.some((folder) => relative(root, file).startsWith(folder)))
      .filter((file) => isPure(file)),
  );
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
      const isHelper = path.includes('/test/') && path.endsWith('.ts') && existsSync(path);
      return !isHelper || isPure(path, seen);
    },
  );
}

const { globalSetup, globalTeardown, ...shared } = config;
export default {
  ...shared,
  testMatch: unitTests(),
};

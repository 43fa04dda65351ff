// A test runner of Stryker: runs pure tests in its own process, one mutant after another.
import { register } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  DryRunStatus,
  determineHitLimitReached,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { collect } from './globals.mjs';

const TESTS = {
  metering: ['access', 'answer', 'price', 'rates-document'],
  'odata-query': [
    ...['bind-filter', 'bind-value', 'bounds', 'edit-distance', 'error-details', 'field-spec'],
    ...['filter-errors', 'like-pattern', 'lists', 'meant-names', 'meant-values', 'nearest'],
    ...['parse-filter', 'print-filter', 'suggestions'],
  ],
};
/** Compares figures of thousands of runs, see fast-check.mjs. */
const LEFT_OUT = 'whatever is written, a suggestion repairs its own place';

/** Results of these are cached by field, so the modules are loaded with the mutant. */
const CACHED = /\/odata-query\/src\/(?:field-spec|operator)\.ts$/;

/** The files of packages in the sandbox, which is the current folder once tests run. */
const testFiles = (packages) =>
  packages.flatMap((name) =>
    TESTS[name].map((file) => join(process.cwd(), 'packages', name, 'test', `${file}.test.ts`)),
  );

/** The object by which instrumented code finds its mutant. */
const context = {};
globalThis.__stryker__ = context;
let generation = 0;

/** The time of each test without a mutant, by its id. */
let msOf = new Map();

/** The tests of the loaded modules; undefined if a mutant was active while they were loaded. */
let unchanged;

async function loadTests(packages = Object.keys(TESTS)) {
  generation += 1;
  const tests = [];
  for (const fileName of testFiles(packages)) {
    await import(`${pathToFileURL(fileName)}?generation=${generation}`);
    tests.push(...collect(fileName));
  }
  return tests.filter(({ id }) => !id.endsWith(LEFT_OUT));
}

/**
 * Tests of modules that no mutant has changed. All run once, so that what modules cache of constants is
 * right, and from then on the fastest first.
 */
async function unchangedTests() {
  if (unchanged === undefined) {
    const tests = await loadTests();
    const results = await run(tests, true);
    msOf = new Map(results.map(({ id, timeSpentMs }) => [id, timeSpentMs]));
    unchanged = fastestFirst(tests);
  }
  return unchanged;
}

const fastestFirst = (tests) =>
  tests.toSorted((a, b) => (msOf.get(a.id) ?? 0) - (msOf.get(b.id) ?? 0));

async function testsWith({ activeMutant, mutantActivation, reloadEnvironment }) {
  const isLoaded = mutantActivation === 'static' || CACHED.test(activeMutant.fileName);
  if (!isLoaded && !reloadEnvironment) {
    const tests = await unchangedTests();
    context.activeMutant = activeMutant.id;
    return tests;
  }
  unchanged = undefined;
  context.activeMutant = activeMutant.id;
  // Neither package imports the other.
  const isOfMutant = (name) => activeMutant.fileName.includes(`/packages/${name}/`);
  return fastestFirst(await loadTests(Object.keys(TESTS).filter(isOfMutant)));
}

/** @returns the results up to the first failure, or all with `isComplete` */
async function run(tests, isComplete) {
  const results = [];
  for (const { id, fileName, run } of tests) {
    const startedMs = performance.now();
    context.currentTestId = id;
    const failure = await failureOf(run);
    context.currentTestId = undefined;
    const result = { id, name: id, fileName, timeSpentMs: performance.now() - startedMs };
    if (failure === undefined) results.push({ ...result, status: TestStatus.Success });
    else results.push({ ...result, status: TestStatus.Failed, failureMessage: failure });
    if (failure !== undefined && !isComplete) break;
  }
  return results;
}

async function failureOf(run) {
  try {
    await run();
    return undefined;
  } catch (error) {
    return String(error?.message ?? error);
  }
}

async function dryRun() {
  const tests = await run(await loadTests(), true);
  return { status: DryRunStatus.Complete, tests, mutantCoverage: context.mutantCoverage };
}

async function mutantRun(options) {
  const { testFilter, hitLimit, disableBail } = options;
  context.hitLimit = hitLimit;
  context.hitCount = hitLimit === undefined ? undefined : 0;
  try {
    const tests = await testsWith(options);
    const wanted = new Set(testFilter);
    const chosen = testFilter === undefined ? tests : tests.filter(({ id }) => wanted.has(id));
    const results = await run(chosen, disableBail);
    const overLimit = determineHitLimitReached(context.hitCount, hitLimit);
    return toMutantRunResult(
      overLimit ?? { status: DryRunStatus.Complete, tests: results },
      disableBail,
    );
  } catch (error) {
    // Code that runs when a module is loaded fails.
    const failed = { id: 'load', name: 'load', timeSpentMs: 0, status: TestStatus.Failed };
    const tests = [{ ...failed, failureMessage: String(error) }];
    return toMutantRunResult({ status: DryRunStatus.Complete, tests });
  } finally {
    context.activeMutant = undefined;
  }
}

const create = () => ({
  init: () => register('./hooks.mjs', import.meta.url),
  capabilities: () => ({ reloadEnvironment: true }),
  dryRun,
  mutantRun,
});
create.inject = [];

export const strykerPlugins = [
  declareFactoryPlugin(PluginKind.TestRunner, 'functions-of-jest', create),
];

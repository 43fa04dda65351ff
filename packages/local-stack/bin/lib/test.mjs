import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onParentGone } from './parent.mjs';
import { createProgress } from './progress.mjs';
import { root } from './root.mjs';
import { CommandFailed, Interrupted, run } from './run.mjs';
import { setUpOrReport } from './setup.mjs';

const EXIT_CODE_INTERRUPTED = 130;

/**
 * Runs all checks: the build (which checks the types of the sources), the types of the tests, lint,
 * and Jest with `args`. The last line is `N passed, N failed, N skipped`; the exit code is 0 only if
 * nothing failed.
 */
export async function test(args) {
  const progress = createProgress();
  if (!(await setUpOrReport(progress))) {
    if (process.exitCode !== EXIT_CODE_INTERRUPTED) finish({ passed: 0, failed: 1, skipped: 0 });
    return;
  }
  try {
    finish(await checkAll(args, progress));
  } catch (error) {
    if (error instanceof Interrupted) {
      process.exitCode = EXIT_CODE_INTERRUPTED;
      return;
    }
    process.stderr.write(`${explain(error)}\n`);
    finish({ passed: 0, failed: 1, skipped: 0 });
  }
}

async function checkAll(args, progress) {
  await prepareRedis(progress);
  const failures = [
    ...(await check(progress, 'Checking the types of the tests', typeCheck)),
    ...(await check(progress, 'Checking style', lint)),
  ];
  for (const failure of failures) process.stderr.write(`\n${failure}\n`);
  const counts = await runJest(args);
  return { ...counts, failed: counts.failed + failures.length };
}

async function typeCheck() {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  for (const project of ['tsconfig.test.json', 'packages/portal/site']) {
    await run(process.execPath, [compiler, '-p', project]);
  }
}

function lint() {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  return run(process.execPath, [biome, 'check', '--error-on-warnings', '--colors=off', '.']);
}

/** Downloads Redis if necessary, outside the timeout of a test. */
async function prepareRedis(progress) {
  if (process.env.TEST_REDIS_URL) return;
  const { findRedis, stateFolders } = await import('../../dist/index.js');
  await findRedis({
    environment: process.env,
    tools: stateFolders(process.env).tools,
    announce: (sentence) => progress.note(`${sentence}.`),
  });
}

async function check(progress, title, work) {
  const step = progress.step(title);
  try {
    await work();
    step.done();
    return [];
  } catch (error) {
    step.fail();
    if (error instanceof Interrupted) throw error;
    return [`${title} failed.\n${explain(error)}`];
  }
}

function explain(error) {
  return error instanceof CommandFailed
    ? `${error.output.trim()}\n${error.message}.`
    : error.message;
}

/** Runs Jest, which prints its own report, and returns its counts. */
async function runJest(args) {
  const folder = mkdtempSync(join(tmpdir(), 'vcds-results-'));
  const file = join(folder, 'results.json');
  try {
    const status = await spawnJest([...args, '--json', `--outputFile=${file}`]);
    return countsOf(file, status);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function spawnJest(args) {
  // Each test file loads Prisma's WebAssembly again: optimizing it takes longer than it saves.
  const flags = [
    ...['--experimental-vm-modules', '--liftoff-only'],
    '--disable-warning=ExperimentalWarning',
  ];
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const child = spawn(process.execPath, [...flags, jest, ...args], {
    cwd: root,
    // Jest's report goes to standard error; the JSON of --json is read from the file.
    stdio: ['inherit', 'ignore', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  onParentGone(() => child.kill('SIGTERM'));
  return new Promise((resolve) => {
    child.on('error', () => resolve(1));
    child.on('exit', (code, signal) => resolve(code ?? signal ?? 1));
  });
}

function countsOf(file, status) {
  let results;
  try {
    results = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = results;
  // A test file that cannot be loaded has no failed tests.
  const failed = numFailedTests + results.numRuntimeErrorTestSuites;
  return {
    passed: numPassedTests,
    failed: status === 0 ? failed : Math.max(1, failed),
    skipped: numPendingTests + numTodoTests,
  };
}

function finish({ passed, failed, skipped }) {
  process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}

import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The configuration of one package: its name, the files that are mutated, and other options. */
export const configOf = (name, options) => ({
  plugins: [here('runner.mjs')],
  testRunner: 'functions-of-jest',
  testRunnerNodeArgs: ['--conditions=@vcds/source', '--disable-warning=ExperimentalWarning'],
  // Node keeps the modules of earlier mutants that were loaded again.
  maxTestRunnerReuse: 1_000,
  coverageAnalysis: 'perTest',
  // A mutant that loads the modules again also runs every test once; a loaded machine needs its time.
  timeoutMS: 60_000,
  concurrency: 1,
  ignorePatterns: [
    ...['**', '!package.json', '!packages/{odata-query,metering}/**'],
    ...['!packages/test-kit/fixtures/**', 'dist', 'node_modules', 'generated'],
  ],
  tempDirName: here('sandboxes'),
  incremental: true,
  incrementalFile: here(`incremental-${name}.json`),
  reporters: ['progress-append-only', 'json', 'html'],
  jsonReporter: { fileName: here(`report-${name}.json`) },
  htmlReporter: { fileName: here(`report-${name}.html`) },
  thresholds: { high: 95, low: 85, break: 85 },
  warnings: { slow: false },
  ...options,
});

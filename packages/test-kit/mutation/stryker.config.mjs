import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Mutants of the query language, and of the parts of metering that need no store. */
export default {
  plugins: [here('runner.mjs')],
  testRunner: 'functions-of-jest',
  testRunnerNodeArgs: ['--conditions=@vcds/source', '--disable-warning=ExperimentalWarning'],
  // Node keeps the modules of earlier mutants that were loaded again.
  maxTestRunnerReuse: 1_000,
  coverageAnalysis: 'perTest',
  // Tables and texts that are read once, when a module is loaded: see CONTRIBUTING.md.
  ignoreStatic: true,
  concurrency: 1,
  mutate: ['packages/odata-query/src/**/*.ts', 'packages/metering/src/{access,answer,price}/*.ts'],
  ignorePatterns: [
    ...['**', '!package.json', '!packages/{odata-query,metering}/**'],
    ...['!packages/test-kit/fixtures/**', 'dist', 'node_modules', 'generated'],
  ],
  tempDirName: here('sandboxes'),
  incremental: true,
  incrementalFile: here('incremental.json'),
  reporters: ['progress-append-only', 'json', 'html'],
  jsonReporter: { fileName: here('report.json') },
  htmlReporter: { fileName: here('report.html') },
  thresholds: { high: 95, low: 85, break: 85 },
  warnings: { slow: false },
};

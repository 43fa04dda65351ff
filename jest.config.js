// Tests run from source: workspace packages resolve through the "source" export condition.
export default {
  testMatch: ['<rootDir>/{packages,services}/*/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'es6' } },
    ],
  },
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  modulePathIgnorePatterns: ['/dist/'],
  maxWorkers: 2,
  // Modules of finished test files stay in memory; a heap of gigabytes is slow.
  workerIdleMemoryLimit: '800MB',
  // The first test of a run that asks for a server waits until it has started.
  testTimeout: 60_000,
  globalSetup: '<rootDir>/packages/test-kit/bin/global-setup.mjs',
  globalTeardown: '<rootDir>/packages/test-kit/bin/global-teardown.mjs',
};

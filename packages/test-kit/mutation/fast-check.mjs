// fast-check with few runs of each property, and the same ones for each mutant.
import { createRequire } from 'node:module';

const { default: fc } = await import(
  createRequire(`${process.cwd()}/package.json`).resolve('fast-check')
);
const RUNS_MAX = 50;

export default {
  ...fc,
  assert: (property, { numRuns = RUNS_MAX, ...parameters } = {}) =>
    fc.assert(property, { seed: 1, ...parameters, numRuns: Math.min(numRuns, RUNS_MAX) }),
};

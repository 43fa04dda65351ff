// Jest's runtime, which loads the product's modules and npm packages once in a process: each test
// file would load hundreds of modules again, and run their code before V8 has optimized it. The
// modules keep no state of their callers, so a test file does not depend on those before it.
'use strict';
const { isAbsolute, join, relative } = require('node:path');
const { default: Runtime } = require('jest-runtime');

const ROOT = join(__dirname, '../../..');
/** Modules of a test file: tests with their helpers, and what imports the functions of Jest. */
const OWN = new RegExp(
  [
    /^(?:packages|services)[\\/][^\\/]+[\\/]test[\\/]/,
    /^packages[\\/]test-kit[\\/](?:bin|src[\\/](?:index|close-after-all|describe-with-\w+|test-folder)\.)/,
  ]
    .map(({ source }) => source)
    .join('|'),
);
const JEST = '@jest/globals';

/** Loads shared modules for all test files. All projects have the same settings of modules. */
let shared;

module.exports = class extends Runtime {
  constructor(config, environment, ...rest) {
    super(config, environment, ...rest);
    const { watch, watchAll } = rest.at(-1);
    // A watching process runs test files again after modules have changed.
    if (watch || watchAll) return;
    shared ??= openShared(config, environment.ofSharedModules(), ...rest);
    const { esmLoader, _resolution: resolution } = this;
    // Else Node 24 would link a graph of modules without a call of `resolveModule`.
    resolution.hasDistinctAsyncResolver = () => true;
    this.transformCache.sourceMaps = shared.sourceMaps;
    const { resolveModule } = esmLoader;
    esmLoader.resolveModule = async (name, from, context) => {
      const isFile = name !== JEST && !name.startsWith('data:') && !resolution.isCoreModule(name);
      const path = isFile ? await resolution.resolveEsmAsync(from, name) : '';
      return isShared(path)
        ? shared.load(path)
        : resolveModule.call(esmLoader, name, from, context);
    };
  }

  requireModuleOrMock(from, name) {
    if (shared === undefined || name === JEST || this._resolution.isCoreModule(name)) {
      return super.requireModuleOrMock(from, name);
    }
    // An import by an ES module has the path already.
    const path = isAbsolute(name) ? name : this._resolution.resolveCjs(from, name);
    return isShared(path) ? shared.require(path) : super.requireModuleOrMock(from, name);
  }
};

function isShared(path) {
  return isAbsolute(path) && !OWN.test(relative(ROOT, path));
}

function openShared(config, environment, resolver, transformer, _, coverage, __, globalConfig) {
  const settings = [config, environment, resolver, transformer, new Map(), coverage];
  const runtime = new Runtime(...settings, undefined, globalConfig);
  const { esmLoader, transformCache } = runtime;
  const { resolveModule } = esmLoader;
  esmLoader.resolveModule = async (name, from, context) => {
    if (name === JEST) throw new Error(`${from} imports ${JEST}: add it to OWN of ${__filename}.`);
    return resolveModule.call(esmLoader, name, from, context);
  };
  const evaluate = async (path) => {
    const module = await esmLoader.resolveModule(path, path, environment.getVmContext());
    return esmLoader.linkAndEvaluateModule(module);
  };
  const loads = new Map();
  let last = Promise.resolve();
  return {
    sourceMaps: transformCache.sourceMaps,
    require: (path) => runtime.requireModuleOrMock(path, path),
    load: (path) => {
      if (!loads.has(path)) {
        // One after the other: Node links a module for one graph at a time.
        const load = last.then(() => evaluate(path));
        last = load.catch(() => undefined);
        loads.set(path, load);
      }
      return loads.get(path);
    },
  };
}

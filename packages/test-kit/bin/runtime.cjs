// Jest's runtime, which loads some npm packages once in a process: each test file would load their
// hundreds of modules again, and run their code before V8 has optimized it.
'use strict';
const { isAbsolute } = require('node:path');
const { default: Runtime } = require('jest-runtime');

/**
 * Packages of CommonJS modules that keep no state of their callers, and do not ask whether a value
 * of a test is an `instanceof` a class of their realm.
 */
const NAMES = [
  ...[
    '@ioredis/commands',
    '@opentelemetry/api',
    '@redocly/ajv',
    'ajv',
    'ajv-formats',
    'body-parser',
  ],
  ...[
    'iconv-lite',
    'ioredis',
    'jsonwebtoken',
    'mime-db',
    'mime-types',
    'pg(?:-[a-z-]+)?',
    'qs',
    'semver',
  ],
].join('|');
const SHARED = new RegExp(
  `(?:^|[\\\\/]node_modules[\\\\/])(?:${NAMES})(?:[\\\\/](?!.*node_modules)|$)`,
);

module.exports = class extends Runtime {
  requireModuleOrMock(from, moduleName) {
    if (!SHARED.test(moduleName)) return super.requireModuleOrMock(from, moduleName);
    // An import by an ES module has the path already.
    const path = isAbsolute(moduleName)
      ? moduleName
      : this._resolution.resolveCjs(from, moduleName);
    return require(path);
  }
};

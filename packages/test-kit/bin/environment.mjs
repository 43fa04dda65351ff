// Jest's test environment for Node, with an ordinary global object: jest-environment-node's calls a
// C++ interceptor whenever a test reads a global such as `Object`. It has no fake timers.
import { constants, createContext, runInContext } from 'node:vm';
import { ModuleMocker } from 'jest-mock';
import { installCommonGlobals } from 'jest-util';

/** Classes of the realm in which modules of Node and of packages are. */
const SHARED = ['ArrayBuffer', 'Buffer', 'Date', 'Map', 'Set', 'Uint8Array'];
/** Those of which the code of a test makes instances itself, as when it calls undefined. */
const ERRORS = ['AggregateError', 'Error', 'RangeError', 'SyntaxError', 'TypeError'];
const STACK_LINES_MAX = 100;

// A worker process of Jest has ended its work when Jest's listener is removed, and is killed half a
// second later. process.exit() leaves its memory to the system: to free hundreds of megabytes an
// object at a time, or to wait for the last handles, takes longer.
if (process.connected) {
  process.on('removeListener', (event) => {
    if (event === 'message' && process.listenerCount(event) === 0) process.exit();
  });
}

export default class Environment {
  #conditions;

  constructor({ projectConfig }) {
    this.context = createContext(constants.DONT_CONTEXTIFY);
    this.global = runInContext('globalThis', this.context);
    const own = new Set(Reflect.ownKeys(this.global));
    for (const name of Object.getOwnPropertyNames(globalThis)) {
      if (!own.has(name)) shareLazily(this.global, name);
    }
    for (const name of SHARED) this.global[name] = globalThis[name];
    this.global.global = this.global;
    // Among them a process of its own, with a copy of the environment variables.
    installCommonGlobals(this.global, projectConfig.globals);
    this.global.Error.stackTraceLimit = STACK_LINES_MAX;
    for (const name of ERRORS) acceptShared(this.global, name);
    this.#conditions = projectConfig.testEnvironmentOptions.customExportConditions;
    this.moduleMocker = new ModuleMocker(this.global);
  }

  async setup() {}

  async teardown() {
    this.context = null;
    this.global = null;
  }

  exportConditions() {
    return this.#conditions;
  }

  getVmContext() {
    return this.context;
  }
}

/** Makes instances of a class of this realm an `instanceof` the class of that name of another. */
function acceptShared(global, name) {
  const { [name]: own, Function: OwnFunction } = global;
  const isInstance = OwnFunction.prototype[Symbol.hasInstance];
  Object.defineProperty(own, Symbol.hasInstance, {
    value(value) {
      return isInstance.call(this, value) || (this === own && value instanceof globalThis[name]);
    },
  });
}

/** Defines a global of this realm in another: `fetch` and others load a module when read. */
function shareLazily(global, name) {
  const settings = { configurable: true, enumerable: false };
  const set = (value) =>
    Object.defineProperty(global, name, { ...settings, writable: true, value });
  const get = () => {
    const value = globalThis[name];
    set(value);
    return value;
  };
  Object.defineProperty(global, name, { ...settings, get, set });
}

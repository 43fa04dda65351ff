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
/** Symbols of the global object by which Jest finds the state of a test file. */
const OF_JEST = /jest|^[A-Z_]+$/;

// A worker process of Jest has ended its work when Jest's listener is removed, and is killed half a
// second later. process.exit() leaves its memory to the system: to free hundreds of megabytes an
// object at a time, or to wait for the last handles, takes longer.
if (process.connected) {
  process.on('removeListener', (event) => {
    if (event === 'message' && process.listenerCount(event) === 0) process.exit();
  });
}

// One realm for all test files: modules that they share find its classes and functions.
const context = createContext(constants.DONT_CONTEXTIFY);
const realm = runInContext('globalThis', context);
const names = new Set(Reflect.ownKeys(realm));
for (const name of Object.getOwnPropertyNames(globalThis)) {
  if (!names.has(name)) shareLazily(realm, name);
}
for (const name of SHARED) realm[name] = globalThis[name];
realm.global = realm;
// Among them a process of its own, with a copy of the environment variables.
installCommonGlobals(realm, {});
realm.Error.stackTraceLimit = STACK_LINES_MAX;
for (const name of ERRORS) acceptShared(realm, name);
const globals = Object.getOwnPropertyDescriptors(realm);
const processProperties = Object.getOwnPropertyDescriptors(realm.process);

export default class Environment {
  context = context;
  global = realm;
  moduleMocker = new ModuleMocker(realm);
  #conditions;

  /** Removes what the last test file has left in the global object. */
  constructor({ projectConfig }) {
    this.#conditions = projectConfig.testEnvironmentOptions.customExportConditions;
    for (const name of Object.getOwnPropertySymbols(realm)) {
      const isOld = !Object.hasOwn(globals, name) && OF_JEST.test(name.description);
      if (isOld) Reflect.deleteProperty(realm, name);
    }
    Object.defineProperties(realm, globals);
    Object.defineProperties(realm.process, processProperties);
    const { env } = realm.process;
    for (const name of Object.keys(env)) delete env[name];
    Object.assign(env, process.env);
  }

  async setup() {}

  async teardown() {}

  exportConditions() {
    return this.#conditions;
  }

  getVmContext() {
    return context;
  }

  /** The environment of modules that test files share. */
  ofSharedModules() {
    return {
      global: realm,
      moduleMocker: this.moduleMocker,
      exportConditions: () => this.#conditions,
      getVmContext: () => context,
    };
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

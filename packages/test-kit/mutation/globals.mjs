// The functions of Jest that pure tests use; `collect` takes the tests instead of running them. Jest
// itself needs two seconds for a mutant, and runs all tests after the first that fails.
import { createRequire } from 'node:module';
import { basename } from 'node:path';

const ofRoot = createRequire(`${process.cwd()}/package.json`);
const ofGlobals = createRequire(ofRoot.resolve('@jest/globals'));
export const { jestExpect: expect } = ofGlobals('@jest/expect');

let tests = [];
const path = [];
const names = new Map();

/** The tests that a file has defined since the last call. */
export function collect(fileName) {
  const file = basename(fileName);
  const collected = tests.map(({ id, run }) => ({ id: `${file} › ${id}`, fileName, run }));
  tests = [];
  names.clear();
  return collected;
}

export function describe(name, define) {
  path.push(name);
  define();
  path.pop();
}

export function test(name, run) {
  const id = [...path, name].join(' › ');
  // A row of a table may have the name of another.
  const same = (names.get(id) ?? 0) + 1;
  names.set(id, same);
  tests.push({ id: same === 1 ? id : `${id} (${same})`, run });
}

const each = (define) => (table) => (name, run) => {
  for (const row of table) {
    const values = Array.isArray(row) ? row : [row];
    define(`${name}: ${values.map(textOf).join(', ')}`, () => run(...values));
  }
};

function textOf(value) {
  const text = typeof value === 'function' ? value.name : JSON.stringify(value);
  return (text ?? String(value)).slice(0, 80);
}

describe.each = each(describe);
test.each = each(test);

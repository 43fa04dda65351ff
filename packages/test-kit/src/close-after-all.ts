import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';

/** A fixture with resources to release. */
export interface Closeable {
  close(): unknown;
}

const opened: Closeable[] = [];

/**
 * Closes a fixture of a whole test file after all tests, the last opened first. For the top level of
 * a test file: `const api = await closedAfterAll(openApi());`.
 */
export async function closedAfterAll<Fixture extends Closeable>(
  opening: Fixture | Promise<Fixture>,
): Promise<Fixture> {
  if (opened.length === 0) {
    afterAll(async () => {
      for (const fixture of opened.splice(0).reverse()) await fixture.close();
    });
  }
  const fixture = await opening;
  opened.push(fixture);
  return fixture;
}

/** A fixture of each test: opened before it, closed after it. Only tests may use its members. */
export function openedPerTest<Fixture extends Closeable>(open: () => Promise<Fixture>): Fixture {
  return currentOf(open, beforeEach, afterEach);
}

/** A fixture of a `describe`. Only tests and hooks may use its members. */
export function openedPerSuite<Fixture extends Closeable>(open: () => Promise<Fixture>): Fixture {
  return currentOf(open, beforeAll, afterAll);
}

function currentOf<Fixture extends Closeable>(
  open: () => Promise<Fixture>,
  before: typeof beforeEach,
  after: typeof afterEach,
): Fixture {
  let current: Fixture | undefined;
  before(async () => {
    current = await open();
  });
  after(async () => {
    await current?.close();
    current = undefined;
  });
  return new Proxy({} as Fixture, {
    get: (_, name) => {
      const member = Reflect.get(current as Fixture, name);
      return typeof member === 'function' ? member.bind(current) : member;
    },
  });
}

import { afterAll } from '@jest/globals';

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

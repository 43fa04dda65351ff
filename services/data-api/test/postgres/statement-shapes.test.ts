import { expect, test } from '@jest/globals';
import { createLogger } from '@vcds/service-kit';
import { createTestDatabase, testClock } from '@vcds/test-kit';
import { Database } from '../../src/postgres/database.ts';
import { StatementShapes } from '../../src/postgres/plan-cache.ts';

const MINUTE_MS = 60_000;

test('a text gets a name with its second execution, and keeps it', () => {
  const shapes = new StatementShapes(testClock().monotonicMs);
  expect(shapes.nameOf('SELECT 1')).toBeUndefined();
  const name = shapes.nameOf('SELECT 1');
  expect(name).toMatch(/^[\w-]{32}$/);
  expect(shapes.nameOf('SELECT 1')).toBe(name);
  expect(shapes.nameOf('SELECT 2')).toBeUndefined();
});

test('at most 500 texts have names: one more replaces the least recently used', () => {
  const shapes = new StatementShapes(testClock().monotonicMs);
  const nameTwice = (text: string) => [shapes.nameOf(text), shapes.nameOf(text)][1];
  for (let index = 0; index < 500; index++) expect(nameTwice(`SELECT ${index}`)).toBeDefined();
  const hot = shapes.nameOf('SELECT 0');
  for (let index = 500; index < 900; index++) expect(nameTwice(`SELECT ${index}`)).toBeDefined();
  expect(shapes.nameOf('SELECT 0')).toBe(hot);
  expect(shapes.nameOf('SELECT 401')).toBeDefined();
  expect(shapes.nameOf('SELECT 1')).toBeUndefined();
});

test('a text that was slow with a generic plan gets custom plans for ten minutes', () => {
  const clock = testClock();
  const shapes = new StatementShapes(clock.monotonicMs);
  shapes.nameOf('SELECT 1');
  const name = shapes.nameOf('SELECT 1') ?? '';
  shapes.took(name, 24);
  expect(shapes.nameOf('SELECT 1')).toBe(name);
  shapes.took(name, 26);
  expect(shapes.nameOf('SELECT 1')).toBeUndefined();
  clock.advance(10 * MINUTE_MS - 1);
  expect(shapes.nameOf('SELECT 1')).toBeUndefined();
  clock.advance(1);
  expect(shapes.nameOf('SELECT 1')).toBe(name);
});

test('a connection has at most 501 prepared statements, and new texts are still prepared', async () => {
  const { url, drop } = await createTestDatabase();
  const database = new Database({
    connectionString: url,
    connectionsMax: 1,
    statementMsMax: 10_000,
    logger: createLogger({ service: 'test', level: 'silent' }),
  });
  const read = (text: string) => database.rows<{ n: number }>({ text, values: [], recurs: true });
  const held = async () => {
    const { rows } = await database.pool.query('SELECT name FROM pg_prepared_statements');
    return rows.length;
  };
  const most: number[] = [];
  for (let index = 0; index < 600; index++) {
    const text = `SELECT ${index} AS n`;
    expect([await read(text), await read(text)]).toEqual([[{ n: index }], [{ n: index }]]);
    if (index % 100 === 99) most.push(await held());
  }
  expect(most).toEqual([100, 200, 300, 400, 500, 99]);
  await database.close();
  await drop();
});

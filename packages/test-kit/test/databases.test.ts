import { afterAll, describe, expect, test } from '@jest/globals';
import { serviceSchemas } from '@vcds/migrate';
import { createTestDatabase, endConnections, type TestDatabase } from '@vcds/test-kit';
import pg from 'pg';

const opened: TestDatabase[] = [];

afterAll(async () => {
  for (const database of opened) await database.drop();
});

async function open(options?: { migrated: boolean }): Promise<TestDatabase> {
  const database = await createTestDatabase(options);
  opened.push(database);
  return database;
}

async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('a test database', () => {
  test('holds the migrated schema of every service that has one', async () => {
    const { url } = await open();
    const rows = await query<{ name: string }>(url, 'SELECT nspname AS name FROM pg_namespace');
    const schemas = serviceSchemas.map(({ schema }) => schema);
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(schemas));
  });

  test('is not touched by what happens in another', async () => {
    const [one, two] = [await open(), await open()];
    await query(one.url, 'CREATE TABLE public.seen (id int)');
    const [row] = await query<{ found: string | null }>(
      two.url,
      `SELECT to_regclass('public.seen') AS found`,
    );
    expect(one.url).not.toBe(two.url);
    expect(row?.found).toBeNull();
  });

  test('is empty when asked for so', async () => {
    const { url } = await open({ migrated: false });
    const [row] = await query<{ count: string }>(
      url,
      `SELECT count(*) FROM pg_namespace WHERE nspname IN ('venture', 'access')`,
    );
    expect(row?.count).toBe('0');
  });

  test('can be made by several tests at once', async () => {
    const made = await Promise.all([open(), open(), open(), open()]);
    expect(new Set(made.map(({ url }) => url)).size).toBe(4);
  });

  test('loses its connections of one name, and no other', async () => {
    const [one, two] = [await open(), await open()];
    const connect = async (url: string, name: string) => {
      const client = new pg.Client({ connectionString: url, application_name: name });
      const lost = new Promise((resolve) => client.on('error', resolve));
      await client.connect();
      return { client, lost };
    };
    const meant = await connect(one.url, 'meant');
    const others = [await connect(one.url, 'other'), await connect(two.url, 'meant')];
    expect(await endConnections(one.url, 'meant')).toBe(1);
    await meant.lost;
    for (const { client } of others) {
      expect((await client.query('SELECT 1')).rowCount).toBe(1);
    }
    expect(await endConnections(one.url)).toBe(1);
    expect(await endConnections(one.url)).toBe(0);
    await others[1]?.client.end();
  });

  test('is gone after drop, even with a connection open', async () => {
    const database = await createTestDatabase();
    const client = new pg.Client({ connectionString: database.url });
    const cut = new Promise((resolve) => {
      client.on('error', resolve);
    });
    await client.connect();
    await database.drop();
    await cut;
    await expect(query(database.url, 'SELECT 1')).rejects.toThrow('does not exist');
  });
});

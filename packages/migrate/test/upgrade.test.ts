import { randomBytes, randomUUID } from 'node:crypto';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { applyMigrations, readFrozen, type ServiceSchema, serviceSchemas } from '@vcds/migrate';
import { readMigrations } from '@vcds/service-kit/migrations';
import { createTestDatabase, eventually, startProduct, testFolder } from '@vcds/test-kit';
import pg from 'pg';

const database = await createTestDatabase();
const pool = new pg.Pool({ connectionString: database.url, max: 4 });
pool.on('error', () => undefined);
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const page = await readFile(new URL('../../../docs/upgrades.md', import.meta.url), 'utf8');

/** A block of SQL of the page, by its name. */
const step = (name: string): string => {
  const found = new RegExp(`^\`\`\`sql ${name}\\n([^\`]*)`, 'm').exec(page)?.[1];
  if (found === undefined) throw new Error(`docs/upgrades.md has no step ${name}.`);
  return found;
};

type Column = 'hint' | 'prefix';
const ACCOUNT = randomUUID();

/** The statements of a release that uses this column: writes a key, changes it and reads it. */
async function useKey(column: Column): Promise<void> {
  const [id, text] = [randomUUID(), randomUUID()];
  await pool.query(
    `INSERT INTO access.api_key (id, account_id, digest, ${column}, origin, scopes, is_narrowed,
       created_at)
     VALUES ($1, $2, $3, 'new', 'operator', '{}', false, now())`,
    [id, ACCOUNT, randomBytes(32).toString('hex')],
  );
  await pool.query(`UPDATE access.api_key SET ${column} = $2 WHERE id = $1`, [id, text]);
  const read = `SELECT ${column} AS text FROM access.api_key WHERE id = $1`;
  expect((await pool.query(read, [id])).rows).toEqual([{ text }]);
}

/** Uses keys continuously; the returned function stops and resolves with the number of uses. */
function keepUsing(column: Column): () => Promise<number> {
  let uses = 0;
  let isStopped = false;
  const running = (async () => {
    do {
      await useKey(column);
      uses += 1;
    } while (!isStopped);
  })();
  // `stop` reports the failure.
  running.catch(() => undefined);
  return async () => {
    isStopped = true;
    await running;
    return uses;
  };
}

const differing = async (): Promise<number> => {
  const text = 'SELECT count(*)::int AS n FROM access.api_key WHERE hint IS DISTINCT FROM prefix';
  return (await pool.query(text)).rows[0].n;
};

test('the example of an upgrade fails no statement of the release before it or after it', async () => {
  await pool.query(
    `INSERT INTO access.account (id, plan, bucket, position, created_at)
     VALUES ($1, 'free', 0, 1, now())`,
    [ACCOUNT],
  );
  for (let n = 0; n < 20; n += 1) await useKey('hint');

  const stopOld = keepUsing('hint');
  await pool.query(step('expand'));
  await expect(differing()).resolves.toBeGreaterThanOrEqual(20);
  const stopNew = keepUsing('prefix');
  for (let filled = 1; filled > 0; ) filled = (await pool.query(step('fill'))).rowCount ?? 0;
  await pool.query(step('switch'));
  expect(await differing()).toBe(0);
  expect(await stopOld()).toBeGreaterThan(0);
  await pool.query(step('contract'));
  expect(await stopNew()).toBeGreaterThan(0);
  await expect(useKey('hint')).rejects.toThrow(
    'column "hint" of relation "api_key" does not exist',
  );
});

describe('the upgrade from the oldest frozen release', () => {
  const KEY = 'pk_live_YhiZ50w5NX8TIIBAIpRdM1LBUmvBMPwIQllJbIqiKOb4ATBdD';
  const REVOKED_KEY = 'pk_live_WDJY4YlAUHNah1dDS1FUmjBVellMzxaCHkuFecQSo4O0a1BqN';
  /** After the second signal, encoded with the secret of the test kit. */
  const CURSOR = 'AQAABkehH0IoAgAAAAAAAAACgXUAwQc-wJZ9A7ZmfoSrAQ';
  const FREE_ALLOWANCE = 500;

  /** The folders of migrations before and after it. */
  async function foldersOf({ migrationsDir, schema }: ServiceSchema) {
    const [oldest] = readFrozen(migrationsDir);
    const before = await testFolder('vcds-before-');
    const names = oldest?.migrations ?? readMigrations(migrationsDir);
    for (const { name } of names) {
      await cp(join(migrationsDir, name), join(before, name), { recursive: true });
    }
    if (oldest !== undefined) return { version: oldest.version, before, after: migrationsDir };
    // Until there is a release, an example of an expansion.
    const after = await testFolder('vcds-after-');
    await cp(migrationsDir, after, { recursive: true });
    await mkdir(join(after, '9999_example'));
    const table = schema === 'access' ? 'access.api_key' : 'venture.startup';
    const sql = `ALTER TABLE ${table} ADD COLUMN example text;`;
    await writeFile(join(after, '9999_example/migration.sql'), sql);
    return { version: 'next', before, after };
  }

  test('keeps keys, credits, ids and cursors', async () => {
    const upgraded = await createTestDatabase({ migrated: false });
    const folders = await Promise.all(serviceSchemas.map(foldersOf));
    const connectionString = upgraded.url;
    for (const [index, { schema }] of serviceSchemas.entries()) {
      const migrationsDir = folders[index]?.before ?? '';
      await applyMigrations({ connectionString, schema, migrationsDir });
    }
    const data = new URL(`frozen/${folders[0]?.version}.sql`, import.meta.url);
    const client = new pg.Client({ connectionString });
    await client.connect();
    await client.query(await readFile(data, 'utf8'));
    for (const [index, { schema, privileges }] of serviceSchemas.entries()) {
      const migrationsDir = folders[index]?.after ?? '';
      const target = { connectionString, schema, migrationsDir, privileges };
      const { applied } = await applyMigrations(target);
      if (folders[index]?.version === 'next') expect(applied).toEqual(['9999_example']);
    }
    await client.end();

    const product = await startProduct({
      programs: ['access-api', 'worker', 'data-api', 'data-worker'],
      database: upgraded,
    });
    try {
      const get = async (path: string, key = KEY) => {
        const headers = { authorization: `Bearer ${key}` };
        const reply = await fetch(`${product.dataUrl}/v2${path}`, { headers });
        const remaining = Number(reply.headers.get('x-ratelimit-remaining'));
        return { status: reply.status, remaining, body: JSON.parse(await reply.text()) };
      };
      expect((await get('/startups', REVOKED_KEY)).status).toBe(401);
      // 460 of the purchased credits are left; the allowance is that of this month.
      expect((await get('/signals/types')).remaining).toBe(FREE_ALLOWANCE + 460);
      expect((await get('/startups?$select=Id,Name&$orderby=Name')).body).toEqual([
        { Id: '00000000-0000-4000-8000-000000000001', Name: 'Alder' },
        { Id: '00000000-0000-4000-8000-000000000002', Name: 'Birch' },
      ]);
      const rounds = `/startups/fundingrounds?$select=Id,Amount,InvestorNames`;
      expect((await get(rounds)).body).toEqual([
        {
          Id: '00000000-0000-4000-8000-0000000000b1',
          Amount: 2_000_000,
          InvestorNames: ['Northwind Capital'],
        },
      ]);
      // Derived by the data worker of records from before.
      await eventually(async () => {
        const funds = await get('/funds?$select=Name,FirstInvestmentDate');
        expect(funds.body).toEqual([
          { Name: 'Northwind Capital', FirstInvestmentDate: '2025-05-04' },
        ]);
      });
      // The next of the published signals, and the one that waited for its publication.
      await eventually(async () => {
        const { body } = await get(`/signals?order=asc&cursor=${CURSOR}`);
        expect(body.signals.map(({ type }: { type: string }) => type)).toEqual([
          'round.recorded',
          'news.mention',
        ]);
        expect(body.signals[0].id).toBe('d38beb6b-45e2-554b-9564-aa7ba49aaa6d');
      });
    } finally {
      await product.close();
    }
  });
});

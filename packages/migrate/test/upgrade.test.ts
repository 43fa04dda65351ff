import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, expect, test } from '@jest/globals';
import { createTestDatabase } from '@vcds/test-kit';
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
       created_at, digest_bucket, digest_position)
     VALUES ($1, $2, $3, 'new', 'operator', '{}', false, now(), 0, 1)`,
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

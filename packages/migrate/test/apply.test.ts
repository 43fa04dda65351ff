import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  applyMigrations,
  checkMigrations,
  type MigrationTarget,
  resolveMigration,
} from '@vcds/migrate';
import { createTestDatabase, eventually, type TestDatabase, testFolder } from '@vcds/test-kit';
import pg from 'pg';
import { writeMigration } from './write-migration.ts';

const TABLES = 'CREATE TABLE note (id int PRIMARY KEY, body text);';
const TRIGGER = `
  CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN NEW.body := 'a;b'; RETURN NEW; END $$;
  CREATE TRIGGER stamp BEFORE INSERT ON note FOR EACH ROW EXECUTE FUNCTION stamp();`;

const GRANTABLE = 'CREATE TABLE other (id int);';

let database: TestDatabase;
let target: MigrationTarget;

beforeEach(async () => {
  database = await createTestDatabase({ migrated: false });
  const migrationsDir = await testFolder('vcds-migrations-');
  target = { connectionString: database.url, schema: 'notes', migrationsDir };
});

afterEach(async () => {
  await database.drop();
});

const migration = (name: string, sql: string) => writeMigration(target.migrationsDir, name, sql);

async function query<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

function passwordUrl(url: string, user: string, password: string): { connectionString: string } {
  const connection = new URL(url);
  connection.username = user;
  connection.password = password;
  return { connectionString: connection.href };
}

describe('applyMigrations', () => {
  test('applies in order of name, in the schema given, and records it there', async () => {
    await migration('0002_trigger', TRIGGER);
    await migration('0001_tables', TABLES);
    const { applied } = await applyMigrations(target);
    expect(applied).toEqual(['0001_tables', '0002_trigger']);
    const rows = await query<{ name: string; steps: number }>(
      `SELECT migration_name AS name, applied_steps_count AS steps
         FROM notes._prisma_migrations WHERE finished_at IS NOT NULL ORDER BY 1`,
    );
    expect(rows).toEqual([
      { name: '0001_tables', steps: 1 },
      { name: '0002_trigger', steps: 1 },
    ]);
  });

  test('runs function bodies and literals that contain semicolons', async () => {
    await migration('0001_all', `${TABLES}${TRIGGER} INSERT INTO note VALUES (1, 'x;y');`);
    await applyMigrations(target);
    expect(await query('SELECT body FROM notes.note')).toEqual([{ body: 'a;b' }]);
  });

  test('applies nothing the second time', async () => {
    await migration('0001_tables', TABLES);
    await applyMigrations(target);
    expect(await applyMigrations(target)).toEqual({ applied: [], later: [], missingRoles: [] });
  });

  test('applies each migration once when several processes start at once', async () => {
    await migration('0001_tables', TABLES);
    await migration('0002_trigger', TRIGGER);
    const runs = await Promise.all([1, 2, 3, 4].map(() => applyMigrations(target)));
    expect(runs.flatMap(({ applied }) => applied)).toEqual(['0001_tables', '0002_trigger']);
  });

  test('keeps two schemas of one database apart', async () => {
    await migration('0001_tables', TABLES);
    await applyMigrations(target);
    const { applied } = await applyMigrations({ ...target, schema: 'other "notes"' });
    expect(applied).toEqual(['0001_tables']);
  });

  test('grants privileges after the migrations, each time, and creates the roles for it', async () => {
    await migration('0001_tables', TABLES);
    const role = `vcds_test_${randomUUID().slice(0, 8)}`;
    const file = join(target.migrationsDir, 'privileges.sql');
    await writeFile(file, `GRANT SELECT ON notes.note TO ${role};`);
    const privileges = { roles: [role], file };
    try {
      expect((await applyMigrations({ ...target, privileges })).missingRoles).toEqual([]);
      await query(`REVOKE ALL ON notes.note FROM ${role}`);
      await applyMigrations({ ...target, privileges });
      expect(await query(`SELECT has_table_privilege('${role}', 'notes.note', 'SELECT')`)).toEqual([
        { has_table_privilege: true },
      ]);
    } finally {
      await query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
  });

  test('lets a role log in with its password, and with its new one after a change', async () => {
    await migration('0001_tables', TABLES);
    const role = `vcds_test_${randomUUID().slice(0, 8)}`;
    const file = join(target.migrationsDir, 'privileges.sql');
    await writeFile(file, `GRANT USAGE ON SCHEMA notes TO ${role};`);
    const logIn = async (password: string) => {
      const client = new pg.Client(passwordUrl(database.url, role, password));
      try {
        await client.connect();
        const { rows } = await client.query('SELECT current_user AS name');
        return rows[0].name;
      } finally {
        await client.end().catch(() => undefined);
      }
    };
    const apply = (password: string) =>
      applyMigrations({
        ...target,
        privileges: { roles: [role], file, passwords: new Map([[role, password]]) },
      });
    try {
      await apply('first');
      expect(await logIn('first')).toBe(role);
      await apply('sécond');
      expect(await logIn('sécond')).toBe(role);
      await expect(logIn('first')).rejects.toMatchObject({ code: '28P01' });
    } finally {
      await query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
  });

  test('names the roles that are missing where it may not create them', async () => {
    await migration('0001_tables', TABLES);
    const [owner, role] = ['owner', 'reader'].map((name) => `vcds_test_${name}_${Date.now()}`);
    const name = new URL(database.url).pathname.slice(1);
    await query(
      `CREATE ROLE ${owner} LOGIN PASSWORD 'x'; GRANT CREATE ON DATABASE ${name} TO ${owner}`,
    );
    const connection = new URL(database.url);
    connection.username = owner ?? '';
    connection.password = 'x';
    const file = join(target.migrationsDir, 'privileges.sql');
    await writeFile(file, `GRANT SELECT ON notes.note TO ${role};`);
    try {
      const privileges = { roles: [role ?? ''], file };
      const connectionString = connection.href;
      const { applied, missingRoles } = await applyMigrations({
        ...target,
        connectionString,
        privileges,
      });
      expect({ applied, missingRoles }).toEqual({ applied: ['0001_tables'], missingRoles: [role] });
    } finally {
      await query(`DROP OWNED BY ${owner} CASCADE; DROP ROLE ${owner}`);
    }
  });
});

describe('a migration that fails', () => {
  const GOOD = 'CREATE TABLE lost (id int);';

  test.each([
    [
      'a wrong name',
      `${GOOD}\nINSERT INTO note VALUES (1, '😀;');\n\nSELECT 1, nothing FROM note;`,
      'failed in statement 3, line 4, column 11: column "nothing" does not exist.',
    ],
    [
      'a wrong word',
      `${GOOD}\n  SELEC 1;`,
      'failed in statement 1, line 2, column 3: syntax error',
    ],
    [
      'a wrong value',
      `${GOOD} INSERT INTO note VALUES (1); INSERT INTO note VALUES (1);`,
      'failed in statement 3: duplicate key value violates unique constraint "note_pkey".',
    ],
    [
      'an error in a block',
      `${GOOD}\nDO $$ BEGIN\n  PERFORM 1 / 0; END $$;`,
      'failed in statement 2: division by zero (',
    ],
  ])('%s: says where, and leaves nothing', async (_, sql, message) => {
    await migration('0001_tables', TABLES);
    await migration('0002_bad', sql);
    await expect(applyMigrations(target)).rejects.toMatchObject({
      code: 'migration_failed',
      message: expect.stringContaining(`Migration 0002_bad ${message}`),
    });
    expect(await query(`SELECT to_regclass('notes.lost') AS found`)).toEqual([{ found: null }]);
    expect(await query('SELECT migration_name AS name FROM notes._prisma_migrations')).toEqual([
      { name: '0001_tables' },
    ]);
    await migration('0002_bad', TRIGGER);
    expect((await applyMigrations(target)).applied).toEqual(['0002_bad']);
  });

  test('by the end of its process leaves nothing either, and is applied the next time', async () => {
    await migration('0001_tables', TABLES);
    await migration('0002_slow', `${GOOD} SELECT pg_sleep(60);`);
    const program = fileURLToPath(new URL('fixtures/apply.mjs', import.meta.url));
    const child = spawn(process.execPath, [program, JSON.stringify(target)]);
    const ended = once(child, 'exit');
    await eventually(async () => {
      const { length } = await query("SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
      return length === 1;
    });
    child.kill('SIGKILL');
    await ended;
    await migration('0002_slow', GOOD);
    // The server ends the statement of the process that is gone, and with it the lock.
    expect(await applyMigrations({ ...target, lockTimeoutSeconds: 30 })).toMatchObject({
      applied: ['0002_slow'],
    });
  });
});

describe('a migration that another program left unfinished', () => {
  const unfinished = (name: string) =>
    query(
      `INSERT INTO notes._prisma_migrations (id, checksum, migration_name) VALUES ('a', '', '${name}')`,
    );

  beforeEach(async () => {
    await migration('0001_tables', TABLES);
    await applyMigrations(target);
    await migration('0002_trigger', TRIGGER);
    await unfinished('0002_trigger');
  });

  test('stops every run until it is resolved as rolled back, and is then applied', async () => {
    await expect(applyMigrations(target)).rejects.toMatchObject({
      code: 'failed_before',
      message: expect.stringContaining('migration 0002_trigger of schema notes was begun by'),
    });
    await resolveMigration(target, '0002_trigger', 'rolled-back');
    expect((await applyMigrations(target)).applied).toEqual(['0002_trigger']);
  });

  test('can be recorded as done by hand, once', async () => {
    await resolveMigration(target, '0002_trigger', 'applied');
    expect((await applyMigrations(target)).applied).toEqual([]);
    await expect(resolveMigration(target, '0002_trigger', 'applied')).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

/** Other states of a database than those this version has made, one per row. */
describe('before anything is applied or granted', () => {
  const troubleshooting = readFile(
    new URL('../../../docs/troubleshooting.md', import.meta.url),
    'utf8',
  );
  const EDITED = `${TABLES} -- an afterthought`;

  test.each([
    {
      state: 'an edited migration',
      files: { '0001_tables': EDITED },
      code: 'edited',
      message: 'was made from another text of 0001_tables',
    },
    {
      state: 'a migration that this version does not have',
      files: { '0001_notes': TABLES, '0002_trigger': TRIGGER },
      code: 'missing',
      message: 'has migrations that this version does not have (0001_tables)',
    },
    {
      state: 'a migration of another branch',
      files: { '0001_tables': TABLES, '0003_other': GRANTABLE },
      code: 'missing',
      message: 'has migrations that this version does not have (0002_trigger)',
    },
    {
      state: 'an earlier migration that was left out',
      files: { '0001_tables': TABLES, '0001_z': GRANTABLE, '0002_trigger': TRIGGER },
      code: 'missing',
      message: 'has 0002_trigger, but not the earlier 0001_z',
    },
  ])(
    '$state is an error with what to do, which the page of troubleshooting explains',
    async ({ files, code, message }) => {
      await migration('0001_tables', TABLES);
      await migration('0002_trigger', TRIGGER);
      await applyMigrations(target);
      await rm(target.migrationsDir, { recursive: true });
      for (const [name, sql] of Object.entries(files)) await migration(name, sql);
      await migration('0009_pending', GRANTABLE);
      const file = join(target.migrationsDir, 'privileges.sql');
      await writeFile(file, 'CREATE TABLE notes.granted ()');
      const privileges = { roles: [], file };
      const failure = await applyMigrations({ ...target, privileges }).catch((error) => error);
      expect(failure).toMatchObject({ code });
      expect(failure.message).toContain(`Nothing was changed: schema notes ${message}`);
      await expect(checkMigrations(target)).rejects.toThrow(failure.message);
      expect(await query(`SELECT to_regclass('notes.granted') AS found`)).toEqual([
        { found: null },
      ]);
      const generic = message.replaceAll(/\d{4}_\w+/g, '…');
      expect(await troubleshooting).toContain(`\`schema … ${generic}\``);
    },
  );

  test('a database of a later version is left as it is, without an error', async () => {
    await migration('0001_tables', TABLES);
    await migration('0002_trigger', TRIGGER);
    await applyMigrations(target);
    await rm(join(target.migrationsDir, '0002_trigger'), { recursive: true });
    const privileges = { roles: [], file: join(target.migrationsDir, 'nowhere') };
    expect(await applyMigrations({ ...target, privileges })).toEqual({
      applied: [],
      later: ['0002_trigger'],
      missingRoles: [],
    });
  });

  test('ends of lines that Git changed are the same text', async () => {
    await migration('0001_tables', `${TABLES}\n`);
    await applyMigrations(target);
    await migration('0001_tables', `${TABLES}\r\n`);
    expect(await applyMigrations(target)).toMatchObject({ applied: [] });
  });
});

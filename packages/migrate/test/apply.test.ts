import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  applyMigrations,
  type MigrationTarget,
  resolveMigration,
  rolePasswords,
} from '@vcds/migrate';
import { createTestDatabase, freePort, type TestDatabase, testFolder } from '@vcds/test-kit';
import pg from 'pg';

const TABLES = 'CREATE TABLE note (id int PRIMARY KEY, body text);';
const TRIGGER = `
  CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN NEW.body := 'a;b'; RETURN NEW; END $$;
  CREATE TRIGGER stamp BEFORE INSERT ON note FOR EACH ROW EXECUTE FUNCTION stamp();`;

let database: TestDatabase;
let target: MigrationTarget;

beforeEach(async () => {
  database = await createTestDatabase({ migrated: false });
  const migrationsDir = await testFolder('vcds-migrations-');
  await writeFile(join(migrationsDir, 'migration_lock.toml'), 'provider = "postgresql"\n');
  target = { connectionString: database.url, schema: 'notes', migrationsDir };
});

afterEach(async () => {
  await database.drop();
});

async function migration(name: string, sql: string): Promise<void> {
  await mkdir(join(target.migrationsDir, name), { recursive: true });
  await writeFile(join(target.migrationsDir, name, 'migration.sql'), sql);
}

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

describe('rolePasswords', () => {
  test('are those of the connection strings of services and commands, decoded', () => {
    const passwords = rolePasswords({
      DATABASE_URL: 'postgres://vcds_data_api:a%2Fb@db/vcds',
      ACCESS_DATABASE_URL: 'postgres://vcds_access_api:c@db/vcds',
      IMPORT_DATABASE_URL: '',
      MIGRATION_DATABASE_URL: 'postgres://vcds_owner:o@db/vcds',
    });
    expect([...passwords]).toEqual([
      ['vcds_data_api', 'a/b'],
      ['vcds_access_api', 'c'],
    ]);
  });
});

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
    expect(await applyMigrations(target)).toEqual({ applied: [], edited: [], missingRoles: [] });
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

  test('names what was edited after it had been applied', async () => {
    await migration('0001_tables', TABLES);
    await applyMigrations(target);
    await migration('0001_tables', `${TABLES} -- an afterthought`);
    expect(await applyMigrations(target)).toMatchObject({ applied: [], edited: ['0001_tables'] });
  });
});

describe('a migration that fails', () => {
  beforeEach(async () => {
    await migration('0001_tables', TABLES);
    await migration('0002_bad', 'CREATE TABLE lost (id int);\nSELECT nothing FROM note;');
  });

  test('is named with the reason and the line, and leaves nothing of itself behind', async () => {
    await expect(applyMigrations(target)).rejects.toMatchObject({
      code: 'migration_failed',
      message:
        'Migration 0002_bad failed: column "nothing" does not exist (line 2 of its migration.sql).',
    });
    expect(await query(`SELECT to_regclass('notes.lost') AS found`)).toEqual([{ found: null }]);
    const [row] = await query<{ logs: string }>(
      `SELECT logs FROM notes._prisma_migrations WHERE migration_name = '0002_bad'`,
    );
    expect(row?.logs).toContain('column "nothing" does not exist');
  });

  test('blocks later runs until it is resolved, and then goes on', async () => {
    await expect(applyMigrations(target)).rejects.toThrow('0002_bad');
    await migration('0002_bad', TRIGGER);
    await expect(applyMigrations(target)).rejects.toMatchObject({ code: 'failed_before' });
    await resolveMigration(target, '0002_bad', 'rolled-back');
    expect((await applyMigrations(target)).applied).toEqual(['0002_bad']);
  });

  test('can be recorded as done by hand', async () => {
    await expect(applyMigrations(target)).rejects.toThrow('0002_bad');
    await resolveMigration(target, '0002_bad', 'applied');
    expect((await applyMigrations(target)).applied).toEqual([]);
  });
});

describe('what cannot be migrated', () => {
  test('a server that is not there is named, without its password', async () => {
    const port = await freePort();
    const connectionString = `postgres://user:secret@127.0.0.1:${port}/venture`;
    const failure = await applyMigrations({ ...target, connectionString }).catch((error) => error);
    expect(failure).toMatchObject({ code: 'database_unavailable' });
    expect(failure.message).toContain(`127.0.0.1:${port}/venture`);
    expect(failure.message).not.toContain('secret');
  });

  test('a schema created from other migrations is left as it is', async () => {
    await migration('0001_old_tables', TABLES);
    await applyMigrations(target);
    await rm(join(target.migrationsDir, '0001_old_tables'), { recursive: true });
    await migration('0001_tables', TABLES);
    const failure = await applyMigrations(target).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'other_history',
      message:
        'Schema notes was created from migrations that this version does not have ' +
        '(0001_old_tables). Use a new database and import the data again.',
    });
    const names = await query('SELECT migration_name AS name FROM notes._prisma_migrations');
    expect(names).toEqual([{ name: '0001_old_tables' }]);
  });

  test('later migrations of another version do not matter', async () => {
    await migration('0001_tables', TABLES);
    await migration('0002_trigger', TRIGGER);
    await applyMigrations(target);
    await rm(join(target.migrationsDir, '0002_trigger'), { recursive: true });
    expect(await applyMigrations(target)).toMatchObject({ applied: [], edited: [] });
    await migration('0003_index', 'CREATE INDEX ON note (body);');
    expect(await applyMigrations(target)).toMatchObject({ applied: ['0003_index'] });
  });

  test('a folder that is not there is named', async () => {
    const migrationsDir = join(target.migrationsDir, 'nowhere');
    await expect(applyMigrations({ ...target, migrationsDir })).rejects.toThrow(migrationsDir);
  });

  test('a database that another process migrates for too long is given up', async () => {
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('SELECT pg_advisory_lock(72707369)');
    await migration('0001_tables', TABLES);
    await expect(applyMigrations({ ...target, lockTimeoutSeconds: 1 })).rejects.toMatchObject({
      code: 'lock_timeout',
    });
    await holder.end();
  });
});

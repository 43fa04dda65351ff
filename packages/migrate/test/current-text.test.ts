import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freezeMigrations, readFrozen, serviceSchemas, unfrozenMigrations } from '@vcds/migrate';
import { readMigrations } from '@vcds/service-kit/migrations';
import { createTestDatabase, type TestDatabase, testFolder } from '@vcds/test-kit';
import pg from 'pg';

/** Records every object that a statement creates, alters or drops, also from a DO block. */
const LOG_STATEMENTS = `
  CREATE SCHEMA ddl;
  CREATE TABLE ddl.log (
    command text, object_type text, identity text, n int GENERATED ALWAYS AS IDENTITY);
  CREATE FUNCTION ddl.log_command() RETURNS event_trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO ddl.log (command, object_type, identity)
    SELECT tg_tag, c.object_type, c.object_identity FROM pg_event_trigger_ddl_commands() c
    WHERE NOT c.in_extension;
  END $$;
  CREATE FUNCTION ddl.log_drop() RETURNS event_trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO ddl.log (command, object_type, identity)
    SELECT tg_tag, d.object_type, d.object_identity FROM pg_event_trigger_dropped_objects() d
    WHERE d.original AND NOT d.is_temporary;
  END $$;
  CREATE EVENT TRIGGER log_command ON ddl_command_end EXECUTE FUNCTION ddl.log_command();
  CREATE EVENT TRIGGER log_drop ON sql_drop EXECUTE FUNCTION ddl.log_drop();`;

/** PostgreSQL has no CREATE for the mapping of a text search configuration. */
const CREATES = /^(CREATE |ALTER TEXT SEARCH CONFIGURATION$)/;

/** A migration is one transaction, with its row in the history. */
const TRANSACTION_END = /^\s*(BEGIN|COMMIT|ROLLBACK|START TRANSACTION)\s*;/im;

const REDEFINITION = 'CREATE OR REPLACE';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(LOG_STATEMENTS);
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

async function apply(script: string): Promise<void> {
  await client.query('TRUNCATE ddl.log');
  await client.query(script);
}

/** Statements since the last apply that change an object instead of creating it. */
async function changes(): Promise<string[]> {
  const { rows } = await client.query<{ command: string; identity: string }>(
    'SELECT command, identity FROM ddl.log ORDER BY n',
  );
  return rows
    .filter(({ command }) => !CREATES.test(command))
    .map(({ command, identity }) => `${command} ${identity}`);
}

/** Functions that `venture.capture_changes()` creates a second time after a migration that adds a column. */
const GENERATED =
  /^venture\.change_(?:(?:startup|fund)(?:_computed)?|funding_round|post_valuation|person|news|holding)\(\)$/;

/** Functions, triggers and indexes that statements since the last apply created twice. */
async function repeated(): Promise<string[]> {
  const { rows } = await client.query<{ identity: string }>(
    `SELECT identity FROM ddl.log WHERE object_type IN ('function', 'aggregate', 'trigger', 'index')
     GROUP BY object_type, identity HAVING count(*) > 1 ORDER BY 1`,
  );
  return rows.map(({ identity }) => identity).filter((identity) => !GENERATED.test(identity));
}

describe('the unreleased migrations have one text for each object', () => {
  test('the log reports a redefinition, an alteration and a drop', async () => {
    const definition = 'FUNCTION public.one() RETURNS int LANGUAGE sql RETURN 1;';
    await apply(`CREATE ${definition} DO $$ BEGIN EXECUTE '${REDEFINITION} ${definition}'; END $$;
      CREATE TABLE public.note (id int); ALTER TABLE public.note ADD body text;
      DROP FUNCTION public.one();`);
    expect(await repeated()).toEqual(['public.one()']);
    expect(await changes()).toEqual(['ALTER TABLE public.note', 'DROP FUNCTION public.one()']);
  });

  test.each(serviceSchemas.map((service) => [service.service, service] as const))(
    '%s',
    async (_, { migrationsDir }) => {
      const unfrozen = unfrozenMigrations(migrationsDir);
      const frozen = readMigrations(migrationsDir).slice(0, -unfrozen.length || undefined);
      await apply(frozen.map(({ sql }) => sql).join('\n'));
      const scripts = unfrozen.map(({ sql }) => sql);
      const ends = scripts.filter((script) => TRANSACTION_END.test(script));
      expect(ends).toEqual([]);
      await apply(scripts.join('\n'));
      expect(await repeated()).toEqual([]);
      // Later ones may change what a release has.
      if (frozen.length > 0) return;
      expect(scripts.filter((script) => script.includes(REDEFINITION))).toEqual([]);
      expect(await changes()).toEqual([]);
    },
  );
});

describe('frozen migrations', () => {
  const migration = async (folder: string, name: string, sql: string) => {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, 'migration.sql'), sql);
  };

  test.each(serviceSchemas.map(({ service, migrationsDir }) => [service, migrationsDir]))(
    'of %s have the text of their release',
    (_, migrationsDir) => {
      expect(() => unfrozenMigrations(migrationsDir)).not.toThrow();
    },
  );

  test('may not be edited, deleted or preceded; later ones are frozen by the next release', async () => {
    const folder = await testFolder('vcds-frozen-');
    await migration(folder, '0001_one', 'SELECT 1;');
    await migration(folder, '0002_two', 'SELECT 2;');
    freezeMigrations(folder, '1.0.0');
    expect(() => freezeMigrations(folder, '1.0.0')).toThrow('1.0.0 is frozen already');
    await migration(folder, '0003_three', 'SELECT 3;');
    expect(unfrozenMigrations(folder).map(({ name }) => name)).toEqual(['0003_three']);
    freezeMigrations(folder, '1.1.0');
    const releases = readFrozen(folder).map(({ version, migrations }) => [
      version,
      ...migrations.map(({ name }) => name),
    ]);
    expect(releases).toEqual([
      ['1.0.0', '0001_one', '0002_two'],
      ['1.1.0', '0003_three'],
    ]);
    execFileSync('sha256sum', ['-c', 'frozen.sha256'], { cwd: folder });

    await migration(folder, '0002_two', 'SELECT 20;');
    expect(() => unfrozenMigrations(folder)).toThrow('0002_two is frozen, and was edited.');
    await migration(folder, '0002_two', 'SELECT 2;');
    await migration(folder, '0002_more', 'SELECT 2;');
    expect(() => unfrozenMigrations(folder)).toThrow('0002_more is before 0002_two');
    await rm(join(folder, '0002_more'), { recursive: true });
    await rm(join(folder, '0001_one'), { recursive: true });
    expect(() => unfrozenMigrations(folder)).toThrow('0001_one is frozen, and was deleted.');
  });
});

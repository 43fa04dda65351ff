import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serviceSchemas } from '@vcds/migrate';
import { readMigrations } from '@vcds/service-kit/migrations';
import { createTestDatabase, type TestDatabase } from '@vcds/test-kit';
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

/** Functions, triggers and indexes that statements since the last apply created twice. */
async function repeated(): Promise<string[]> {
  const { rows } = await client.query<{ identity: string }>(
    `SELECT identity FROM ddl.log WHERE object_type IN ('function', 'aggregate', 'trigger', 'index')
     GROUP BY object_type, identity HAVING count(*) > 1 ORDER BY 1`,
  );
  return rows.map(({ identity }) => identity);
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
      const scripts = readMigrations(migrationsDir).map(({ sql }) => sql);
      expect(scripts.filter((script) => script.includes(REDEFINITION))).toEqual([]);
      await apply(scripts.join('\n'));
      expect(await repeated()).toEqual([]);
      expect(await changes()).toEqual([]);
    },
  );
});

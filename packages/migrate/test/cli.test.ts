import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  applyMigrations,
  type MigrationTarget,
  rolePasswords,
  serviceSchemas,
} from '@vcds/migrate';
import { createTestDatabase, freePort, type TestDatabase, testFolder } from '@vcds/test-kit';
import pg from 'pg';
import { writeMigration } from './write-migration.ts';

const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

interface Outcome {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

function migrate(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Outcome> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, ...environment };
    execFile(process.execPath, [cli, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stdout, stderr });
    });
  });
}

let database: TestDatabase;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
  environment = { DATABASE_URL: database.url };
});

afterAll(async () => {
  await database.drop();
});

describe('migrate', () => {
  test('brings every service up to date, and says what it applied', async () => {
    const { code, stdout } = await migrate([], environment);
    expect(code).toBe(0);
    for (const { service } of serviceSchemas) {
      expect(stdout).toMatch(new RegExp(`^${service}: applied \\w+$`, 'm'));
    }
  });

  test('says so when there is nothing to do, here for one service', async () => {
    const { stdout } = await migrate(['data-api'], environment);
    expect(stdout).toBe('data-api: venture is up to date\n');
  });

  test('takes the database of access-api from its own variable first', async () => {
    const url = `postgres://127.0.0.1:${await freePort()}/elsewhere`;
    const { code, stderr } = await migrate(['access-api'], {
      ...environment,
      ACCESS_DATABASE_URL: url,
    });
    expect(code).toBe(1);
    expect(stderr).toContain('/elsewhere cannot be used');
  });

  test('counts an empty variable as not set', async () => {
    const { code, stderr } = await migrate(['access-api'], { ACCESS_DATABASE_URL: '' });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^ACCESS_MIGRATION_DATABASE_URL or ACCESS_DATABASE_URL or MIGRATION_DATABASE_URL or DATABASE_URL is not set/,
    );
    const given = { ...environment, ACCESS_DATABASE_URL: '' };
    expect((await migrate(['access-api'], given)).stdout).toMatch(/^access-api: /);
  });

  test('names the variable that is missing', async () => {
    const { code, stderr } = await migrate(['access-api'], {});
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^ACCESS_MIGRATION_DATABASE_URL or ACCESS_DATABASE_URL or MIGRATION_DATABASE_URL or DATABASE_URL is not set/,
    );
  });

  test.each([
    [['billing-api'], 'Unknown service "billing-api"'],
    [['--frobnicate'], "Unknown option '--frobnicate'"],
    [['--applied', '0001_record_tables'], 'Name the service of the migration.'],
  ])('rejects %j with the reason and the usage', async (args, reason) => {
    const { code, stderr } = await migrate(args, environment);
    expect(code).toBe(2);
    expect(stderr).toContain(reason);
    expect(stderr).toContain('migrate [data-api|access-api]');
  });

  test('prints its usage', async () => {
    const { code, stdout } = await migrate(['--help'], {});
    expect(code).toBe(0);
    expect(stdout).toContain('ACCESS_DATABASE_URL');
  });
});

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

describe('what cannot be migrated', () => {
  let target: MigrationTarget;
  beforeEach(async () => {
    const migrationsDir = await testFolder('vcds-migrations-');
    target = { connectionString: database.url, schema: 'notes', migrationsDir };
  });

  test('a server that is not there is named, without its password', async () => {
    const port = await freePort();
    await writeMigration(target.migrationsDir, '0001_tables', 'CREATE TABLE note (id int)');
    const connectionString = `postgres://user:secret@127.0.0.1:${port}/venture`;
    const failure = await applyMigrations({ ...target, connectionString }).catch((error) => error);
    expect(failure).toMatchObject({ code: 'database_unavailable' });
    expect(failure.message).toContain(`127.0.0.1:${port}/venture`);
    expect(failure.message).not.toContain('secret');
  });

  test('a folder that is not there is named', async () => {
    const migrationsDir = join(target.migrationsDir, 'nowhere');
    await expect(applyMigrations({ ...target, migrationsDir })).rejects.toThrow(migrationsDir);
  });

  test('a database that another process migrates for too long is given up', async () => {
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('SELECT pg_advisory_lock(72707369)');
    await writeMigration(target.migrationsDir, '0001_tables', 'CREATE TABLE note (id int)');
    await expect(applyMigrations({ ...target, lockTimeoutSeconds: 1 })).rejects.toMatchObject({
      code: 'lock_timeout',
    });
    await holder.end();
  });
});

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serviceSchemas } from '@vcds/migrate';
import { createTestDatabase, freePort, type TestDatabase } from '@vcds/test-kit';

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

import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ServiceSchema } from '@vcds/migrate';
import { createTestDatabase, type TestDatabase, testFolder } from '@vcds/test-kit';
import { migrateStores } from '../src/stack/migrate-stores.ts';

let database: TestDatabase;
let migrationsDir: string;
let notes: string[];

beforeEach(async () => {
  notes = [];
  database = await createTestDatabase({ migrated: false });
  migrationsDir = await testFolder('vcds-stores-');
  await mkdir(join(migrationsDir, '0001_notes'));
  await write('0001_notes', 'CREATE TABLE note (id int);');
  await writeFile(join(migrationsDir, 'privileges.sql'), '');
});

afterEach(async () => {
  await database.drop();
});

async function write(name: string, sql: string): Promise<void> {
  await writeFile(join(migrationsDir, name, 'migration.sql'), sql);
}

function migrate(isEmbedded: boolean): Promise<void> {
  const schema: ServiceSchema = {
    service: 'data-api',
    schema: 'notes',
    migrationsDir,
    privileges: { roles: [], file: join(migrationsDir, 'privileges.sql') },
    databaseVariables: ['DATABASE_URL'],
  };
  const step = { update: () => undefined, done: () => undefined, fail: () => undefined };
  const progress = { note: (text: string) => notes.push(text), step: () => step };
  return migrateStores([schema], { DATABASE_URL: database.url }, { progress, isEmbedded });
}

const FRESH_START = ' Or start again with: npm start -- --fresh';

test('a database from other migrations is an error; an embedded one has a command in it', async () => {
  await migrate(true);
  const failsWith = async (reason: string) => {
    await expect(migrate(true)).rejects.toThrow(reason);
    await expect(migrate(true)).rejects.toThrow(FRESH_START);
    await expect(migrate(false)).rejects.toThrow(reason);
    await expect(migrate(false)).rejects.not.toThrow(FRESH_START);
  };
  await write('0001_notes', 'CREATE TABLE note (id bigint);');
  await failsWith('schema notes was made from another text of 0001_notes.');
  await rename(join(migrationsDir, '0001_notes'), join(migrationsDir, '0001_tables'));
  await failsWith('schema notes has migrations that this version does not have (0001_notes).');
  expect(notes).toEqual([]);
});

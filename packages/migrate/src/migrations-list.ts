import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  MigrationDirectory,
  MigrationList,
} from '@prisma/schema-engine-wasm/schema_engine_bg';
import { errorCode } from '@vcds/service-kit/error-code';

/**
 * A `prisma/migrations` folder as the engine wants it: every sub-folder with its
 * `migration.sql`, in order of name, and `migration_lock.toml`.
 * @throws Error when the folder, or a sub-folder's `migration.sql`, cannot be read.
 */
export async function readMigrationsList(migrationsDir: string): Promise<MigrationList> {
  const entries = await readdir(migrationsDir, { withFileTypes: true }).catch((cause: Error) => {
    throw new Error(`The migrations folder ${migrationsDir} cannot be read.`, { cause });
  });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return {
    baseDir: migrationsDir,
    lockfile: { path: 'migration_lock.toml', content: await readLockfile(migrationsDir) },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.sort().map((name) => readMigration(migrationsDir, name)),
    ),
  };
}

async function readMigration(migrationsDir: string, name: string): Promise<MigrationDirectory> {
  const content = await readFile(join(migrationsDir, name, 'migration.sql'), 'utf8');
  return {
    path: name,
    migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: content } },
  };
}

async function readLockfile(migrationsDir: string): Promise<string | null> {
  try {
    return await readFile(join(migrationsDir, 'migration_lock.toml'), 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

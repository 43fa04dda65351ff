import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes a migration into a folder of migrations, over one of the same name. */
export async function writeMigration(folder: string, name: string, sql: string): Promise<void> {
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, name, 'migration.sql'), sql);
}

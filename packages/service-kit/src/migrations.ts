import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One `prisma/migrations/NAME/migration.sql`. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the text, as `_prisma_migrations` has it. */
  readonly checksum: string;
}

/**
 * The migrations of a folder in the order in which they are applied.
 * @param folder absolute path of a `prisma/migrations` folder.
 * @throws Error if the folder, or the `migration.sql` of one, cannot be read, or it has none.
 */
export function readMigrations(folder: string): readonly Migration[] {
  const names = namesIn(folder).sort();
  if (names.length === 0) throw new Error(`The migrations folder ${folder} contains no migration.`);
  return names.map((name) => {
    const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8');
    return { name, sql, checksum: checksumOf(sql) };
  });
}

function namesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (cause) {
    throw new Error(`The migrations folder ${folder} cannot be read.`, { cause });
  }
}

/** Git may have changed the ends of the lines: that is not another text. */
function checksumOf(sql: string): string {
  return createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex');
}

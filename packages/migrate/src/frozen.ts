import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Migration, readMigrations } from '@vcds/service-kit/migrations';

/** In the format of `sha256sum`; a line `# VERSION` begins the migrations of a release. */
const FROZEN_FILE = 'frozen.sha256';
const LINE = /^([0-9a-f]{64}) {2}(.+)\/migration\.sql$/;

/** The migrations that one release added; they never change after it. */
export interface FrozenRelease {
  readonly version: string;
  readonly migrations: readonly Pick<Migration, 'name' | 'checksum'>[];
}

/** The releases of a `prisma/migrations` folder, the oldest first. @throws Error for a wrong line. */
export function readFrozen(migrationsDir: string): readonly FrozenRelease[] {
  const file = join(migrationsDir, FROZEN_FILE);
  if (!existsSync(file)) return [];
  const sections = readFileSync(file, 'utf8').split(/^# /m).slice(1);
  return sections.map((section) => {
    const [version = '', ...lines] = section.trimEnd().split('\n');
    return { version, migrations: lines.map((line) => migrationOf(line, file)) };
  });
}

function migrationOf(line: string, file: string): FrozenRelease['migrations'][number] {
  const [, checksum, name] = LINE.exec(line) ?? [];
  if (checksum === undefined || name === undefined)
    throw new Error(`${file} has the line: ${line}`);
  return { name, checksum };
}

/**
 * The migrations that no release contains yet.
 * @throws Error if a frozen one was edited or deleted, or another one is before the last of them.
 */
export function unfrozenMigrations(migrationsDir: string): readonly Migration[] {
  const frozen = readFrozen(migrationsDir).flatMap(({ migrations }) => migrations);
  const migrations = readMigrations(migrationsDir);
  for (const [index, { name, checksum }] of frozen.entries()) {
    const found = migrations.find((each) => each.name === name);
    if (found === undefined) throw new Error(`Migration ${name} is frozen, and was deleted.`);
    if (found.checksum !== checksum)
      throw new Error(`Migration ${name} is frozen, and was edited.`);
    const other = migrations[index];
    if (other === found) continue;
    throw new Error(`Migration ${other?.name} is before ${name}, which is frozen. Rename it.`);
  }
  return migrations.slice(frozen.length);
}

/**
 * Freezes the migrations that no release contains yet as those of `version`.
 * @throws Error as {@link unfrozenMigrations}, or if that version is frozen already.
 */
export function freezeMigrations(migrationsDir: string, version: string): readonly Migration[] {
  const added = unfrozenMigrations(migrationsDir);
  if (readFrozen(migrationsDir).some((release) => release.version === version)) {
    throw new Error(`Version ${version} is frozen already. Set the next one in package.json.`);
  }
  const lines = added.map(({ name, checksum }) => `${checksum}  ${name}/migration.sql\n`).join('');
  appendFileSync(join(migrationsDir, FROZEN_FILE), `# ${version}\n${lines}`);
  return added;
}

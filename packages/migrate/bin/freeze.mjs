// `npm run freeze`: freezes the migrations of the version in package.json (CONTRIBUTING.md#a-release).
import { copyFileSync, readFileSync } from 'node:fs';
import { freezeMigrations, serviceSchemas, unfrozenMigrations } from '../dist/index.js';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url)));
try {
  // Of all, before one changes.
  for (const { migrationsDir } of serviceSchemas) unfrozenMigrations(migrationsDir);
  for (const { service, migrationsDir } of serviceSchemas) {
    const added = freezeMigrations(migrationsDir, version).map(({ name }) => name);
    process.stdout.write(`${service} ${version}: ${added.join(', ') || 'no new migration'}\n`);
  }
  const folder = new URL('../test/frozen/', import.meta.url);
  copyFileSync(new URL('next.sql', folder), new URL(`${version}.sql`, folder));
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

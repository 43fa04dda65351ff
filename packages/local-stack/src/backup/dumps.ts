import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { applyMigrations, databaseUrl, serviceSchemas as schemas } from '@vcds/migrate';
import pg from 'pg';
import { openGuardian } from '../processes/guardian.ts';
import { reported } from '../stack/progress.ts';
import { StackError } from '../stack/stack-error.ts';
import { repositoryRoot } from '../state.ts';
import { runAdmin, runProgram } from './programs.ts';
import type { Restore } from './run-restore.ts';

const NOT_FOUND = /command not found|: not found/;
const ADVICE =
  'Install bash, sha256sum and the client programs of PostgreSQL, of the version of the server or newer ' +
  '(Debian: postgresql-client-18).';

/** Dumps an external database to a new folder, while services run. */
export async function backUpDumps(environment: NodeJS.ProcessEnv, folder: string): Promise<void> {
  await runScript('backup', environment, { cwd: dirname(folder), NAME: basename(folder) });
}

/**
 * Replaces the schemas of an external database by dumps, in one transaction for each server, then
 * empties Redis, which the services fill again, and grants the privileges.
 * @throws StackError if services run, a file is damaged, or data exists and is not to be replaced:
 *   nothing has changed then.
 */
export async function restoreDumps(restore: Restore): Promise<void> {
  const { environment, folder, progress, product } = restore;
  if (!environment.REDIS_URL?.trim()) {
    throw new StackError('Set REDIS_URL: the balances in Redis must be rebuilt after a restore.');
  }
  if (!restore.replace) await assertEmpty(environment);
  await runScript('check', environment, { cwd: folder, BACKUP: folder });
  await reported(progress, 'Restoring the dumps', () =>
    runScript('restore', environment, { cwd: folder, BACKUP: folder }),
  );
  await reported(progress, 'Emptying Redis', async () => {
    const emptied = runAdmin(product.adminCommand, ['empty-redis', '--yes'], environment);
    await emptied.catch((error: Error) => {
      const repeat = 'Repeat the restore when Redis responds, before any service starts.';
      throw new StackError(`PostgreSQL is restored, but not Redis. ${error.message}\n${repeat}`);
    });
  });
  await reported(progress, 'Granting privileges', async () => {
    for (const service of product.schemas) {
      const connectionString = ownerUrl(service.schema, environment);
      await applyMigrations({ ...service, connectionString });
    }
  });
}

/** Runs a script of `docker/backup`, by which compose and Kubernetes back up and restore too. */
async function runScript(
  name: 'backup' | 'check' | 'restore',
  environment: NodeJS.ProcessEnv,
  { cwd, ...variables }: { readonly cwd: string; readonly [variable: string]: string },
): Promise<void> {
  const secrets = await mkdtemp(join(tmpdir(), 'vcds-backup-'));
  const passwords = join(secrets, 'passwords');
  const urls = schemas.map(({ schema }) => new URL(ownerUrl(schema, environment)));
  await writeFile(passwords, urls.map(passwordLine).join(''), { mode: 0o600 });
  const [venture = '', access = ''] = urls.map((url) => withoutPassword(url));
  const file = join(repositoryRoot, `docker/backup/${name}.sh`);
  // The dumps have hashes of passwords: only their owner may read them.
  const args = ['-euo', 'pipefail', '-c', 'umask 077; . "$0"', file];
  const env = {
    ...environment,
    ...(urls.some(({ password }) => password !== '')
      ? { PGPASSFILE: passwords, PGPASSWORD: undefined }
      : {}),
    PGOPTIONS: '-c client_min_messages=warning',
    ...{ MIGRATION_DATABASE_URL: venture, ACCESS_MIGRATION_DATABASE_URL: access, ...variables },
  };
  const guardian = openGuardian();
  try {
    await runProgram('bash', args, { cwd, env, guardian });
  } catch (error) {
    const isMissing = error instanceof StackError && NOT_FOUND.test(error.message);
    throw isMissing ? new StackError(`${error.message}\n${ADVICE}`) : error;
  } finally {
    await guardian.close();
    await rm(secrets, { recursive: true });
  }
}

/** A line of a password file: other users can read the arguments of a process, where the URLs are. */
function passwordLine({ hostname, port, pathname, username, password }: URL): string {
  if (password === '') return '';
  const parts = [hostname, port || '5432', pathname.slice(1), username, password];
  const escaped = parts.map((part) => decodeURIComponent(part).replaceAll(/[\\:]/g, '\\$&'));
  return `${escaped.join(':')}\n`;
}

function withoutPassword(url: URL): string {
  const copy = new URL(url);
  copy.password = '';
  return copy.href;
}

/** The URL of the owner of a schema. */
function ownerUrl(schema: string, environment: NodeJS.ProcessEnv): string {
  const service = schemas.find((each) => each.schema === schema);
  const url = service && databaseUrl(service, environment);
  if (!url) throw new StackError('No database. Set DATABASE_URL and MIGRATION_DATABASE_URL.');
  return url;
}

/** @throws StackError if the database has a schema of the product. */
async function assertEmpty(environment: NodeJS.ProcessEnv): Promise<void> {
  for (const { schema } of schemas) {
    const connectionString = ownerUrl(schema, environment);
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 15_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const found = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema]);
      if (found.rowCount) throw new StackError(hasData(`Schema ${schema}`));
    } finally {
      await client.end();
    }
  }
}

/** The sentence of a restore that would replace data. */
export function hasData(place: string): string {
  return `${place} has data. Add --replace to delete it and restore the backup.`;
}

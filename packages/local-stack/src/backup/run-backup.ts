import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { openGuardian } from '../processes/guardian.ts';
import { type Product, product as ventureProduct } from '../stack/product.ts';
import { type Progress, reported } from '../stack/progress.ts';
import { readSettings } from '../stack/settings.ts';
import { StackError } from '../stack/stack-error.ts';
import { repositoryRoot } from '../state.ts';
import { connect, ownerUrl } from './connections.ts';
import { copyFiles } from './copy-files.ts';
import { type Counts, readCounts, readMigrations } from './counts.ts';
import { assertProgram, DUMPS, dumpSchema, serverMajor } from './dump.ts';
import { type BackupFile, type Manifest, writeManifest } from './manifest.ts';
import { type BackupStores, drainLedger, openBackupStores } from './stores.ts';

/** Without them a restored installation loses cursors, open registrations and older tokens. */
const SECRETS_TO_KEEP = ['CURSOR_SECRET', 'CODE_SECRET', 'SERVICE_TOKEN_SECRET'];
const LEGACY_KEY = 'LEGACY_SIGNING_KEY';

export interface BackupOptions {
  /** The new folder of the backup; default: one named after the time, in `LOCAL_DIR/backups`. */
  readonly folder?: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
  readonly progress: Progress;
  /** Default: this product. */
  readonly product?: Product;
}

/** A copy of PostgreSQL and its description. */
type Copy = Pick<Manifest, 'method' | 'postgresVersion' | 'migrations' | 'counts' | 'folders'> & {
  readonly files: readonly BackupFile[];
};

/**
 * Backs up PostgreSQL to a folder, after it has moved the charges in Redis to PostgreSQL: by pg_dump
 * while the services run, or the files of the embedded one, whose stack must be stopped. Redis itself is not
 * copied: it is rebuilt from PostgreSQL.
 * @throws StackError if there is no database, the folder is not empty, or a program is missing.
 */
export async function runBackup(options: BackupOptions): Promise<string> {
  const { environment, progress, product = ventureProduct } = options;
  const settings = readSettings(environment, { empty: true });
  const createdAt = new Date().toISOString();
  const name = createdAt.slice(0, 19).replaceAll(':', '-');
  const folder = options.folder ?? join(settings.folders.local, 'backups', name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new StackError(`${folder} is not empty.`);
  const guardian = openGuardian();
  try {
    const stores = await openBackupStores({ product, settings, progress, guardian });
    try {
      const drained = await reported(progress, 'Draining the charges in Redis', () =>
        drainLedger(product.adminCommand, stores.environment),
      );
      const { files, ...copy } = await reported(progress, 'Copying PostgreSQL', () =>
        stores.embedded === undefined
          ? dumpAll(stores, folder)
          : copyEmbedded(stores, stores.embedded, folder),
      );
      const about = { createdAt, product: await productVersion(), ...copy };
      const keepSeparately = secretsToKeep(stores);
      const chargesDrained = drained ?? null;
      await writeManifest(folder, { ...about, chargesDrained, keepSeparately }, files);
    } finally {
      await stores.close();
    }
  } finally {
    await guardian.close();
  }
  return folder;
}

async function copyEmbedded(
  { stop }: BackupStores,
  { url, data }: NonNullable<BackupStores['embedded']>,
  folder: string,
): Promise<Copy> {
  const client = await connect(url);
  const counts: Counts = {};
  const migrations: Record<string, string[]> = {};
  let postgresVersion: string;
  let segment: string;
  try {
    for (const { schema } of DUMPS) {
      Object.assign(counts, await readCounts(client, schema));
      migrations[schema] = await readMigrations(client, schema);
    }
    postgresVersion = await serverVersion(client);
    const { rows } = await client.query('SELECT pg_walfile_name(pg_current_wal_lsn()) AS segment');
    segment = rows[0].segment;
  } finally {
    await client.end();
  }
  await stop();
  const copied = await copyFiles(data, folder, segment);
  return { method: 'files', postgresVersion, migrations, counts, ...copied };
}

/** Dumps each schema, and counts it in the snapshot of the dump. */
async function dumpAll({ environment }: BackupStores, folder: string): Promise<Copy> {
  const counts: Counts = {};
  const migrations: Record<string, string[]> = {};
  const files: BackupFile[] = [];
  let postgresVersion = '';
  for (const dump of DUMPS) {
    const url = ownerUrl(dump.schema, environment);
    const client = await connect(url);
    try {
      await assertProgram('pg_dump', await serverMajor(client));
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const { rows } = await client.query<{ name: string }>('SELECT pg_export_snapshot() AS name');
      Object.assign(counts, await readCounts(client, dump.schema));
      migrations[dump.schema] = await readMigrations(client, dump.schema);
      postgresVersion = await serverVersion(client);
      files.push(await dumpSchema(url, dump, folder, rows[0]?.name ?? ''));
      await client.query('COMMIT');
    } finally {
      await client.end();
    }
  }
  return { method: 'dump', postgresVersion, migrations, counts, folders: [], files };
}

async function serverVersion(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ version: string }>(
    `SELECT current_setting('server_version') AS version`,
  );
  return rows[0]?.version ?? '';
}

async function productVersion(): Promise<string> {
  const text = await readFile(join(repositoryRoot, 'package.json'), 'utf8');
  const { version }: { version: string } = JSON.parse(text);
  return version;
}

function secretsToKeep({ embedded }: BackupStores): string[] {
  return embedded === undefined
    ? [...SECRETS_TO_KEEP, LEGACY_KEY]
    : ['secrets.json', 'legacy-signing-key.pem'];
}

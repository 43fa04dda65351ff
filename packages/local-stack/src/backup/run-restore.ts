import { existsSync } from 'node:fs';
import { chown, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { applyMigrations } from '@vcds/migrate';
import { closeRedis, createLogger, createRedis, redisReady } from '@vcds/service-kit';
import { Cluster, type Redis } from 'ioredis';
import { postgresAccount } from '../account.ts';
import { freePort } from '../ports.ts';
import { startPostgres } from '../postgres/server.ts';
import { postgresProcess } from '../postgres/server-process.ts';
import { setSuperuserPassword } from '../postgres/superuser.ts';
import { openGuardian } from '../processes/guardian.ts';
import { runningPid, type ServerProcess } from '../processes/server-process.ts';
import { redisProcess } from '../redis/server-process.ts';
import { assertInPlace, REPLACED_FOLDER } from '../stack/local-state.ts';
import { lockFolder } from '../stack/lock.ts';
import { type Product, product as ventureProduct } from '../stack/product.ts';
import { type Progress, reported } from '../stack/progress.ts';
import { openSecrets } from '../stack/secrets.ts';
import { readSettings, type StackSettings } from '../stack/settings.ts';
import { StackError } from '../stack/stack-error.ts';
import { connect, ownerUrl } from './connections.ts';
import { placeFiles } from './copy-files.ts';
import { assertCounts, type Counts, readCounts } from './counts.ts';
import { assertProgram, DUMPS, restoreDump, serverMajor } from './dump.ts';
import { assertDigest, digestOf, type Manifest, readChecksums, readManifest } from './manifest.ts';
import { replaceFolder } from './replace-folder.ts';

const REDIS_MS_MAX = 10_000;

export interface RestoreOptions {
  readonly folder: string;
  /** Replace a database that exists. */
  readonly replace: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly progress: Progress;
  /** Default: this product. */
  readonly product?: Product;
}

interface Restore extends RestoreOptions {
  readonly settings: StackSettings;
  readonly manifest: Manifest;
}

/**
 * Empties Redis, which the services rebuild at their next start, restores a backup into stores whose
 * services are stopped, and checks the result against the manifest.
 * @throws StackError if the backup is damaged, services run, or data exists and `replace` is false;
 *   then the existing data is as it was.
 */
export async function runRestore(options: RestoreOptions): Promise<Manifest> {
  const settings = readSettings(options.environment, { empty: true });
  const manifest = await readManifest(options.folder);
  const isEmbedded = settings.databaseUrl === undefined;
  if (isEmbedded !== (manifest.method === 'files')) {
    throw new StackError(
      isEmbedded
        ? 'This backup was made with DATABASE_URL. Set DATABASE_URL to the database to restore.'
        : 'This backup is of the embedded PostgreSQL. Unset DATABASE_URL to restore it.',
    );
  }
  const restore = { ...options, settings, manifest };
  await (isEmbedded ? restoreFiles(restore) : restoreDumps(restore));
  return manifest;
}

async function restoreFiles(restore: Restore): Promise<void> {
  const { local, postgres, redis } = restore.settings.folders;
  const release = await lockFolder(local);
  try {
    // Before anything is deleted, also of an earlier restore.
    for (const data of [join(postgres, 'data'), join(postgres, 'restore/data')])
      await assertStopped(postgresProcess(data));
    await assertStopped(redisProcess(redis));
    assertInPlace(postgres);
    await replaceData(restore);
  } finally {
    await release();
  }
}

/** Prepares and checks the new data folder before it takes the place of an existing one. */
async function replaceData(restore: Restore): Promise<void> {
  const { settings, manifest, folder, progress } = restore;
  const { local, postgres, redis, logs } = settings.folders;
  const guardian = openGuardian();
  const draft = join(postgres, 'restore');
  try {
    const existing = ['data/PG_VERSION', REPLACED_FOLDER].map((name) => join(postgres, name));
    assertReplaced(restore, existing.some(existsSync), postgres);
    if (settings.redisUrl !== undefined) await checkRedis(restore, settings.redisUrl);
    const { secrets, isNew } = await openSecrets(local);
    if (isNew) progress.note(`${local} has no secrets.json, so it gets new secrets.`);
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true });
    const account = postgresAccount();
    if (account !== undefined) await chown(draft, account.uid, account.gid);
    const checksums = await readChecksums(folder, manifest);
    await reported(progress, 'Copying the files', () =>
      placeFiles(join(draft, 'data'), { folder, folders: manifest.folders, checksums, account }),
    );
    const password = secrets.postgresPassword;
    await setSuperuserPassword(join(draft, 'data'), password);
    await reported(progress, 'Checking the database', async () => {
      const port = await freePort();
      const logFile = join(logs, 'postgres.log');
      const server = { folder: draft, port, password, purpose: 'durable' as const, logFile };
      const { url, stop } = await startPostgres({ ...server, guardian });
      try {
        await checkCounts(() => url, manifest);
      } finally {
        await stop();
      }
    });
    await rm(redis, { recursive: true, force: true });
    if (settings.redisUrl !== undefined) await emptyRedis(restore, settings.redisUrl);
    const [data, aside] = [join(postgres, 'data'), join(postgres, REPLACED_FOLDER)];
    await replaceFolder(join(draft, 'data'), data, aside);
  } finally {
    await rm(draft, { recursive: true, force: true });
    await guardian.close();
  }
}

/** @throws StackError if a server that a killed stack has left still uses its folder. */
async function assertStopped(server: ServerProcess): Promise<void> {
  const pid = await runningPid(server);
  if (pid === undefined) return;
  throw new StackError(
    `${server.name} (process ${pid}) still uses ${server.folder}: its stack was killed. ` +
      `Stop it (kill -s ${server.stopSignal.slice(3)} ${pid}), then repeat the restore.`,
  );
}

async function restoreDumps(restore: Restore): Promise<void> {
  const { settings, manifest, folder, progress, environment } = restore;
  if (settings.redisUrl === undefined) {
    throw new StackError('Set REDIS_URL: the balances in Redis must be rebuilt after a restore.');
  }
  await checkRedis(restore, settings.redisUrl);
  const checksums = await readChecksums(folder, manifest);
  for (const [path, sha256] of checksums) {
    assertDigest(path, (await digestOf(join(folder, path))).sha256, sha256);
  }
  const urlOf = (schema: string) => ownerUrl(schema, environment);
  for (const dump of DUMPS) await checkDatabase(restore, dump.schemas, urlOf(dump.schema));
  await emptyRedis(restore, settings.redisUrl);
  for (const { schema, file, schemas } of DUMPS) {
    await reported(progress, `Restoring ${file}`, async () => {
      await dropSchemas(urlOf(schema), schemas);
      await restoreDump(urlOf(schema), join(folder, file));
    });
  }
  await reported(progress, 'Checking the database', async () => {
    const { schemas } = restore.product ?? ventureProduct;
    for (const service of schemas) {
      await applyMigrations({ ...service, connectionString: urlOf(service.schema) });
    }
    await checkCounts(urlOf, manifest);
  });
}

/** @throws StackError if a service is connected, or a schema exists and is not to be replaced. */
async function checkDatabase(
  restore: Restore,
  schemas: readonly string[],
  url: string,
): Promise<void> {
  const client = await connect(url);
  try {
    await assertProgram('pg_restore', await serverMajor(client));
    const { rows: sessions } = await client.query<{ names: string[] }>(
      `SELECT array_agg(DISTINCT coalesce(nullif(application_name, ''), usename::text)) AS names
       FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
         AND usename IS NOT NULL HAVING count(*) > 0`,
    );
    const names = sessions[0]?.names.join(', ');
    if (names !== undefined) {
      throw new StackError(`Stop the services first; these are connected: ${names}.`);
    }
    const { rowCount } = await client.query('SELECT FROM pg_namespace WHERE nspname = ANY ($1)', [
      schemas,
    ]);
    assertReplaced(restore, (rowCount ?? 0) > 0, new URL(url).pathname.slice(1));
  } finally {
    await client.end();
  }
}

async function dropSchemas(url: string, schemas: readonly string[]): Promise<void> {
  const client = await connect(url);
  try {
    for (const schema of schemas) await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  } finally {
    await client.end();
  }
}

function assertReplaced({ replace }: Restore, exists: boolean, place: string): void {
  if (!exists || replace) return;
  throw new StackError(`${place} has data. Add --replace to delete it and restore the backup.`);
}

async function checkCounts(urlOf: (schema: string) => string, manifest: Manifest): Promise<void> {
  const counts: Counts = {};
  for (const { schema } of DUMPS) {
    const client = await connect(urlOf(schema));
    try {
      Object.assign(counts, await readCounts(client, schema));
    } finally {
      await client.end();
    }
  }
  assertCounts(counts, manifest.counts);
}

/** The Redis nodes with data of their own. @throws StackError if there is data to replace. */
async function checkRedis(restore: Restore, url: string): Promise<void> {
  await withNodes(url, async (nodes) => {
    const sizes = await Promise.all(nodes.map((node) => node.dbsize()));
    assertReplaced(
      restore,
      sizes.some((size) => size > 0),
      'The Redis of REDIS_URL',
    );
  });
}

/**
 * Before the database changes: at no moment, also of a restore that fails, are there balances of a later
 * time than the ledger. Those of an empty Redis are computed from the ledger.
 */
async function emptyRedis({ progress }: Restore, url: string): Promise<void> {
  await reported(progress, 'Emptying Redis', () =>
    withNodes(url, async (nodes) => {
      for (const node of nodes) await node.flushdb();
    }),
  );
}

async function withNodes(
  url: string,
  work: (nodes: readonly Redis[]) => Promise<void>,
): Promise<void> {
  const logger = createLogger({ service: 'restore', level: 'silent' });
  const redis = createRedis({ url, name: 'restore', logger });
  try {
    await redisReady(redis, REDIS_MS_MAX);
    await work(redis instanceof Cluster ? redis.nodes('master') : [redis]);
  } finally {
    await closeRedis(redis);
  }
}

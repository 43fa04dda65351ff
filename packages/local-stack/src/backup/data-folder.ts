import { existsSync } from 'node:fs';
import { chown, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { isRoot, postgresAccount } from '../account.ts';
import { postgresProcess } from '../postgres/server-process.ts';
import { setSuperuserPassword } from '../postgres/superuser.ts';
import { runningPid, type ServerProcess } from '../processes/server-process.ts';
import { redisProcess } from '../redis/server-process.ts';
import { putDatabaseBack, REPLACED_FOLDER } from '../stack/local-state.ts';
import { lockFolder } from '../stack/lock.ts';
import { reported } from '../stack/progress.ts';
import { openSecrets } from '../stack/secrets.ts';
import { StackError } from '../stack/stack-error.ts';
import { hasData } from './dumps.ts';
import { digestOf, runAdmin, runProgram } from './programs.ts';
import { replaceFolder } from './replace-folder.ts';
import type { Restore } from './run-restore.ts';
import type { BackupStores } from './stores.ts';

/** The data folder of the embedded PostgreSQL, in a backup. */
export const ARCHIVE = 'postgres.tar';
/** In the format of `sha256sum`; written last, so a folder without it is no backup. */
const CHECKSUMS = 'checksums.sha256';

/** A new server needs none of these. */
const SKIPPED = ['postmaster.pid', 'postmaster.opts', 'current_logfiles', 'base/pgsql_tmp'];
const SEGMENT_NAME = /^[0-9A-F]{24}$/;
/** From the current one on: one, and what a server writes while it stops. Others are only reserved. */
const SEGMENTS = 3;

/** Stops the embedded PostgreSQL and packs its data folder. */
export async function backUpData(
  { stop }: BackupStores,
  { url, data }: NonNullable<BackupStores['embedded']>,
  folder: string,
): Promise<void> {
  const segment = await currentSegment(url);
  await stop();
  if ((await readdir(join(data, 'pg_tblspc'))).length > 0) {
    throw new StackError(`The database has tablespaces outside ${data}. Use pg_basebackup.`);
  }
  const log = (await readdir(join(data, 'pg_wal'))).filter((name) => SEGMENT_NAME.test(name));
  const needed = new Set(
    log
      .filter((name) => name >= segment)
      .sort()
      .slice(0, SEGMENTS),
  );
  const reserved = log.filter((name) => !needed.has(name)).map((name) => `pg_wal/${name}`);
  const excluded = [...SKIPPED, ...reserved].map((path) => `--exclude=./${path}`);
  const archive = join(folder, ARCHIVE);
  // It has hashes of passwords; tar would let the umask choose the mode of a new file.
  await writeFile(archive, '', { mode: 0o600 });
  await runProgram('tar', ['-cf', archive, '-C', data, ...excluded, '.']);
  const line = `${await digestOf(archive)}  ${ARCHIVE}\n`;
  await writeFile(join(folder, CHECKSUMS), line, { mode: 0o600 });
}

async function currentSegment(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query('SELECT pg_walfile_name(pg_current_wal_lsn()) AS name');
    return String(rows[0]?.name);
  } finally {
    await client.end();
  }
}

/**
 * Restores the embedded database beside an existing one, which it replaces once PostgreSQL has opened
 * it. Empties Redis, which the services fill again.
 * @throws StackError if the backup is damaged, a server still runs, or data exists and is not to be
 *   replaced; the existing data is as it was.
 */
export async function restoreData(restore: Restore): Promise<void> {
  const { local, postgres, redis } = restore.settings.folders;
  const release = await lockFolder(local);
  try {
    // Before anything is deleted, also of an earlier restore.
    for (const data of [join(postgres, 'data'), join(postgres, 'restore/data')])
      await assertStopped(postgresProcess(data));
    await assertStopped(redisProcess(redis));
    await putDatabaseBack(postgres);
    if (!restore.replace && existsSync(join(postgres, 'data/PG_VERSION'))) {
      throw new StackError(hasData(postgres));
    }
    await replaceData(restore, join(postgres, 'restore'));
  } finally {
    await release();
  }
}

/** Unpacks and opens the new data folder before it takes the place of an existing one. */
async function replaceData(restore: Restore, draft: string): Promise<void> {
  const { settings, progress, folder, product, environment } = restore;
  const { local, postgres, redis } = settings.folders;
  try {
    const { secrets, isNew } = await openSecrets(local);
    if (isNew) progress.note(`${local} has no secrets.json, so it gets new secrets.`);
    await reported(progress, 'Unpacking the database', async () => {
      await assertWhole(folder);
      await unpack(join(folder, ARCHIVE), draft);
      await setSuperuserPassword(join(draft, 'data'), secrets.postgresPassword);
    });
    await rm(redis, { recursive: true, force: true });
    if (settings.redisUrl !== undefined) {
      const own = { ACCESS_DATABASE_URL: 'postgres://unused', ...environment };
      await runAdmin(product.adminCommand, ['empty-redis', '--yes'], own);
    }
    const aside = join(postgres, REPLACED_FOLDER);
    await replaceFolder(join(draft, 'data'), join(postgres, 'data'), aside);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function assertWhole(folder: string): Promise<void> {
  const line = await readFile(join(folder, CHECKSUMS), 'utf8').catch(() => undefined);
  if (line === undefined) {
    throw new StackError(`${folder} is not a complete backup: it has no ${CHECKSUMS}.`);
  }
  if (line === `${await digestOf(join(folder, ARCHIVE))}  ${ARCHIVE}\n`) return;
  throw new StackError(`The backup is damaged: ${ARCHIVE} was changed.`);
}

async function unpack(archive: string, draft: string): Promise<void> {
  await rm(draft, { recursive: true, force: true });
  await mkdir(join(draft, 'data'), { recursive: true });
  await runProgram('tar', ['-xpf', archive, '-C', join(draft, 'data')]);
  const account = postgresAccount();
  if (account === undefined || !isRoot()) return;
  const { uid, gid } = account;
  for (const path of [
    draft,
    ...(await readdir(draft, { recursive: true })).map((name) => join(draft, name)),
  ])
    await chown(path, uid, gid);
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

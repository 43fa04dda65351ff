import { existsSync } from 'node:fs';
import { chown, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import pg from 'pg';

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Folders whose content belongs to the running server alone. */
const WITHOUT_CONTENT = new Set([
  ...['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify'],
  ...['pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans'],
]);
const OMITTED = /^(postmaster\.(pid|opts)|pg_internal\.init.*|pgsql_tmp.*)$/;

/**
 * Copies the data of a running server of this machine, as `pg_basebackup` does, so that a server
 * that starts on the copy follows it as a standby.
 *
 * @param url connection string of a superuser.
 * @param target the folder to create.
 * @param owner the owner of the files; default: the user of this process.
 */
export async function copyRunningServer(url: string, target: string, owner?: Owner): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ folder: string }>(
      `SELECT current_setting('data_directory') AS folder, pg_backup_start('standby', true)`,
    );
    await copyFolder(rows[0]?.folder ?? '', '', target, owner);
    const stopped = await client.query<{ labelfile: string }>(
      'SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)',
    );
    await create(join(target, 'backup_label'), stopped.rows[0]?.labelfile ?? '', owner);
    await create(join(target, 'standby.signal'), '', owner);
  } finally {
    await client.end();
  }
}

async function copyFolder(
  root: string,
  path: string,
  target: string,
  owner: Owner | undefined,
): Promise<void> {
  const to = join(target, path);
  await mkdir(to, { recursive: true, mode: 0o700 });
  await give(to, owner);
  if (WITHOUT_CONTENT.has(path)) return;
  for (const entry of await readdir(join(root, path), { withFileTypes: true })) {
    if (OMITTED.test(entry.name)) continue;
    const from = join(root, path, entry.name);
    if (entry.isDirectory()) await copyFolder(root, relative(root, from), target, owner);
    else await copyOne(from, join(to, entry.name), owner);
  }
}

// A file may be removed meanwhile: then the write-ahead log removes it from the copy too.
async function copyOne(from: string, to: string, owner: Owner | undefined): Promise<void> {
  try {
    await copyFile(from, to);
  } catch (error) {
    if (!existsSync(from)) return;
    throw error;
  }
  await give(to, owner);
}

async function create(path: string, content: string, owner: Owner | undefined): Promise<void> {
  await writeFile(path, content, { mode: 0o600 });
  await give(path, owner);
}

async function give(path: string, owner: Owner | undefined): Promise<void> {
  if (owner !== undefined) await chown(path, owner.uid, owner.gid);
}

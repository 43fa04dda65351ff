import { createReadStream, createWriteStream } from 'node:fs';
import { chown, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { errorCode } from '@vcds/service-kit/error-code';
import pg from 'pg';
import type { Account } from '../processes/managed-process.ts';
import { StackError } from '../stack/stack-error.ts';
import { assertDigest, type BackupFile, createMeter, digestOf } from './manifest.ts';

/** The folder of PostgreSQL's files in a backup. */
const FILES_FOLDER = 'postgres';

/** Folders whose content belongs to a running server; PostgreSQL's documentation, 26.3.4. */
const CONTENT_SKIPPED = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);
const FILE_SKIPPED = /^(postmaster\.(pid|opts)|current_logfiles|pg_internal\.init.*)$/;
const TEMPORARY = /^pgsql_tmp/;
const SEGMENT_NAME = /^([0-9A-F]{24}|[0-9A-F]{8}\.history)$/;

export interface CopiedFiles {
  readonly files: readonly BackupFile[];
  readonly folders: readonly string[];
}

/**
 * Copies the data folder of a running PostgreSQL with its low-level backup functions: the copy
 * contains everything that was committed before the end of this call. Statements continue to run.
 *
 * @param url of a superuser.
 * @param data the data folder.
 */
export async function copyFiles(url: string, data: string, folder: string): Promise<CopiedFiles> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await assertNoTablespaces(data);
    // The slot keeps the write-ahead log from here on; it ends with the session.
    await client.query(
      `SELECT pg_create_physical_replication_slot('vcds_backup_' || pg_backend_pid(), true, true)`,
    );
    const from = await one(client, `SELECT pg_walfile_name(pg_backup_start('vcds', true)) AS file`);
    const copied = await copyTree(data, folder);
    const { rows } = await client.query<{ file: string; label: string }>(
      `SELECT pg_walfile_name(lsn) AS file, labelfile AS label
       FROM pg_backup_stop(wait_for_archive => false)`,
    );
    const [stop] = rows;
    if (stop === undefined) throw new Error('pg_backup_stop returned no row.');
    const segments = await copySegments(data, folder, from, stop.file);
    const label = join(FILES_FOLDER, 'backup_label');
    await writeFile(join(folder, label), stop.label, { mode: 0o600 });
    const labelFile = { path: label, ...(await digestOf(join(folder, label))) };
    return { ...copied, files: [...copied.files, ...segments, labelFile] };
  } finally {
    await client.end();
  }
}

async function one(client: pg.Client, query: string): Promise<string> {
  const { rows } = await client.query<{ file: string }>(query);
  const [row] = rows;
  if (row === undefined) throw new Error('PostgreSQL returned no row.');
  return row.file;
}

async function assertNoTablespaces(data: string): Promise<void> {
  const links = await readdir(join(data, 'pg_tblspc'));
  if (links.length === 0) return;
  throw new StackError(`The database has tablespaces outside ${data}. Use pg_basebackup.`);
}

async function copyTree(data: string, folder: string): Promise<CopiedFiles> {
  const files: BackupFile[] = [];
  const folders: string[] = [];
  const visit = async (relative: string): Promise<void> => {
    const path = join(FILES_FOLDER, relative);
    folders.push(path);
    await mkdir(join(folder, path), { recursive: true, mode: 0o700 });
    if (CONTENT_SKIPPED.has(relative)) return;
    for (const entry of await readdir(join(data, relative), { withFileTypes: true })) {
      const inner = join(relative, entry.name);
      if (entry.isDirectory()) {
        if (!TEMPORARY.test(entry.name)) await visit(inner);
      } else if (!FILE_SKIPPED.test(entry.name) && !TEMPORARY.test(entry.name)) {
        const copied = await copyFile(join(data, inner), join(folder, FILES_FOLDER, inner));
        if (copied !== undefined) files.push({ path: join(FILES_FOLDER, inner), ...copied });
      }
    }
  };
  await visit('');
  return { files, folders };
}

/** The segments of the write-ahead log that the copy needs to become consistent. */
async function copySegments(
  data: string,
  folder: string,
  from: string,
  to: string,
): Promise<BackupFile[]> {
  const names = (await readdir(join(data, 'pg_wal'))).filter((name) => SEGMENT_NAME.test(name));
  const needed = names.filter((name) => name.includes('.') || (name >= from && name <= to));
  const files: BackupFile[] = [];
  for (const name of needed.sort()) {
    const path = join(FILES_FOLDER, 'pg_wal', name);
    const copied = await copyFile(join(data, 'pg_wal', name), join(folder, path));
    if (copied === undefined) throw new Error(`Segment ${name} of the write-ahead log is missing.`);
    files.push({ path, ...copied });
  }
  return files;
}

/** Undefined if the server deleted the file in the meantime; then its log does not need it. */
async function copyFile(from: string, to: string): Promise<Omit<BackupFile, 'path'> | undefined> {
  const meter = createMeter();
  try {
    await pipeline(createReadStream(from), meter.stream, createWriteStream(to, { mode: 0o600 }));
    return meter.result();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

export interface FilesToPlace {
  readonly folder: string;
  readonly folders: readonly string[];
  readonly checksums: ReadonlyMap<string, string>;
  readonly account: Account | undefined;
}

/** Copies the files of a backup to a new data folder. @throws StackError if one was changed. */
export async function placeFiles(data: string, backup: FilesToPlace): Promise<void> {
  const { folder, folders, checksums, account } = backup;
  const own = async (path: string) => {
    if (account !== undefined) await chown(path, account.uid, account.gid);
  };
  const targetOf = (path: string) => join(data, path.slice(FILES_FOLDER.length + 1));
  for (const path of folders) {
    await mkdir(targetOf(path), { recursive: true, mode: 0o700 });
    await own(targetOf(path));
  }
  for (const [path, sha256] of checksums) {
    const copied = await copyFile(join(folder, path), targetOf(path));
    assertDigest(path, copied?.sha256 ?? 'missing', sha256);
    await own(targetOf(path));
  }
}

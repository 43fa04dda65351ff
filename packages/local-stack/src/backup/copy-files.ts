import { createReadStream, createWriteStream } from 'node:fs';
import { chown, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Account } from '../processes/managed-process.ts';
import { StackError } from '../stack/stack-error.ts';
import { assertDigest, type BackupFile, createMeter } from './manifest.ts';

/** The folder of PostgreSQL's files in a backup. */
const FILES_FOLDER = 'postgres';

/** Of a server that was stopped: the folder may be copied, and a new server needs none of these. */
const SKIPPED = /^(postmaster\.(pid|opts)|current_logfiles|pg_internal\.init.*|pgsql_tmp.*)$/;
const SEGMENT_NAME = /^[0-9A-F]{24}$/;
/** From the current one on: one, and what a server writes while it stops. Others are only reserved. */
const SEGMENTS = 3;

export interface CopiedFiles {
  readonly files: readonly BackupFile[];
  readonly folders: readonly string[];
}

/**
 * Copies the data folder of a stopped PostgreSQL.
 *
 * @param data the data folder.
 * @param segment the current segment of the write-ahead log just before the server was stopped.
 */
export async function copyFiles(
  data: string,
  folder: string,
  segment: string,
): Promise<CopiedFiles> {
  const links = await readdir(join(data, 'pg_tblspc'));
  if (links.length > 0) {
    throw new StackError(`The database has tablespaces outside ${data}. Use pg_basebackup.`);
  }
  const log = (await readdir(join(data, 'pg_wal'))).filter((name) => SEGMENT_NAME.test(name));
  const needed = log.filter((name) => name >= segment).sort();
  const segments = new Set(needed.slice(0, SEGMENTS));
  const files: BackupFile[] = [];
  const folders: string[] = [];
  const visit = async (relative: string): Promise<void> => {
    const path = join(FILES_FOLDER, relative);
    folders.push(path);
    await mkdir(join(folder, path), { recursive: true, mode: 0o700 });
    for (const entry of await readdir(join(data, relative), { withFileTypes: true })) {
      const inner = join(relative, entry.name);
      if (SKIPPED.test(entry.name)) continue;
      if (entry.isDirectory()) await visit(inner);
      else if (!SEGMENT_NAME.test(entry.name) || segments.has(entry.name)) {
        const target = join(FILES_FOLDER, inner);
        files.push({ path: target, ...(await copyFile(join(data, inner), join(folder, target))) });
      }
    }
  };
  await visit('');
  return { files, folders };
}

async function copyFile(from: string, to: string): Promise<Omit<BackupFile, 'path'>> {
  const meter = createMeter();
  await pipeline(createReadStream(from), meter.stream, createWriteStream(to, { mode: 0o600 }));
  return meter.result();
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
    assertDigest(path, copied.sha256, sha256);
    await own(targetOf(path));
  }
}

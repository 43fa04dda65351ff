import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readJsonFile, writeJsonFile } from '../json-file.ts';
import { StackError } from '../stack/stack-error.ts';

const MANIFEST_FILE = 'manifest.json';
/** In the format of `sha256sum`, so that `sha256sum -c` checks a backup without this program. */
const CHECKSUMS_FILE = 'checksums.sha256';
const FORMAT = 1;

/** A file of a backup: its path in the folder of the backup, and its content's digest. */
export interface BackupFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** `files`: a copy of the data folder of PostgreSQL. `dump`: the output of pg_dump. */
export type BackupMethod = 'files' | 'dump';

/** The description of a backup; written last, so a folder without it is no backup. */
export interface Manifest {
  readonly format: number;
  readonly createdAt: string;
  readonly product: string;
  readonly method: BackupMethod;
  /** The version of the server, such as `18.4`. */
  readonly postgresVersion: string;
  /** The applied migrations by schema. */
  readonly migrations: Readonly<Record<string, readonly string[]>>;
  /** Counts that never decrease: a restored database has at least these. */
  readonly counts: Readonly<Record<string, number>>;
  /** Charges moved from Redis to PostgreSQL before the copy; null: Redis was not reachable. */
  readonly chargesDrained: number | null;
  /** Secrets that the backup does not contain. */
  readonly keepSeparately: readonly string[];
  /** All folders, because some storage does not keep empty ones. */
  readonly folders: readonly string[];
  readonly files: number;
  readonly bytes: number;
  /** The digest of the list of digests. */
  readonly checksums: string;
}

/** Writes the digests of the files, then the manifest. */
export async function writeManifest(
  folder: string,
  about: Omit<Manifest, 'format' | 'files' | 'bytes' | 'checksums'>,
  files: readonly BackupFile[],
): Promise<Manifest> {
  const list = files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('');
  await writeFile(join(folder, CHECKSUMS_FILE), list, { mode: 0o600 });
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const checksums = createHash('sha256').update(list).digest('hex');
  const manifest: Manifest = { format: FORMAT, ...about, files: files.length, bytes, checksums };
  await writeJsonFile(join(folder, MANIFEST_FILE), manifest);
  return manifest;
}

/** @throws StackError if the folder is no complete backup of this format. */
export async function readManifest(folder: string): Promise<Manifest> {
  const manifest = await readJsonFile<Manifest>(join(folder, MANIFEST_FILE)).catch(() => undefined);
  if (manifest === undefined) {
    throw new StackError(`${folder} is not a complete backup: it has no valid ${MANIFEST_FILE}.`);
  }
  if (manifest.format === FORMAT) return manifest;
  throw new StackError(`${folder} was written by another version of this program.`);
}

/** The files of a backup with their digests. @throws StackError if the list was changed. */
export async function readChecksums(
  folder: string,
  manifest: Manifest,
): Promise<ReadonlyMap<string, string>> {
  const list = await readFile(join(folder, CHECKSUMS_FILE), 'utf8').catch(() => '');
  if (createHash('sha256').update(list).digest('hex') !== manifest.checksums) {
    throw new StackError(`${folder} is damaged: ${CHECKSUMS_FILE} does not match its manifest.`);
  }
  const lines = list.split('\n').filter(Boolean);
  return new Map(lines.map((line) => [pathIn(line), line.slice(0, 64)]));
}

/** The path of a line of digests, which must lie inside the backup. */
function pathIn(line: string): string {
  const path = line.slice(66);
  if (!path.split('/').includes('..') && !isAbsolute(path)) return path;
  throw new StackError(`The backup is damaged: ${path} is outside its folder.`);
}

/** The digest and size of a file. */
export async function digestOf(file: string): Promise<Omit<BackupFile, 'path'>> {
  const meter = createMeter();
  await pipeline(createReadStream(file), meter.stream.resume());
  return meter.result();
}

/** A stream that passes its input on, and its digest and size. */
export function createMeter() {
  const hash: Hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { stream, result: () => ({ sha256: hash.digest('hex'), bytes }) };
}

/** @throws StackError naming the first damaged file. */
export function assertDigest(path: string, found: string, expected: string | undefined): void {
  if (found !== expected) throw new StackError(`The backup is damaged: ${path} was changed.`);
}

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from '@vcds/service-kit/error-code';
import type pg from 'pg';
import { StackError } from '../stack/stack-error.ts';
import { type BackupFile, digestOf } from './manifest.ts';

/** The schemas of one dump, and the extensions that they use. */
export interface DumpedSchema {
  readonly schema: string;
  readonly file: string;
  readonly schemas: readonly string[];
  readonly extensions: readonly string[];
}

/** One dump per service: each may have its own server. */
export const DUMPS: readonly DumpedSchema[] = [
  {
    schema: 'venture',
    file: 'venture.dump',
    schemas: ['venture', 'venture_import'],
    extensions: ['unaccent', 'pg_trgm', 'uuid-ossp'],
  },
  {
    schema: 'access',
    file: 'access.dump',
    schemas: ['access', 'access_partition'],
    extensions: [],
  },
];

const OUTPUT_BYTES_MAX = 1_048_576;

/** The major version of the server. */
export async function serverMajor(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ version: string }>(
    `SELECT current_setting('server_version_num') AS version`,
  );
  return Math.floor(Number(rows[0]?.version) / 10_000);
}

/**
 * Checks that a program of PostgreSQL is on PATH and not older than the server.
 * @throws StackError with what to install.
 */
export async function assertProgram(program: string, major: number): Promise<void> {
  const advice = `Install the client programs of PostgreSQL ${major} (Debian: postgresql-client-${major}).`;
  const text = await run(program, ['--version'], {}).catch((error) => {
    throw errorCode(error) === 'ENOENT'
      ? new StackError(`${program} is not on PATH. ${advice}`)
      : error;
  });
  const found = Number(/\(PostgreSQL\) (\d+)/.exec(text)?.[1]);
  if (found >= major) return;
  throw new StackError(
    `${program} has version ${found}, older than the server (${major}). ${advice}`,
  );
}

/** Writes the schemas of one service to a file, as of an exported snapshot. */
export async function dumpSchema(
  url: string,
  { file, schemas, extensions }: DumpedSchema,
  folder: string,
  snapshot: string,
): Promise<BackupFile> {
  const target = join(folder, file);
  // It has hashes of passwords; pg_dump would let the umask choose the mode of a new file.
  await writeFile(target, '', { mode: 0o600, flag: 'wx' });
  const connection = connectionOf(url);
  await run(
    'pg_dump',
    [
      ...[`--dbname=${connection.url}`, '--format=custom', `--file=${target}`],
      ...['--no-owner', '--no-privileges', `--snapshot=${snapshot}`],
      ...schemas.map((schema) => `--schema=${schema}`),
      ...extensions.map((extension) => `--extension=${extension}`),
      // Tables of a running import; its next run creates them again.
      '--exclude-table=venture_import.*',
    ],
    connection.variables,
  );
  return { path: file, ...(await digestOf(target)) };
}

/**
 * The password goes into the environment: other users can read the arguments of a process. Without
 * one in the URL, the program uses PGPASSWORD or the password file of this process.
 */
export function connectionOf(text: string) {
  const url = new URL(text);
  const password = decodeURIComponent(url.password);
  url.password = '';
  return { url: url.href, variables: password === '' ? {} : { PGPASSWORD: password } };
}

async function run(
  program: string,
  args: readonly string[],
  variables: NodeJS.ProcessEnv,
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, args, {
      env: { ...process.env, ...variables },
      maxBuffer: OUTPUT_BYTES_MAX,
    });
    return stdout;
  } catch (error) {
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    if (stderr === '') throw error;
    throw new StackError(`${program} failed: ${stderr}`, { cause: error });
  }
}

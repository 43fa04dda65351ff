import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from '@jest/globals';
import { eventually, freePort } from '@vcds/test-kit';

const HOMES = '/usr/lib/postgresql';
const PROGRAMS = ['initdb', 'postgres', 'psql', 'pg_dump', 'pg_restore'];

/** Programs of one version of PostgreSQL that can dump and restore. */
function programsFolder(): string | undefined {
  const versions = existsSync(HOMES)
    ? execFileSync('ls', [HOMES], { encoding: 'utf8' }).split('\n')
    : [];
  const given = process.env.VCDS_POSTGRES_BIN;
  return [
    ...(given ? [given] : []),
    ...versions.map((version) => join(HOMES, version, 'bin')),
  ].find((folder) => PROGRAMS.every((program) => existsSync(join(folder, program))));
}

/** Tests that dump and restore; reported as skipped by this name where the programs are absent. */
export function describeWithDump(name: string, define: (folder: string) => void): void {
  const folder = programsFolder();
  describe(name, () => {
    if (folder !== undefined) define(folder);
    else {
      const reason = `needs ${PROGRAMS.join(', ')} in ${HOMES}/*/bin or VCDS_POSTGRES_BIN`;
      test.skip(reason, () => undefined);
    }
  });
}

/** A new server, without durability. */
export interface DumpServer {
  readonly url: string;
  /** For the files of the server and its programs; removed on close. */
  readonly folder: string;
  run(program: string, args: readonly string[]): void;
  close(): Promise<void>;
}

export async function startDumpServer(programs: string): Promise<DumpServer> {
  const folder = await mkdtemp(join(tmpdir(), 'vcds-dump-'));
  const account = unprivileged();
  if (account !== undefined) await chown(folder, account.uid, account.gid);
  await chmod(folder, 0o700);
  const data = join(folder, 'data');
  const run = (program: string, args: readonly string[]): void => {
    execFileSync(join(programs, program), [...args], {
      ...account,
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' },
    });
  };
  run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync']);
  const port = await freePort();
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, '-p', String(port), '-k', folder, '-h', '127.0.0.1', '-c', 'fsync=off'],
    { ...account, cwd: folder, stdio: 'ignore' },
  );
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await eventually(() => run('psql', ['-X', '-c', 'SELECT 1', url]));
  return { url, folder, run, close: () => stop(server, folder) };
}

/** Applies the migrations of data-api with psql. */
export async function migrateWith({ run, url }: DumpServer): Promise<void> {
  const migrations = new URL('../../../prisma/migrations/', import.meta.url);
  const names = (await readdir(migrations)).filter((name) => /^\d+_/.test(name)).sort();
  for (const name of names) {
    const sql = await readFile(new URL(`${name}/migration.sql`, migrations), 'utf8');
    run('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-c', sql, url]);
  }
}

// PostgreSQL does not run as root.
function unprivileged(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (option: string) =>
    Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

async function stop(server: ChildProcess, folder: string): Promise<void> {
  const exit = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGINT');
  await exit;
  await rm(folder, { recursive: true, force: true });
}

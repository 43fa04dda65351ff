import { execFile } from 'node:child_process';
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { postgresAccount } from '../account.ts';
import type { Guardian } from '../processes/guardian.ts';
import { type Account, startProcess } from '../processes/managed-process.ts';
import { stopStaleServer } from '../processes/server-process.ts';
import { type NotReady, untilReady } from '../processes/until-ready.ts';
import { type PostgresBinaries, postgresBinaries } from './binaries.ts';
import { postgresProcess } from './server-process.ts';
import { type PostgresPurpose, postgresSettings } from './settings.ts';

export interface PostgresOptions {
  /** Contains only the data; created, with a new cluster, if it does not exist. */
  readonly folder: string;
  readonly port: number;
  /** Password of the superuser `postgres`; must be the same at every start. */
  readonly password: string;
  readonly purpose: PostgresPurpose;
  /** Server settings that replace those of the purpose. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly logFile: string;
  readonly guardian: Guardian;
}

/** Crash recovery of a large database can take long. */
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 30_000;
const INVALID_PASSWORD = '28P01';

/**
 * Starts PostgreSQL on 127.0.0.1 and waits until it accepts connections; for root it runs as an
 * unprivileged user. A server of a killed run that still uses the same data is stopped first. The
 * `url` is of the superuser, to the database `postgres`.
 * @throws Error with the end of the server's log if it does not become ready.
 */
export async function startPostgres(options: PostgresOptions) {
  const account = postgresAccount();
  const binaries = await postgresBinaries({ shared: account !== undefined });
  const data = join(options.folder, 'data');
  await prepareCluster(options, data, binaries, account);
  const port = String(options.port);
  const settings = { ...postgresSettings(options.purpose), ...options.settings, port };
  const server = await startProcess({
    name: 'PostgreSQL',
    command: binaries.postgres,
    args: [
      '-D',
      data,
      ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
    ],
    env: serverEnvironment(),
    cwd: options.folder,
    account,
    logFile: options.logFile,
    // PostgreSQL's fast shutdown: it ends the sessions and writes all data.
    stopSignal: 'SIGINT',
    stopTimeoutMs: STOP_TIMEOUT_MS,
    guardian: options.guardian,
  });
  const url = `postgres://postgres:${options.password}@127.0.0.1:${options.port}/postgres`;
  await untilReady(server, { probe: () => connectionError(url), timeoutMs: START_TIMEOUT_MS });
  return { ...server, url, port: options.port, version: binaries.version };
}

async function prepareCluster(
  options: PostgresOptions,
  data: string,
  binaries: PostgresBinaries,
  account: Account | undefined,
): Promise<void> {
  await mkdir(options.folder, { recursive: true });
  if (account !== undefined) await chown(options.folder, account.uid, account.gid);
  const createdBy = await clusterVersion(data);
  if (createdBy === undefined) {
    await createCluster(options, data, binaries, account);
    return;
  }
  const [major] = binaries.version.split('.');
  if (createdBy !== major) {
    throw new Error(
      `The data in ${data} was created by PostgreSQL ${createdBy}; this version has ${major}. ` +
        'Start with --fresh to delete the data, or use the earlier version.',
    );
  }
  await stopStaleServer(postgresProcess(data));
}

async function clusterVersion(data: string): Promise<string | undefined> {
  try {
    return (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim();
  } catch {
    return undefined;
  }
}

async function createCluster(
  options: PostgresOptions,
  data: string,
  binaries: PostgresBinaries,
  account: Account | undefined,
): Promise<void> {
  const passwordFile = join(options.folder, '.password');
  // Files of an interrupted initdb, which needs an empty folder.
  await rm(data, { recursive: true, force: true });
  await writeFile(passwordFile, options.password, { mode: 0o600 });
  try {
    if (account !== undefined) await chown(passwordFile, account.uid, account.gid);
    const args = [
      ...['-D', data, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`],
      ...['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      `--locale=${process.platform === 'linux' ? 'C.UTF-8' : 'C'}`,
      ...(options.purpose === 'disposable' ? ['--no-sync'] : []),
    ];
    const settings = { cwd: options.folder, env: serverEnvironment(), ...account };
    await promisify(execFile)(binaries.initdb, args, settings);
  } catch (cause) {
    await rm(data, { recursive: true, force: true });
    const reason = cause instanceof Error && 'stderr' in cause ? String(cause.stderr) : cause;
    throw new Error(`PostgreSQL's data folder ${data} cannot be created: ${reason}`, { cause });
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/** An environment without the locale and the PG* variables of the caller. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: process.platform === 'linux' ? 'C.UTF-8' : 'C' };
}

async function connectionError(url: string): Promise<NotReady | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      reason,
      isFinal: error instanceof pg.DatabaseError && error.code === INVALID_PASSWORD,
    };
  } finally {
    await client.end().catch(() => undefined);
  }
}

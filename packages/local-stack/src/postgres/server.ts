import { execFile } from 'node:child_process';
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { postgresAccount } from '../account.ts';
import type { Guardian } from '../processes/guardian.ts';
import {
  type Account,
  describeEnd,
  lastLines,
  type ManagedProcess,
  startProcess,
} from '../processes/managed-process.ts';
import { type PostgresBinaries, postgresBinaries } from './binaries.ts';
import { type PostgresPurpose, postgresSettings } from './settings.ts';
import { stopForgottenServer } from './stale.ts';

export interface PostgresOptions {
  /** Folder for the data and nothing else; made, and the cluster in it, when missing. */
  readonly folder: string;
  readonly port: number;
  /** Password of the super-user `postgres`; must be the same at every start. */
  readonly password: string;
  readonly purpose: PostgresPurpose;
  readonly logFile: string;
  readonly guardian: Guardian;
}

export interface PostgresServer extends ManagedProcess {
  /** Connection string of the super-user to the database `postgres`. */
  readonly url: string;
  readonly port: number;
  readonly version: string;
}

/** Crash recovery of a large database can take a while; it is bounded all the same. */
const startTimeoutMs = 120_000;
const stopTimeoutMs = 30_000;
const pollMs = 25;

/**
 * Starts PostgreSQL on 127.0.0.1 and waits until it answers. Root's runs as an unprivileged
 * account. A server left over on the same data by a run that was killed is stopped first.
 * @throws Error with the server's last words when it does not come up.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const account = postgresAccount();
  const binaries = await postgresBinaries({ shared: account !== undefined });
  const data = join(options.folder, 'data');
  await prepareCluster(options, data, binaries, account);
  const settings = { ...postgresSettings(options.purpose), port: String(options.port) };
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
    // A "fast" shutdown: sessions are ended, data is written, nothing is lost.
    stopSignal: 'SIGINT',
    stopTimeoutMs,
    guardian: options.guardian,
  });
  const url = `postgres://postgres:${options.password}@127.0.0.1:${options.port}/postgres`;
  await untilAnswering(server, url);
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
  const madeBy = await clusterVersion(data);
  if (madeBy === undefined) {
    await createCluster(options, data, binaries, account);
    return;
  }
  const [major] = binaries.version.split('.');
  if (madeBy !== major) {
    throw new Error(
      `The data in ${data} was made by PostgreSQL ${madeBy} and this is ${major}. ` +
        'Start with --fresh to begin anew, or use the version that made it.',
    );
  }
  await stopForgottenServer(data);
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
  // What an interrupted attempt left has no PG_VERSION, and initdb wants an empty folder.
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
    throw new Error(`PostgreSQL's data folder ${data} cannot be made: ${reason}`, { cause });
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/** Locale and PG* variables of the caller must not reach the server. */
function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: process.platform === 'linux' ? 'C.UTF-8' : 'C' };
}

async function untilAnswering(server: ManagedProcess, url: string): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    const refusal = await connectionRefusal(url);
    if (refusal === undefined) return;
    if (!server.isRunning()) {
      const words = (await lastLines(server.logFile, 8)).join('\n');
      throw new Error(`PostgreSQL ${describeEnd(await server.ended)} while starting:\n${words}`);
    }
    if (Date.now() > deadline || isFinal(refusal)) {
      await server.stop();
      throw new Error(`PostgreSQL does not answer: ${refusal.message}`, { cause: refusal });
    }
    await delay(pollMs);
  }
}

async function connectionRefusal(url: string): Promise<Error | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A wrong password stays wrong; a server that is still starting up does not. */
function isFinal(refusal: Error): boolean {
  return refusal instanceof pg.DatabaseError && refusal.code === '28P01';
}

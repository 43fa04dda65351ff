import { accessSync, constants } from 'node:fs';
import { chown, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import {
  type Guardian,
  type ManagedProcess,
  postgresAccount,
  startProcess,
  untilReady,
} from '@vcds/local-stack';
import { TEST_LOGINS } from '../roles.ts';

/** A PgBouncer to start. */
export interface PgBouncerSpec {
  /** Connection string of a superuser of the server behind it. */
  readonly serverUrl: string;
  /** Lines of its configuration, beside or in place of {@link SETTINGS}. */
  readonly settings?: Readonly<Record<string, string | number>> | undefined;
}

const SETTINGS = {
  pool_mode: 'transaction',
  default_pool_size: 10,
  max_client_conn: 500,
  // Clients that send settings of a session connect nevertheless, without the settings.
  ignore_startup_parameters: 'options,extra_float_digits',
} as const;

const START_TIMEOUT_MS = 15_000;
const STOP_TIMEOUT_MS = 5_000;

/** The program: `VCDS_PGBOUNCER`, else the one on PATH or in `/usr/sbin`; undefined if none. */
export function findPgBouncer(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const named = environment.VCDS_PGBOUNCER ?? '';
  if (named !== '') return named === 'off' ? undefined : named;
  const folders = [...(environment.PATH ?? '').split(delimiter), '/usr/sbin'];
  return folders
    .filter(Boolean)
    .map((folder) => join(folder, 'pgbouncer'))
    .find(isExecutable);
}

/** Starts a PgBouncer that passes every database on to one server. */
export async function startPgBouncer(
  { serverUrl, settings }: PgBouncerSpec,
  folder: string,
  port: number,
  guardian: Guardian,
): Promise<ManagedProcess> {
  const command = findPgBouncer();
  if (command === undefined) throw new Error('PgBouncer is not installed (VCDS_PGBOUNCER).');
  const server = new URL(serverUrl);
  const logins = { ...TEST_LOGINS, [server.username]: decodeURIComponent(server.password) };
  const users = join(folder, 'users.txt');
  const ini = join(folder, 'pgbouncer.ini');
  await writeFile(
    users,
    Object.entries(logins)
      .map(([user, password]) => `"${user}" "${password}"\n`)
      .join(''),
  );
  const lines = Object.entries({
    ...{ listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '' },
    ...{ auth_type: 'scram-sha-256', auth_file: users, admin_users: server.username },
    ...SETTINGS,
    ...settings,
  }).map(([name, value]) => `${name} = ${value}`);
  const target = `* = host=${server.hostname} port=${server.port}`;
  await writeFile(ini, ['[databases]', target, '[pgbouncer]', ...lines, ''].join('\n'));
  const account = postgresAccount();
  for (const path of [folder, users, ini]) {
    if (account !== undefined) await chown(path, account.uid, account.gid);
  }
  const started = await startProcess({
    name: 'PgBouncer',
    command,
    args: [ini],
    env: { PATH: process.env.PATH },
    cwd: folder,
    account,
    logFile: join(folder, 'pgbouncer.log'),
    // Immediate shutdown: a fast one waits for its clients.
    stopSignal: 'SIGTERM',
    stopTimeoutMs: STOP_TIMEOUT_MS,
    guardian,
  });
  await untilReady(started, { probe: () => notListening(port), timeoutMs: START_TIMEOUT_MS });
  return started;
}

function notListening(port: number): Promise<{ reason: string } | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(undefined);
    });
    socket.on('error', ({ message }) => resolve({ reason: message }));
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

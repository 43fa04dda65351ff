import { execFile } from 'node:child_process';
import { chown, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ManagedProcess, postgresAccount, startPostgres } from '@vcds/local-stack';
import pg from 'pg';
import type { FreePort } from '../ports.ts';
import { migrateBoth } from '../postgres.ts';
import { allowLogins } from '../roles.ts';
import type { TestRun } from '../run.ts';
import { copyRunningServer } from './base-backup.ts';
import { type PgBouncerSpec, startPgBouncer } from './pgbouncer.ts';

/** Settings of a server, beside those of a disposable one. */
export type PostgresSettings = Readonly<Record<string, string>>;

/** A standby to start. */
export interface StandbySpec {
  /** Connection string of a superuser of the primary. */
  readonly primaryUrl: string;
  readonly settings?: PostgresSettings | undefined;
}

interface OwnServer {
  process: ManagedProcess;
  readonly folder: string;
  readonly start: () => Promise<ManagedProcess>;
}

/** Settings of primaries and of standbys, which must have equal ones. */
const REPLICATING = {
  wal_level: 'replica',
  max_wal_senders: '10',
  wal_keep_size: '512MB',
  // A commit is sent once it is flushed.
  synchronous_commit: 'local',
  wal_retrieve_retry_interval: '100ms',
  autovacuum: 'off',
} as const;

const DATABASE = 'vcds';

/**
 * PostgreSQL servers and poolers of a test's own. They are named by their connection strings, of
 * which only the port matters.
 */
export function postgresServers(run: TestRun, freePort: FreePort) {
  const running = new Map<string, OwnServer>();
  const find = (url: string): OwnServer => {
    const found = running.get(portOf(url));
    if (found === undefined) throw new Error(`${withoutUser(url)} is no server of this test run.`);
    return found;
  };
  const add = async (name: string, make: (folder: string, port: number) => Promise<OwnServer>) => {
    const port = await freePort();
    const folder = join(run.folder, `${name}-${port}`);
    await mkdir(folder, { recursive: true, mode: 0o755 });
    running.set(String(port), await make(folder, port));
    return port;
  };
  const addPostgres = (name: string, settings: PostgresSettings, prepare?: Prepare) =>
    add(name, async (folder, port) => {
      await prepare?.(join(folder, 'data'), folder);
      const { guardian, id: password } = run;
      const start = () =>
        startPostgres({
          ...{ folder, port, password, settings, guardian },
          purpose: 'disposable',
          logFile: join(folder, 'postgres.log'),
        });
      return { process: await start(), folder, start };
    });
  const kill = async (url: string): Promise<void> => {
    const { process } = find(url);
    await killWithChildren(process);
    await process.ended;
  };
  const drop = async (url: string): Promise<void> => {
    await kill(url);
    await rm(find(url).folder, { recursive: true, force: true });
    running.delete(portOf(url));
  };
  return {
    startPrimary: async (settings: PostgresSettings = {}): Promise<string> => {
      const port = await addPostgres('primary', { ...REPLICATING, ...settings });
      const url = `postgres://postgres:${run.id}@127.0.0.1:${port}`;
      await createProduct(`${url}/postgres`, `${url}/${DATABASE}`);
      return `${url}/${DATABASE}`;
    },
    startStandby: async ({ primaryUrl, settings = {} }: StandbySpec): Promise<string> => {
      const connection = connectionInfo(primaryUrl);
      const port = await addPostgres(
        'standby',
        { ...REPLICATING, primary_conninfo: connection, ...settings },
        async (data, folder) => {
          const owner = postgresAccount();
          if (owner !== undefined) await chown(folder, owner.uid, owner.gid);
          await copyRunningServer(primaryUrl, data, owner);
        },
      );
      return withPort(primaryUrl, port);
    },
    startPgBouncer: async (spec: PgBouncerSpec): Promise<string> => {
      const port = await add('pgbouncer', async (folder, at) => {
        const start = () => startPgBouncer(spec, folder, at, run.guardian);
        return { process: await start(), folder, start };
      });
      return withPort(spec.serverUrl, port);
    },
    killServer: kill,
    restartServer: async (url: string): Promise<void> => {
      const own = find(url);
      if (own.process.isRunning()) await own.process.stop();
      own.process = await own.start();
    },
    dropServer: drop,
    close: async (): Promise<void> => {
      for (const port of [...running.keys()]) await drop(`postgres://127.0.0.1:${port}`);
    },
  };
}

type Prepare = (data: string, folder: string) => Promise<void>;

async function createProduct(serverUrl: string, url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: serverUrl, max: 1 });
  try {
    await pool.query(`CREATE DATABASE ${DATABASE} STRATEGY file_copy`);
    await migrateBoth(url);
    await allowLogins(pool);
  } finally {
    await pool.end();
  }
}

/** SIGKILL for the server and its children, as a power failure: none survives to write data. */
async function killWithChildren(server: ManagedProcess): Promise<void> {
  if (!server.isRunning()) return;
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  const pairs = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  server.kill();
  for (const [pid, parent] of pairs) {
    if (pid !== undefined && parent === server.pid) killIfAlive(pid);
  }
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

function connectionInfo(url: string): string {
  const { hostname, port, username, password } = new URL(url);
  return `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`;
}

function portOf(url: string): string {
  return new URL(url).port;
}

function withPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}

function withoutUser(url: string): string {
  return new URL(url).host;
}

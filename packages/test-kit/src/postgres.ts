import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startPostgres, type Unregister } from '@vcds/local-stack';
import { applyMigrations, serviceSchemas } from '@vcds/migrate';
import pg from 'pg';
import type { FreePort } from './ports.ts';
import { createRoles } from './roles.ts';
import type { TestRun } from './run.ts';

/** The contents of a new database. */
export interface DatabaseContents {
  /** Both schemas, or nothing. */
  readonly migrated: boolean;
  /** The path of a file of SQL with the records of a migrated one. */
  readonly seed?: string | undefined;
}

/** Databases of one run on one server. */
export interface TestPostgres {
  /** A new database; its connection string. */
  createDatabase(contents: DatabaseContents): Promise<string>;
  dropDatabase(url: string): Promise<void>;
  /** How many it ended. */
  endConnections(of: ConnectionsOfDatabase): Promise<number>;
  /** Drops what is left and stops the server if it is this run's own. */
  close(): Promise<void>;
}

/** Connections to one database: all, or those whose `application_name` is this. */
export interface ConnectionsOfDatabase {
  readonly url: string;
  readonly name?: string;
}

const DATABASE_PREFIX = 'vcds_test_';
/** The server is waited for until a connection that was cut off is gone. */
const DISCONNECT_MS_MAX = 10_000;
/** Sessions that last longer than this after their database is not needed are terminated. */
const ENDING_MS_MAX = 500;
const ENDING_INTERVAL_MS = 10;

/**
 * PostgreSQL for tests: the server of `TEST_DATABASE_URL`, else one started for this run, which
 * does without durability. Databases that a killed run left on a server of the former kind are
 * dropped first.
 */
export async function openPostgres(
  run: TestRun,
  environment: NodeJS.ProcessEnv,
  freePort: FreePort,
  settings: Readonly<Record<string, string>>,
): Promise<TestPostgres> {
  const given = environment.TEST_DATABASE_URL || undefined;
  const server = given === undefined ? await startServer(run, freePort, settings) : undefined;
  const url = given ?? server?.url ?? '';
  const pool = new pg.Pool({ connectionString: url, max: 4, application_name: 'vcds-test-kit' });
  pool.on('error', () => undefined);
  const presence = await showPresence(run, url);
  const unregister = given === undefined ? undefined : guardDatabases(run, url);
  if (given !== undefined) await dropAbandoned(pool);
  const template = buildTemplate(run, url, pool);
  // Tests that need the template receive its error; a run without databases ignores it.
  template.catch(() => undefined);
  let lastNumber = 0;
  const copyOf = async (source: string): Promise<string> => {
    lastNumber += 1;
    const name = `${DATABASE_PREFIX}${run.id}_${lastNumber}`;
    // A copy of the files takes half the processor time of a copy through the write-ahead log.
    await pool.query(`CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY file_copy`);
    return name;
  };
  const seeded = new Map<string, Promise<string>>();
  const seededWith = (seed: string): Promise<string> => {
    const known = seeded.get(seed) ?? template.then(copyOf).then(fill(url, seed));
    seeded.set(seed, known);
    return known;
  };
  return {
    createDatabase: async ({ migrated, seed }) => {
      if (!migrated) return withDatabase(url, await copyOf('template1'));
      const source = seed === undefined ? await template : await seededWith(seed);
      return withDatabase(url, await copyOf(source));
    },
    dropDatabase: async (databaseUrl) => {
      const name = databaseName(databaseUrl);
      await sessionsEnded(name, pool);
      await pool.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
    },
    endConnections: async ({ url: databaseUrl, name }) => {
      const { rowCount } = await pool.query(
        `SELECT pg_terminate_backend(pid, ${DISCONNECT_MS_MAX}) FROM pg_stat_activity
         WHERE datname = $1 AND application_name = coalesce($2, application_name)
           AND backend_type = 'client backend'`,
        [databaseName(databaseUrl), name ?? null],
      );
      return rowCount ?? 0;
    },
    close: async () => {
      await template.catch(() => undefined);
      if (server === undefined) await dropDatabasesOf(run.id, pool);
      unregister?.();
      await presence.end();
      await pool.end();
      await server?.stop();
    },
  };
}

/**
 * Waits a moment for sessions that are about to end: a pool is closed before PostgreSQL has ended them, and a session that
 * is terminated meanwhile is an error of the pool.
 */
async function sessionsEnded(name: string, pool: pg.Pool): Promise<void> {
  const deadline = performance.now() + ENDING_MS_MAX;
  while (performance.now() < deadline) {
    const { rows } = await pool.query<{ some: boolean }>(
      `SELECT EXISTS (SELECT FROM pg_stat_activity
         WHERE datname = $1 AND backend_type = 'client backend') AS some`,
      [name],
    );
    if (rows[0]?.some !== true) return;
    await setTimeout(ENDING_INTERVAL_MS);
  }
}

async function startServer(
  run: TestRun,
  freePort: FreePort,
  settings: Readonly<Record<string, string>>,
) {
  return startPostgres({
    folder: `${run.folder}/postgres`,
    port: await freePort(),
    password: run.id,
    purpose: 'disposable',
    settings,
    logFile: `${run.folder}/postgres.log`,
    guardian: run.guardian,
  });
}

async function buildTemplate(run: TestRun, url: string, pool: pg.Pool): Promise<string> {
  const name = `${DATABASE_PREFIX}${run.id}_template`;
  await pool.query(`CREATE DATABASE ${name}`);
  const ownerUrlOf = await createRoles(pool);
  const ownerUrl = ownerUrlOf(withDatabase(url, name));
  await pool.query(`GRANT CREATE ON DATABASE ${name} TO ${new URL(ownerUrl).username}`);
  await migrateBoth(ownerUrl);
  return name;
}

/** Executes a file in a database, once for all that are copies of it. */
const fill = (url: string, seed: string) => async (name: string) => {
  const client = new pg.Client({ connectionString: withDatabase(url, name) });
  await client.connect();
  try {
    await client.query(await readFile(seed, 'utf8'));
    await client.query('ANALYZE');
  } finally {
    await client.end();
  }
  return name;
};

/** Applies the migrations of both services to a database. */
export async function migrateBoth(connectionString: string): Promise<void> {
  for (const { schema, migrationsDir, privileges } of serviceSchemas) {
    await applyMigrations({ connectionString, schema, migrationsDir, privileges });
  }
}

/**
 * A connection named after the run: while it is open, other runs on the same server do not drop the
 * databases of this run.
 */
async function showPresence(run: TestRun, url: string): Promise<pg.Client> {
  const presence = new pg.Client({
    connectionString: url,
    application_name: DATABASE_PREFIX + run.id,
  });
  presence.on('error', () => undefined);
  await presence.connect();
  return presence;
}

/** Drops the databases of ended runs on a server that outlives them. */
async function dropAbandoned(pool: pg.Pool): Promise<void> {
  const names = await databaseNames(DATABASE_PREFIX, pool);
  const ids = new Set(names.map((name) => name.slice(DATABASE_PREFIX.length).split('_')[0] ?? ''));
  const { rows } = await pool.query<{ name: string }>(
    'SELECT application_name AS name FROM pg_stat_activity WHERE starts_with(application_name, $1)',
    [DATABASE_PREFIX],
  );
  for (const { name } of rows) ids.delete(name.slice(DATABASE_PREFIX.length));
  for (const id of ids) await dropDatabasesOf(id, pool);
}

/** Registers with the guardian: it drops the run's databases if the run is killed. */
function guardDatabases(run: TestRun, url: string): Unregister {
  const script = fileURLToPath(new URL('../bin/drop-databases.mjs', import.meta.url));
  return run.guardian.run(process.execPath, [script, `${DATABASE_PREFIX}${run.id}_`], {
    TEST_DATABASE_URL: url,
  });
}

async function dropDatabasesOf(id: string, pool: pg.Pool): Promise<void> {
  for (const name of await databaseNames(`${DATABASE_PREFIX}${id}_`, pool)) {
    await pool.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
  }
}

async function databaseNames(start: string, pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)',
    [start],
  );
  return rows.map(({ name }) => name);
}

function databaseName(url: string): string {
  return new URL(url).pathname.slice(1);
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

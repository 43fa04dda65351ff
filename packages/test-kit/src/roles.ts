import type pg from 'pg';

const ROLES = ['vcds_data_api', 'vcds_data_worker', 'vcds_importer', 'vcds_access_api'] as const;

/** A service or command, as the role it connects to PostgreSQL with. */
export type TestRole = (typeof ROLES)[number];
/** The same for every run, since runs may share a server; it opens test databases only. */
const PASSWORD = 'vcds-test';

/** The password of each role. */
export const TEST_LOGINS = Object.fromEntries(ROLES.map((role) => [role, PASSWORD]));

/** Owns the schemas of test databases: an ordinary role, as in production. */
const OWNER = 'test_schema_owner';

/** Lets the services' roles, which migrations create, log in to a server for tests. */
export async function allowLogins(pool: pg.Pool): Promise<void> {
  for (const role of ROLES) await allowLogin(pool, role);
}

/**
 * Creates the roles of the services and of an owner of schemas, as an operator does before the
 * migrations. Runs that share the server may do so at the same time.
 *
 * @returns a function from the connection string of a database to that of its owner.
 */
export async function createRoles(pool: pg.Pool): Promise<(url: string) => string> {
  for (const role of [...ROLES, OWNER]) {
    await pool.query(`DO $$ BEGIN CREATE ROLE ${role};
      EXCEPTION WHEN duplicate_object OR unique_violation THEN END $$`);
    await allowLogin(pool, role);
  }
  await pool.query(`GRANT pg_read_all_stats TO ${OWNER}`);
  return (url) => withLogin(url, OWNER);
}

async function allowLogin(pool: pg.Pool, role: string): Promise<void> {
  await pool.query(`ALTER ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`);
}

/** The connection string of a role, made from the super-user's. */
export function urlOfRole(url: string, role: TestRole): string {
  return withLogin(url, role);
}

function withLogin(url: string, role: string): string {
  const changed = new URL(url);
  changed.username = role;
  changed.password = PASSWORD;
  return changed.href;
}

import type pg from 'pg';

const ROLES = ['vcds_data_api', 'vcds_data_worker', 'vcds_importer', 'vcds_access_api'] as const;

/** A service or command, as the role it connects to PostgreSQL with. */
export type TestRole = (typeof ROLES)[number];
/** The same for every run, since runs may share a server; it opens test databases only. */
const PASSWORD = 'vcds-test';

/** The password of each role. */
export const TEST_LOGINS = Object.fromEntries(ROLES.map((role) => [role, PASSWORD]));

/** Lets the services' roles, which migrations create, log in to a server for tests. */
export async function allowLogins(pool: pg.Pool): Promise<void> {
  for (const role of ROLES) await pool.query(`ALTER ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`);
}

/** The connection string of a role, made from the super-user's. */
export function urlOfRole(url: string, role: TestRole): string {
  const changed = new URL(url);
  changed.username = role;
  changed.password = PASSWORD;
  return changed.href;
}

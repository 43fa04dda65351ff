import { createHmac } from 'node:crypto';
import pg from 'pg';

/** Owns and migrates the schemas of the embedded databases; not a superuser. */
export const OWNER_ROLE = 'vcds_owner';

export interface RoleOptions {
  /** Connection string of the superuser. */
  readonly url: string;
  /** Roles without ownership, one per service or command. */
  readonly roles: readonly string[];
  /** Schemas that {@link OWNER_ROLE} must own if they exist. */
  readonly schemas: readonly string[];
  /** The passwords of the roles are derived from it; the same at every start. */
  readonly secret: string;
}

/**
 * Creates the login roles of an embedded database, or resets their passwords, and revokes the access
 * of every other role.
 *
 * @returns a function from a role to its connection string.
 * @throws Error if another role owns one of the schemas: an earlier version created it.
 */
export async function openRoles(options: RoleOptions): Promise<(role: string) => string> {
  const client = new pg.Client({ connectionString: options.url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await createRoles(client, options);
    await assertOwned(client, options.schemas);
  } finally {
    await client.end();
  }
  return (role) => {
    const url = new URL(options.url);
    url.username = role;
    url.password = passwordOf(role, options.secret);
    return url.href;
  };
}

async function createRoles(client: pg.Client, { url, roles, secret }: RoleOptions): Promise<void> {
  const database = pg.escapeIdentifier(new URL(url).pathname.slice(1));
  await client.query(`REVOKE ALL ON DATABASE ${database} FROM PUBLIC`);
  for (const role of [OWNER_ROLE, ...roles]) {
    const name = pg.escapeIdentifier(role);
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
    const verb = rowCount === 0 ? 'CREATE' : 'ALTER';
    const password = pg.escapeLiteral(passwordOf(role, secret));
    await client.query(`${verb} ROLE ${name} LOGIN PASSWORD ${password}`);
    await client.query(`GRANT CONNECT ON DATABASE ${database} TO ${name}`);
  }
  await client.query(`GRANT CREATE ON DATABASE ${database} TO ${OWNER_ROLE}`);
  // The databases of the sandbox.
  await client.query(`ALTER ROLE ${OWNER_ROLE} CREATEDB`);
}

async function assertOwned(client: pg.Client, schemas: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT nspname AS name FROM pg_namespace
     WHERE nspname = ANY ($1) AND nspowner <> $2::regrole`,
    [schemas, OWNER_ROLE],
  );
  const [foreign] = rows;
  if (foreign === undefined) return;
  throw new Error(
    `Schema ${foreign.name} was created by an earlier version. Start again with: npm start -- --fresh`,
  );
}

function passwordOf(role: string, secret: string): string {
  return createHmac('sha256', secret).update(role).digest('hex');
}

import { PrismaPg } from '@prisma/adapter-pg';
import { DIRECT_SESSION } from '@vcds/service-kit/direct-session';
import pg from 'pg';

/** How long the server may take to accept the one connection a migration works on. */
const CONNECT_TIMEOUT_MS = 15_000;

/**
 * A pool of exactly one connection that works inside one schema, as the native engine does
 * when its URL carries `?schema=`. The engine finds and keeps `_prisma_migrations` there, and
 * unqualified names in a migration land there. One connection, because the advisory lock
 * belongs to the session that took it.
 */
export function schemaPool(connectionString: string, schema: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    application_name: 'vcds-migrate',
    options: DIRECT_SESSION,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    max: 1,
    onConnect: async (client) => {
      await client.query(`SET search_path TO ${pg.escapeIdentifier(schema)}`);
    },
  });
  // A failed idle connection surfaces on the next statement; unheard it would end the process.
  pool.on('error', () => undefined);
  return pool;
}

/**
 * Prisma's driver adapter over {@link schemaPool}, except that a script goes to the
 * server whole. The stock adapter cuts scripts at every semicolon, which breaks function
 * bodies and string literals; sent as one simple query, a migration is also one implicit
 * transaction, which is what the native engine gives it. `onScriptError` receives the
 * server's error, of which the engine passes on only the code.
 */
export function migrationAdapter(
  pool: pg.Pool,
  schema: string,
  onScriptError: (error: unknown, script: string) => void,
): PrismaPg {
  const factory = new PrismaPg(pool, { schema });
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    adapter.executeScript = async (script) => {
      try {
        await pool.query(script);
      } catch (error) {
        onScriptError(error, script);
        throw error;
      }
    };
    return adapter;
  };
  return factory;
}

import { PrismaPg } from '@prisma/adapter-pg';
import { isTracing, tracedQuery } from '@vcds/service-kit';
import type pg from 'pg';
import { Prisma, PrismaClient } from '../generated/client.ts';

/** The journal's database. */
export type Database = PrismaClient;
/** The same inside a transaction. */
export type Transaction = Prisma.TransactionClient;

const CONNECTIONS_MAX = 10;
const CONNECT_MS_MAX = 5_000;
const STATEMENT_MS_MAX = 10_000;
const TRANSACTION_MS_MAX = 10_000;
/** PostgreSQL ends a transaction of a process that is frozen or unreachable, with its locks. */
const IDLE_MS_MAX = 2 * TRANSACTION_MS_MAX;
const UTC_ZONES = new Set(['UTC', 'Etc/UTC', 'GMT', 'Etc/GMT']);

/**
 * Opens the journal's database; connects on first use, closed by `$disconnect`. Prisma treats
 * instants as UTC in any session time zone, so a session in another one is an error: a connection
 * pooler does not pass the setting on.
 */
export function openDatabase(url: string): Database {
  const adapter = new PrismaPg({
    connectionString: url,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    statement_timeout: STATEMENT_MS_MAX,
    application_name: 'access-api',
    options: '-c timezone=UTC',
    onConnect: prepareSession,
  });
  const client = new PrismaClient({
    adapter,
    transactionOptions: { maxWait: TRANSACTION_MS_MAX, timeout: TRANSACTION_MS_MAX },
  });
  return isTracing() ? traced(client) : client;
}

interface Operation {
  readonly model: string | undefined;
  readonly operation: string;
  readonly run: () => Promise<unknown>;
}

// The extended client has all members that callers use.
function traced(client: PrismaClient): Database {
  const query = tracedQuery(
    ({ model, operation }: Operation) => ({ name: model ? `${operation} ${model}` : operation }),
    ({ run }: Operation) => run(),
  );
  const extended = client.$extends({
    query: {
      $allOperations: ({ model, operation, args, query: run }) =>
        query({ model, operation, run: () => run(args) }),
    },
  });
  return extended as unknown as Database;
}

async function prepareSession(client: pg.ClientBase): Promise<void> {
  // Not a parameter of the connection: a connection pooler rejects those that it does not support.
  const { rows } = await client.query<{ zone: string }>(
    `SELECT current_setting('TimeZone') AS zone,
       set_config('idle_in_transaction_session_timeout', '${IDLE_MS_MAX}', false)`,
  );
  const zone = rows[0]?.zone ?? '';
  if (UTC_ZONES.has(zone)) return;
  throw new Error(
    `The time zone of the database sessions is ${zone}, not UTC. Through a connection pooler, set ` +
      "it for the role: ALTER ROLE vcds_access_api SET timezone = 'UTC'.",
  );
}

/** Whether a write failed on a unique constraint. */
export function isTaken(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
}

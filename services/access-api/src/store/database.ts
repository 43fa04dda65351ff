import { PrismaPg } from '@prisma/adapter-pg';
import { Prisma, PrismaClient } from '../generated/client.ts';

/** The journal's database. */
export type Database = PrismaClient;
/** The same inside a transaction. */
export type Transaction = Prisma.TransactionClient;

const CONNECTIONS_MAX = 10;
const CONNECT_MS_MAX = 5_000;
const STATEMENT_MS_MAX = 10_000;
const TRANSACTION_MS_MAX = 10_000;

/**
 * Opens the journal's database; connects on first use, closed by `$disconnect`. Prisma treats
 * instants as UTC in any session time zone, so the session must use UTC.
 */
export function openDatabase(url: string): Database {
  const adapter = new PrismaPg({
    connectionString: url,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    statement_timeout: STATEMENT_MS_MAX,
    application_name: 'access-api',
    options: '-c timezone=UTC',
  });
  return new PrismaClient({
    adapter,
    transactionOptions: { maxWait: TRANSACTION_MS_MAX, timeout: TRANSACTION_MS_MAX },
  });
}

/** Whether a write failed on a unique constraint. */
export function isTaken(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
}

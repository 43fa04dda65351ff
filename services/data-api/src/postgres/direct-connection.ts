import { isDirectSession, isRejectedByPooler } from '@vcds/service-kit/direct-session';
import pg from 'pg';
import { connectionOptions } from './connection.ts';

/**
 * Whether a connection string leads to a pooler that shares sessions, so that locks and settings of a
 * session do not hold. False if the server is unreachable: it may be started later.
 */
export async function leadsToPooler(connectionString: string): Promise<boolean> {
  const client = new pg.Client(
    connectionOptions({ connectionString, name: 'data-api', settings: {}, statementMsMax: 5_000 }),
  );
  client.on('error', () => undefined);
  try {
    await client.connect();
    return !(await isDirectSession(client));
  } catch (error) {
    return isRejectedByPooler(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** @throws Error if the client is connected to a pooler that shares sessions. */
export async function assertDirect(client: pg.ClientBase): Promise<void> {
  if (await isDirectSession(client)) return;
  throw new Error('The connection leads to a pooler that shares sessions; a lock needs its own.');
}

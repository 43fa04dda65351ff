/** Detects connections to PostgreSQL through a pooler, which shares sessions. */

/** A client of PostgreSQL. */
interface Client {
  query(text: string): Promise<{ readonly rows: readonly { readonly mark?: unknown }[] }>;
}

/**
 * A startup option, for `options` of a connection. A pooler that shares sessions does not pass it on,
 * as it does not pass on other settings, or it rejects the connection.
 */
export const DIRECT_SESSION = '-c venture.direct_session=on';

const MARK = `SELECT current_setting('venture.direct_session', true) AS mark`;

/** Whether a connection that was opened with {@link DIRECT_SESSION} has a session of its own. */
export async function isDirectSession(client: Client): Promise<boolean> {
  const { rows } = await client.query(MARK);
  return rows[0]?.mark === 'on';
}

/** Whether a pooler rejected a connection with {@link DIRECT_SESSION}. */
export function isRejectedByPooler(error: unknown): boolean {
  return error instanceof Error && /unsupported startup parameter/.test(error.message);
}

import pg from 'pg';
import { startApi } from '../data-api.ts';
import { httpGet } from '../http-get.ts';

/** A statement of the product with the values of one request. */
export interface Captured {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The statements by the path of their request. */
export type CapturedStatements = Readonly<Record<string, readonly Captured[]>>;

/**
 * Calls the product in this process once for each path, and records the statements that it sends
 * to PostgreSQL, in their order.
 */
export async function captureStatements(
  connectionString: string,
  paths: readonly string[],
): Promise<CapturedStatements> {
  const sent: Captured[] = [];
  const original = pg.Client.prototype.query;
  const record = function (this: pg.Client, ...given: unknown[]) {
    const [config] = given as [Partial<Captured>];
    if (config.text !== undefined) sent.push({ text: config.text, values: config.values ?? [] });
    return Reflect.apply(original, this, given);
  };
  const api = await startApi({ connectionString, connections: 1, statementMsMax: 60_000 });
  pg.Client.prototype.query = record as typeof original;
  try {
    const captured: Record<string, readonly Captured[]> = {};
    for (const path of paths) {
      sent.length = 0;
      const { status, text } = await httpGet(`${api.url}${path}`, {});
      if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
      captured[path] = [...sent];
    }
    return captured;
  } finally {
    pg.Client.prototype.query = original;
    await api.close();
  }
}

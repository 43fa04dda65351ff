import { withClient } from '@vcds/test-kit/bench';
import type { SlowCall } from './calls.ts';
import { COLLECTIONS } from './collections.ts';

/** Parts of a collection that a page skips. */
const PARTS = [0.1, 0.5, 0.9] as const;

/** Pages after many records of each collection, in the order of each field that sorts. */
export async function skipGrid(url: string): Promise<readonly SlowCall[]> {
  const calls: SlowCall[] = [];
  for (const [path, { table, live, fields }] of COLLECTIONS) {
    const { rows } = await withClient(url, (client) =>
      client.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM ${table} AS r WHERE ${live('r')}`,
      ),
    );
    const count = rows[0]?.count ?? 0;
    const sorted = [...fields.values()].filter(({ sortable }) => sortable);
    for (const { name } of sorted) {
      for (const part of PARTS) {
        const skip = Math.round(count * part);
        const title = `after ${100 * part} % of ${path.slice(1)}, by ${name}`;
        calls.push({ title, path: `${path}?$skip=${skip}&$orderby=${name}%20desc` });
      }
    }
  }
  return calls;
}

import { withClient } from '@vcds/test-kit/bench';
import type { SlowCall } from './calls.ts';
import { COLLECTIONS } from './collections.ts';

/** Parts of a collection that a page skips. */
const PARTS = [0.1, 0.5, 0.9] as const;
/** The same in an order by two fields. */
const PARTS_BY_TWO = [0.5, 0.9] as const;

/** Pages after many records of each collection, in the order of each field that sorts, and of each two. */
export async function skipGrid(url: string): Promise<readonly SlowCall[]> {
  const calls: SlowCall[] = [];
  for (const [path, { table, live, fields }] of COLLECTIONS) {
    const { rows } = await withClient(url, (client) =>
      client.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM ${table} AS r WHERE ${live('r')}`,
      ),
    );
    const count = rows[0]?.count ?? 0;
    const sorted = [...fields.values()].flatMap(({ sortable, name }) => (sortable ? [name] : []));
    const after = (part: number, order: readonly string[]): SlowCall => {
      const by = order.length === 1 ? 'by one field' : 'by two fields';
      const title = `${by}, after ${100 * part} % of ${path.slice(1)}: ${order.join(', ')}`;
      const keys = order.map((name) => `${name}%20desc`).join();
      return { title, path: `${path}?$skip=${Math.round(count * part)}&$orderby=${keys}` };
    };
    for (const name of sorted) {
      calls.push(...PARTS.map((part) => after(part, [name])));
      const others = name === 'Id' ? [] : sorted.filter((other) => other !== name);
      for (const other of others) {
        calls.push(...PARTS_BY_TWO.map((part) => after(part, [name, other])));
      }
    }
  }
  return calls;
}

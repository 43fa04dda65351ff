import type pg from 'pg';
import type { Statement } from '../../src/postgres/statement.ts';

/** An execution, as `EXPLAIN` reports it. */
export interface Executed {
  /** Pages of the buffer cache. */
  readonly buffers: number;
  /** The index scans, sequential scans and sort keys, such as `Seq Scan signal`. */
  readonly nodes: readonly string[];
}

interface Node {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Sort Key'?: readonly string[];
  readonly Plans?: readonly Node[];
}

/** Executes a statement with a generic or a custom plan. */
export async function executed(
  pool: pg.Pool,
  { text, values }: Statement,
  plan: Statement['plan'],
): Promise<Executed> {
  const client = await pool.connect();
  await client.query(`BEGIN; SET LOCAL random_page_cost = 1.1;
    SET LOCAL plan_cache_mode = force_${plan}_plan; PREPARE measured AS ${text}`);
  const literals = values.map((value) => {
    const written = Array.isArray(value)
      ? `{${value.map((each) => JSON.stringify(each)).join(',')}}`
      : String(value);
    return client.escapeLiteral(written);
  });
  const execute = literals.length === 0 ? 'measured' : `measured (${literals.join(', ')})`;
  const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE ${execute}`);
  await client.query('ROLLBACK; DEALLOCATE measured');
  client.release();
  const { Plan } = rows[0]['QUERY PLAN'][0];
  const buffers = Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'];
  return { buffers, nodes: nodesOf(Plan) };
}

function nodesOf(node: Node): string[] {
  const about = node['Index Name'] ?? node['Sort Key']?.join() ?? node['Relation Name'];
  const nodes = (node.Plans ?? []).flatMap(nodesOf);
  return about === undefined ? nodes : [`${node['Node Type']} ${about}`, ...nodes];
}

/** Tables read by a sequential scan, indexes used, and tables read by a bitmap heap scan. */
export async function planned(
  pool: pg.Pool,
  { text, values }: Statement,
): Promise<{ scanned: string[]; used: string[]; bitmaps: string[] }> {
  const client = await pool.connect();
  // As on SSDs; by default the planner prefers a sequential scan of tables this small.
  await client.query('BEGIN; SET LOCAL random_page_cost = 1.1');
  const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${text}`, [...values]);
  await client.query('ROLLBACK');
  client.release();
  const nodes = allNodes(rows[0]['QUERY PLAN'][0].Plan);
  const tablesOf = (type: string) =>
    nodes.flatMap((node) => (node['Node Type'] === type ? (node['Relation Name'] ?? []) : []));
  return {
    scanned: tablesOf('Seq Scan'),
    used: nodes.flatMap((node) => node['Index Name'] ?? []),
    bitmaps: tablesOf('Bitmap Heap Scan'),
  };
}

function allNodes(node: Node): readonly Node[] {
  return [node, ...(node.Plans ?? []).flatMap(allNodes)];
}

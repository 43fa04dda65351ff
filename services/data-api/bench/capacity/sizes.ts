import { grouped, table, withClient } from '@vcds/test-kit/bench';

/** Rows, bytes and bytes a row of the large tables of a schema; a partitioned table is one. */
const SIZES = `
  SELECT coalesce(p.inhparent, c.oid)::regclass::text AS name,
    sum(c.reltuples)::float8 AS rows, sum(pg_table_size(c.oid))::float8 AS heap,
    sum(pg_indexes_size(c.oid))::float8 AS indexes
  FROM pg_class c LEFT JOIN pg_inherits p ON p.inhrelid = c.oid
  WHERE c.relkind = 'r' AND c.relnamespace::regnamespace::text IN ($1, $1 || '_partition')
  GROUP BY 1 HAVING sum(c.reltuples) > 1000 ORDER BY sum(pg_total_relation_size(c.oid)) DESC`;

/** A table of the sizes, and the size of the database. */
export function sizesOf(url: string, schema = 'venture'): Promise<readonly string[]> {
  return withClient(url, async (client) => {
    await client.query('ANALYZE');
    const { rows } = await client.query(SIZES, [schema]);
    const cells = rows.map(({ name, rows: count, heap, indexes }) => [
      ...[name, grouped(count), grouped(heap / count), grouped(indexes / count)],
      grouped((heap + indexes) / 2 ** 20),
    ]);
    const heads = ['table', 'rows', 'bytes a row', 'in indexes', 'MB'];
    const { rows: all } = await client.query('SELECT pg_database_size(current_database()) AS n');
    return [table(heads, cells), `Database: ${grouped(Number(all[0].n) / 2 ** 20)} MB`];
  });
}

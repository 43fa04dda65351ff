/** `@vcds/client/duckdb`: a copy in DuckDB, on a connection of `@duckdb/node-api`. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Change, ReplicaPosition, ReplicaStore } from './replicate.ts';

/** The part of a connection of `@duckdb/node-api` that the store uses. */
export interface DuckdbConnection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getRowObjectsJson(): Record<string, unknown>[] }>;
}

export interface DuckdbOptions {
  /** An existing folder for files on their way. Default: the current one. */
  readonly folder?: string;
}

const POSITION = 'vcds_position';

/**
 * A table for each collection, with typed columns: the records as the API answers them. A page of
 * changes is one transaction with its position.
 */
export function duckdbStore(
  connection: DuckdbConnection,
  { folder = '.' }: DuckdbOptions = {},
): ReplicaStore {
  const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
  const inTransaction = async (work: () => Promise<void>) => {
    await connection.run('BEGIN TRANSACTION');
    try {
      await work();
      await connection.run('COMMIT');
    } catch (error) {
      await connection.run('ROLLBACK');
      throw error;
    }
  };
  const savePosition = (position: ReplicaPosition) =>
    connection.run(
      `CREATE OR REPLACE TABLE ${POSITION} AS SELECT ${literal(JSON.stringify(position))} AS position`,
    );

  const applyTo = async (name: string, changes: readonly Change[], file: string) => {
    const columns = await read(`DESCRIBE ${name}`);
    const key = name === 'holdings' ? `FundId || '/' || Startup.Id` : 'Id';
    const last = new Map(changes.map((change) => [change.recordId, change.record]));
    const ids = [...last.keys()].map(literal).join(', ');
    await connection.run(`DELETE FROM ${name} WHERE (${key})::VARCHAR IN (${ids})`);
    const records = [...last.values()].filter((record) => record != null);
    if (records.length === 0) return;
    await writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const types = columns.map(
      ({ column_name, column_type }) => `'${column_name}': ${literal(String(column_type))}`,
    );
    await connection.run(`INSERT INTO ${name} BY NAME SELECT * FROM read_json(${literal(file)},
      format = 'newline_delimited', columns = {${types.join(', ')}})`);
  };

  return {
    position: async () => {
      const tables = await read(`SELECT 1 FROM duckdb_tables() WHERE table_name = '${POSITION}'`);
      if (tables.length === 0) return undefined;
      const [row] = await read(`SELECT position FROM ${POSITION}`);
      return row && (JSON.parse(String(row.position)) as ReplicaPosition);
    },
    load: async (collections, open, position) => {
      await withFolder(folder, (work) =>
        inTransaction(async () => {
          for (const { name, files } of collections) {
            const paths: string[] = [];
            for (const file of files.filter(({ format }) => format === 'parquet')) {
              const path = `${work}/${paths.length}.parquet`;
              await writeFile(path, await open(file));
              paths.push(literal(path));
            }
            await connection.run(`CREATE OR REPLACE TABLE ${name} AS
              SELECT * FROM read_parquet([${paths.join(', ')}])`);
          }
          await savePosition(position);
        }),
      );
    },
    apply: (changes, position) =>
      withFolder(folder, (work) =>
        inTransaction(async () => {
          for (const name of new Set(changes.map(({ collection }) => collection))) {
            const own = changes.filter(({ collection }) => collection === name);
            await applyTo(name, own, `${work}/${name}.ndjson`);
          }
          await savePosition(position);
        }),
      ),
  };
}

async function withFolder<T>(folder: string, work: (path: string) => Promise<T>): Promise<T> {
  const path = await mkdtemp(`${folder}/vcds-`);
  try {
    return await work(path);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

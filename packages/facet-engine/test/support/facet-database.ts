import { createTestDatabase } from '@vcds/test-kit';
import pg from 'pg';
import type { Write } from './arbitraries.ts';
import type { Records, Value } from './oracle.ts';
import { SCHEMA } from './schema.ts';

/** Facet tables that are written batch by batch, and their expected contents. */
export interface FacetDatabase {
  readonly url: string;
  readonly sql: pg.Pool;
  /** Live records by entity. */
  readonly records: readonly Records[];
  /** Writes values and records in one transaction. */
  write(batch: {
    readonly values?: readonly Value[];
    readonly writes?: readonly Write[];
  }): Promise<void>;
  drop(): Promise<void>;
}

const TABLES = `CREATE SCHEMA library;
  CREATE TABLE library.value (code integer PRIMARY KEY, dimension smallint NOT NULL,
    value text COLLATE "C" NOT NULL, folded text COLLATE "C" NOT NULL,
    version bigint DEFAULT 0);
  CREATE TABLE library.film (id uuid PRIMARY KEY, codes integer[] NOT NULL,
    deleted boolean NOT NULL, version bigint NOT NULL);
  CREATE TABLE library.book (LIKE library.film INCLUDING ALL);
  CREATE TABLE library.game (LIKE library.film INCLUDING ALL);
  ALTER TABLE library.film ADD figures double precision[] NOT NULL DEFAULT '{NULL,NULL}',
    ADD book_ids uuid[] NOT NULL DEFAULT '{}',
    ADD book_tags integer[] NOT NULL DEFAULT '{}';
  ALTER TABLE library.game ADD film_ids uuid[] NOT NULL DEFAULT '{}';
  CREATE TABLE library.state (version bigint NOT NULL);
  CREATE TABLE library.batch (version bigint PRIMARY KEY)`;

export async function openFacetDatabase(): Promise<FacetDatabase> {
  const database = await createTestDatabase({ migrated: false });
  const sql = new pg.Pool({ connectionString: database.url, max: 2 });
  sql.on('error', () => undefined);
  await sql.query(TABLES);
  const records = SCHEMA.entities.map(() => new Map<string, readonly number[]>());
  let version = 0;
  return {
    url: database.url,
    sql,
    records,
    write: async ({ values = [], writes = [] }) => {
      version += 1;
      const client = await sql.connect();
      try {
        await client.query('BEGIN');
        await client.query(
          `INSERT INTO library.value SELECT code, dimension, value, folded
           FROM json_populate_recordset(NULL::library.value, $1)
           ON CONFLICT (code) DO UPDATE SET folded = excluded.folded, version = $2`,
          [JSON.stringify(values), version],
        );
        for (const [entity, { table }] of SCHEMA.entities.entries()) {
          const own = new Map(
            writes.filter((write) => write.entity === entity).map((write) => [write.id, write]),
          );
          await upsert(client, table, [...own.values()], version);
        }
        await client.query('DELETE FROM library.state');
        await client.query('INSERT INTO library.state VALUES ($1)', [version]);
        await client.query('INSERT INTO library.batch VALUES ($1)', [version]);
        await client.query('COMMIT');
      } finally {
        client.release();
      }
      for (const { entity, id, codes } of writes) {
        if (codes === undefined) records[entity]?.delete(id);
        else records[entity]?.set(id, codes);
      }
    },
    drop: async () => {
      await sql.end();
      await database.drop();
    },
  };
}

async function upsert(
  client: pg.PoolClient,
  table: string,
  writes: readonly Write[],
  version: number,
): Promise<void> {
  const rows = writes.map(({ id, codes }) => ({
    id,
    codes: codes ?? [],
    deleted: codes === undefined,
    version,
  }));
  await client.query(
    `INSERT INTO ${table} (id, codes, deleted, version)
     SELECT id, codes, deleted, version FROM json_populate_recordset(NULL::${table}, $1)
     ON CONFLICT (id) DO UPDATE
       SET codes = excluded.codes, deleted = excluded.deleted, version = excluded.version`,
    [JSON.stringify(rows)],
  );
}

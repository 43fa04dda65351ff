import { createTestDatabase } from '@vcds/test-kit';
import { ENTITIES, ENTITY_IDS } from '@vcds/venture-model';
import pg from 'pg';
import type { Write } from './arbitraries.ts';
import type { Records, Value } from './oracle.ts';

/** Facet tables written batch by batch, as the maintainer does, and what they ought to hold. */
export interface FacetDatabase {
  readonly url: string;
  readonly sql: pg.Pool;
  /** Live records by entity. */
  readonly records: readonly Records[];
  /** What is in the dictionary. */
  readonly dictionary: readonly Value[];
  /** One batch: values and records, seen together or not at all. */
  write(batch: {
    readonly values?: readonly Value[];
    readonly writes?: readonly Write[];
  }): Promise<void>;
  drop(): Promise<void>;
}

export async function openFacetDatabase(): Promise<FacetDatabase> {
  const database = await createTestDatabase();
  const sql = new pg.Pool({ connectionString: database.url, max: 2 });
  sql.on('error', () => undefined);
  const records = ENTITY_IDS.map(() => new Map<string, readonly number[]>());
  const dictionary: Value[] = [];
  let version = 0;
  return {
    url: database.url,
    sql,
    records,
    dictionary,
    write: async ({ values = [], writes = [] }) => {
      version += 1;
      const client = await sql.connect();
      try {
        await client.query('BEGIN');
        await insertValues(client, values);
        for (const [entity, id] of ENTITY_IDS.entries()) {
          const own = new Map(
            writes.filter((write) => write.entity === entity).map((write) => [write.id, write]),
          );
          await upsert(client, ENTITIES[id].facetTable, [...own.values()], version);
        }
        await client.query(
          `INSERT INTO venture.facet_state (id, version, applied_at) VALUES (1, $1, now())
           ON CONFLICT (id) DO UPDATE SET version = excluded.version, applied_at = now()`,
          [version],
        );
        await client.query('COMMIT');
      } finally {
        client.release();
      }
      dictionary.push(...values);
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

async function insertValues(client: pg.PoolClient, values: readonly Value[]): Promise<void> {
  await client.query(
    `INSERT INTO venture.dimension_value (code, dimension, value, folded)
     OVERRIDING SYSTEM VALUE
     SELECT * FROM unnest($1::int[], $2::smallint[], $3::text[], $4::text[])`,
    [
      values.map(({ code }) => code),
      values.map(({ dimension }) => dimension),
      values.map(({ value }) => value),
      values.map(({ folded }) => folded),
    ],
  );
}

async function upsert(
  client: pg.PoolClient,
  table: string,
  writes: readonly Write[],
  version: number,
): Promise<void> {
  await client.query(
    `INSERT INTO ${table} (id, codes, deleted, version)
     SELECT id, codes::int[], deleted, $4
     FROM unnest($1::uuid[], $2::text[], $3::bool[]) AS w(id, codes, deleted)
     ON CONFLICT (id) DO UPDATE
       SET codes = excluded.codes, deleted = excluded.deleted, version = excluded.version`,
    [
      writes.map(({ id }) => id),
      writes.map(({ codes }) => `{${(codes ?? []).join()}}`),
      writes.map(({ codes }) => codes === undefined),
      version,
    ],
  );
}

import { createTestDatabase } from '@vcds/test-kit';
import pg from 'pg';

/** A change in the outbox, with the last digits of ids and days in place of instants. */
export interface Change {
  readonly type: string;
  readonly subject: string;
  readonly object: string | null;
  readonly revision: number;
  /** `YYYY-MM-DD`, or `written` for the time of the write. */
  readonly occurred: string;
  readonly amount: number | null;
  readonly label: string | null;
}

/** A new database without a publisher. */
export interface OutboxFixture {
  readonly url: string;
  readonly pool: pg.Pool;
  /** Runs statements in one transaction. */
  write(...statements: readonly string[]): Promise<void>;
  /** Deletes and returns the changes in the outbox, in order. */
  changes(): Promise<Change[]>;
  close(): Promise<void>;
}

export async function openOutbox(): Promise<OutboxFixture> {
  const database = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 4 });
  pool.on('error', () => undefined);
  return {
    url: database.url,
    pool,
    write: async (...statements) => {
      const client = await pool.connect();
      try {
        await client.query(`SET search_path = venture; BEGIN; ${statements.join(';')}; COMMIT`);
      } finally {
        client.release(true);
      }
    },
    changes: async () => {
      const { rows } = await pool.query<Change>(
        `WITH taken AS (DELETE FROM venture.signal_outbox RETURNING *)
         SELECT t.name AS type, right(subject_id::text, 4) AS subject,
           right(object_id::text, 4) AS object, revision::int,
           CASE WHEN now() - occurred_at < interval '5 minutes' THEN 'written'
             ELSE to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') END AS occurred,
           amount::float8, label
         FROM taken JOIN venture.signal_type t ON t.code = type ORDER BY serial`,
      );
      return rows;
    },
    close: async () => {
      await pool.end();
      await database.drop();
    },
  };
}

/** An id that ends in four digits. */
export function id(digits: string): string {
  return `'00000000-0000-4000-8000-00000000${digits}'`;
}

import type pg from 'pg';
import type { Counts } from '../report/import-report.ts';
import { openSession } from './session.ts';

/** The row of table `import_run` that shows operators the state of an import. */
export interface ImportRun {
  readonly id: string;
  /** Stores that the import applies lines from now on. */
  beginApplying(): Promise<void>;
  /** Stores the end of an import that did not fail. */
  end(state: 'applied' | 'rejected', total: Counts): Promise<void>;
  /** Stores the failure, in a session of its own: that of the import may be lost. */
  fail(total: Counts): Promise<void>;
}

/**
 * Creates the row of an import, and marks imports without an end as failed: they were killed. The
 * session holds the import lock.
 */
export async function beginRun(
  client: pg.ClientBase,
  connectionString: string,
  file: string,
  mapping?: string,
): Promise<ImportRun> {
  await client.query(
    `UPDATE venture.import_run SET state = 'failed' WHERE state IN ('staging', 'applying')`,
  );
  const { rows } = await client.query<{ id: string }>(
    'INSERT INTO venture.import_run (file, mapping) VALUES ($1, $2) RETURNING id',
    [file, mapping ?? null],
  );
  const id = rows[0]?.id ?? '';
  return {
    id,
    beginApplying: async () => {
      await client.query(`UPDATE venture.import_run SET state = 'applying' WHERE id = $1`, [id]);
    },
    end: (state, total) => storeEnd(client, id, state, total),
    fail: async (total) => {
      const session = await openSession(connectionString);
      await storeEnd(session, id, 'failed', total).finally(() => session.end());
    },
  };
}

async function storeEnd(
  client: pg.ClientBase,
  id: string,
  state: 'applied' | 'rejected' | 'failed',
  { read, inserted, updated, deleted, unchanged, duplicate, stale, rejected }: Counts,
): Promise<void> {
  await client.query(
    `UPDATE venture.import_run
     SET state = $2, lines_read = $3, inserted = $4, updated = $5, deleted = $6, unchanged = $7,
       duplicates = $8, stale = $9, rejected = $10, finished_at = now()
     WHERE id = $1`,
    [id, state, read, inserted, updated, deleted, unchanged, duplicate, stale, rejected],
  );
}

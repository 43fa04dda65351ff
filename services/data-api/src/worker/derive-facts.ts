import type pg from 'pg';

type Database = Pick<pg.Pool, 'query'>;

/** Whether records from before an upgrade lack derived facts (docs/spec/resources.md 4.18). Cheap. */
export async function areFactsDue(database: Database): Promise<boolean> {
  const { rows } = await database.query('SELECT FROM venture.due_derivation LIMIT 1');
  return rows.length > 0;
}

/**
 * Derives the facts of all records that lack them, at most 1,000 in a transaction; a stopped run continues where it
 * was. Returns the number of records.
 *
 * @throws the reason of the signal, or the driver's error.
 */
export async function deriveFacts(database: Database, signal: AbortSignal): Promise<number> {
  let records = 0;
  for (;;) {
    signal.throwIfAborted();
    const { rows } = await database.query<{ derived: number | null }>(
      'SELECT venture.derive_next() AS derived',
    );
    const derived = rows[0]?.derived ?? null;
    if (derived === null) return records;
    records += derived;
  }
}

import type pg from 'pg';

/** Indexes that computing the derived columns needs; the others are built after the load. */
const INDEXES_NEEDED = [
  'funding_round_startup',
  'startup_deleted',
  'round_investor_investor',
  'holding_startup',
  'post_valuation_startup',
  'startup_person_person',
];

/**
 * Triggers that must run on each row of a bulk load: those that derive columns of the row itself, and
 * those that write signals. Whether the company of a record is deleted need not be read: none is yet.
 */
const ROW_TRIGGERS = `
  SELECT t.tgrelid::regclass::text AS "table", t.tgname AS name
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  WHERE c.relnamespace = 'venture'::regnamespace AND NOT t.tgisinternal
    AND (t.tgtype & 3 = 3 AND t.tgname NOT LIKE 'read\\_%' OR t.tgname = 'add_signals_of_insert'
      OR (t.tgname, c.relname) = ('add_signals_of_update', 'startup'))`;

/** Drops the secondary indexes of all tables, and returns their definitions. */
export async function dropIndexes(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT c.oid::regclass::text AS name, pg_get_indexdef(c.oid) AS definition
     FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
     JOIN pg_class AS t ON t.oid = i.indrelid
     WHERE c.relnamespace = 'venture'::regnamespace AND NOT i.indisunique
       AND c.relname <> ALL ($1) AND t.relname <> 'dimension_value'`,
    [INDEXES_NEEDED],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return rows.map(({ definition }) => definition);
}

/** From here on only the triggers that derive columns of a row, and those of signals, run. */
export async function enterBulkMode(client: pg.Client): Promise<void> {
  await setRowTriggers(client, 'ENABLE ALWAYS');
  await client.query('SET session_replication_role = replica');
}

/**
 * Ends the bulk mode. `updated_at`, which has the time of the computation, becomes a time of the
 * day of the last round; then the tables that were written twice are compacted.
 */
export async function leaveBulkMode(
  client: pg.Client,
  onStep: (name: string) => void,
): Promise<void> {
  await setRowTriggers(client, 'ENABLE');
  onStep('updated_at');
  const lastDays = { startup: 'last_funding_date', fund: 'last_investment_date' };
  for (const [table, lastDay] of Object.entries(lastDays)) {
    await client.query(`
      UPDATE venture.${table} SET updated_at = greatest(created_at,
          ${lastDay} + interval '7 hours' + abs(hashtext(id::text)) % 86400000 * interval '1 ms')
      WHERE updated_at <> created_at`);
  }
  await client.query('SET session_replication_role = origin');
  onStep('words of names');
  await client.query(`
    INSERT INTO venture.name_word (word)
    SELECT DISTINCT w.word
    FROM (SELECT name_folded FROM venture.startup UNION ALL SELECT name_folded FROM venture.fund) AS n,
      unnest(venture.name_words(n.name_folded)) AS w(word)
    WHERE w.word <> ''`);
  for (const table of ['startup', 'fund', 'holding']) {
    onStep(`VACUUM FULL ${table}`);
    await client.query(`VACUUM (FULL, ANALYZE) venture.${table}`);
  }
}

async function setRowTriggers(client: pg.Client, state: 'ENABLE' | 'ENABLE ALWAYS') {
  const { rows } = await client.query<{ table: string; name: string }>(ROW_TRIGGERS);
  for (const { table, name } of rows) {
    await client.query(`ALTER TABLE ${table} ${state} TRIGGER ${name}`);
  }
}

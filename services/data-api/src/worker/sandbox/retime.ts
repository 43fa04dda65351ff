import pg from 'pg';
import { instantOfStep } from '../../sandbox-data/day.ts';

/** Every time stamp after it is one of the build, which took place later than the scripted day. */
const DAY_ENDED = '2026-02-01T00:00:00Z';
/** Records of the first state that share a time stamp, so that pages have ties. */
const TIES = 25;

/**
 * Sets the time stamps of a build to those of the scripted day, so that every build has the same: those of the first
 * state are spread over the hours before the day, and all changes of a step have its instant, as those of
 * one transaction do. Entries of the feeds keep their order, microseconds apart.
 *
 * @param client the owner of the tables, whose triggers it suspends.
 */
export async function retime(client: pg.ClientBase, step: number): Promise<void> {
  const instant = instantOfStep(step);
  await client.query('BEGIN');
  for (const table of await stampedTables(client)) {
    await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    await client.query(step === 0 ? FIRST_STATE(table) : LATER_STATE(table), [instant, DAY_ENDED]);
    await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  }
  await client.query(SIGNALS, [instant, DAY_ENDED]);
  await client.query(CHANGES, [instant, DAY_ENDED]);
  await client.query('COMMIT');
}

/** The tables whose rows have both time stamps. */
async function stampedTables(client: pg.ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query<{ schema: string; name: string }>(
    `SELECT table_schema AS schema, table_name AS name FROM information_schema.columns
     JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema IN ('venture', 'stated') AND table_type = 'BASE TABLE'
       AND column_name IN ('created_at', 'updated_at')
     GROUP BY 1, 2 HAVING count(*) = 2 ORDER BY 1, 2`,
  );
  return rows.map(
    ({ schema, name }) => `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`,
  );
}

// By the text of the row without its time stamps: many tables have no id.
const FIRST_STATE = (table: string): string => `
  UPDATE ${table} t SET created_at = r.stamp, updated_at = r.stamp
  FROM (SELECT ctid, $1::timestamptz - interval '1 hour' + interval '1 second' * floor(row_number()
      OVER (ORDER BY (to_jsonb(s) - 'created_at' - 'updated_at')::text COLLATE "C") / ${TIES}) AS stamp
    FROM ${table} s WHERE updated_at > $2::timestamptz) r
  WHERE t.ctid = r.ctid`;

const LATER_STATE = (table: string): string => `
  UPDATE ${table} SET updated_at = $1::timestamptz,
    created_at = CASE WHEN created_at > $2::timestamptz THEN $1::timestamptz ELSE created_at END
  WHERE updated_at > $2::timestamptz`;

const SIGNALS = `
  UPDATE venture.signal s SET detected_at = r.at,
    occurred_at = CASE WHEN s.occurred_at > $2::timestamptz THEN $1::timestamptz ELSE s.occurred_at END
  FROM (SELECT detected_at AS before, $1::timestamptz + interval '1 microsecond'
      * row_number() OVER (ORDER BY detected_at) AS at
    FROM venture.signal WHERE detected_at > $2::timestamptz) r
  WHERE s.detected_at = r.before`;

const CHANGES = `
  UPDATE venture.change c SET detected_at = r.at
  FROM (SELECT detected_at AS before, $1::timestamptz + interval '1 microsecond'
      * row_number() OVER (ORDER BY detected_at) AS at
    FROM venture.change WHERE detected_at > $2::timestamptz) r
  WHERE c.detected_at = r.before`;

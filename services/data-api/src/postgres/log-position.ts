/**
 * SQL of the position of the write-ahead log that the server has reached, in bytes: everything that
 * the same statement reads was written or replayed before it.
 */
export const LOG_POSITION = `(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
  ELSE pg_current_wal_insert_lsn() END - '0/0')::text`;

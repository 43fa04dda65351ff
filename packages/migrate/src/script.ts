import pg from 'pg';

/** Why the server rejected a script. */
export interface ScriptFailure {
  readonly error: unknown;
  /** The number of the statement that failed, from 1. */
  readonly statement: number;
}

/**
 * Sends a script to the server whole, which finds where a statement ends, also in function bodies
 * and literals.
 * @returns undefined if every statement succeeded.
 */
export function runScript(client: pg.Client, sql: string): Promise<ScriptFailure | undefined> {
  return new Promise((resolve) => {
    let completed = 0;
    const count = () => {
      completed += 1;
    };
    const query = new pg.Query(sql, (error) => {
      connection?.off('commandComplete', count);
      resolve(error ? { error, statement: completed + 1 } : undefined);
    });
    let connection: pg.Connection | undefined;
    const { submit } = query;
    query.submit = (on) => {
      connection = on.on('commandComplete', count);
      return submit.call(query, on);
    };
    client.query(query);
  });
}

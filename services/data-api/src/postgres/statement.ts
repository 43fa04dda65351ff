/**
 * A parameterized statement. One that is the result of a call returns one row: `body` (JSON, null if
 * the record does not exist), `records` (their number) and `more` (whether more rows follow).
 */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /**
   * `generic`: one plan suits all values, so it is planned once per connection. `custom`: the best
   * plan depends on the values, such as a rare or a frequent city, so each execution is planned for
   * its values. A constant of the text: it never depends on how long an execution took, because a
   * slow machine would then change plans, and other plans would keep the machine slow.
   */
  readonly plan: 'generic' | 'custom';
  /**
   * Whether it may scan a whole table because no index restricts it: then it has a shorter time
   * limit and uses one of few shared connections.
   */
  readonly scans?: boolean;
  /** Of a {@link BatchedStatement}. */
  readonly id?: string;
}

/**
 * Reads the record of one id: its text reads those of a list, its only value, and returns the `id`, as
 * PostgreSQL writes it, and the `body` of each that exists. Calls with the same text share executions.
 */
export interface BatchedStatement extends Statement {
  readonly id: string;
}

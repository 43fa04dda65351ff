/**
 * A parameterized statement. One that is the result of a call returns one row: `body` (JSON, null if
 * the record does not exist), `records` (their number) and `more` (whether more rows follow).
 */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /**
   * Whether its text recurs and suits a generic plan: then it is prepared once. Otherwise each
   * execution plans it for its values, which takes about half a millisecond.
   */
  readonly recurs: boolean;
  /**
   * Whether it may scan a whole table because no index restricts it: then it has a shorter time
   * limit and uses one of few shared connections.
   */
  readonly scans?: boolean;
}

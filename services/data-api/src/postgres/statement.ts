/**
 * One parameterised statement. It answers one row:
 * `body` (text of the JSON answer, null when the record asked for is not there), `records` (how
 * many records it holds) and `more` (whether rows follow the page).
 */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /**
   * Whether its text recurs and one plan is good for all values: it is then prepared and planned
   * once. Otherwise it is planned anew with its values, which costs about half a millisecond.
   */
  readonly recurs: boolean;
  /**
   * Whether no index may narrow it down, so that it may read a whole table: it then gets the short
   * time limit of such statements, and one of the few connections that they share.
   */
  readonly scans?: boolean;
}

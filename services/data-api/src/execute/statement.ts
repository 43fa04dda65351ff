/**
 * One parameterised statement. It answers one row:
 * `body` (text of the JSON answer, null when the record asked for is not there), `records` (how
 * many records it holds) and `more` (whether rows follow the page).
 */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Whether its text recurs, so that preparing it pays. */
  readonly recurs: boolean;
}

/**
 * Everything a query text may not exceed (docs/spec/limits.md 12.1). A text beyond a bound is
 * rejected with the position at which it was crossed; nothing is ever cut off silently.
 */
export const BOUNDS = Object.freeze({
  /** Length of one parameter's text, in UTF-16 code units. */
  filterCharacters: 32_000,
  /** Comparisons in one filter, each `Field op value` being one. */
  filterTerms: 200,
  /** Levels of `(` and `not`; the parenthesis right after a `not` belongs to it. */
  filterDepth: 20,
  /** Characters of one `like` pattern. */
  patternCharacters: 500,
  /** `like` comparisons in one filter whose pattern has no three letters or digits in a row. */
  shortPatterns: 10,
  /** Characters of the text of one full-text search. */
  keywordsCharacters: 1_000,
  /** Values in one `in` or `notin` list. */
  listValues: 500,
  /** Names in one `$orderby`, `$select` or `$expand`. */
  listNames: 100,
  /** Related records of one list of a record. */
  relatedRecords: 100,
  /** Characters of one field name, dots included (OData's identifiers have the same bound). */
  nameCharacters: 128,
  /** Entries of an error's `allowed` (docs/spec/errors.md 11.1). */
  errorAllowed: 50,
  /** Characters of caller's text that an error repeats. */
  errorEcho: 80,
});

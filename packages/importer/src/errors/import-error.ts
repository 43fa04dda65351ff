/**
 * The causes of an import that failed or was stopped; rejected lines are not an error.
 * `unforeseen` is a bug; `cause` has its error.
 */
export type ImportErrorCode = 'rates' | 'mapping' | 'file' | 'database' | 'stopped' | 'unforeseen';

/** The cause of an import that ended early, as a sentence for the user. */
export class ImportError extends Error {
  readonly code: ImportErrorCode;

  constructor(code: ImportErrorCode, message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}

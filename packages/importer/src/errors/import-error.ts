/**
 * Why an import was not made or did not end; a refused one is no error, but reported. `unforeseen`
 * is a bug, its error the cause.
 */
export type ImportErrorCode = 'rates' | 'mapping' | 'file' | 'database' | 'stopped' | 'unforeseen';

/** Why an import ended before its end, in a sentence for a person. */
export class ImportError extends Error {
  readonly code: ImportErrorCode;

  constructor(code: ImportErrorCode, message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}

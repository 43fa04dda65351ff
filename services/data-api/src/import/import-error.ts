/** Why an import was not made or did not end; a refused one is no error, but reported. */
export type ImportErrorCode = 'rates' | 'mapping' | 'file' | 'database' | 'stopped';

/** A fault of what was given to an import, in a sentence for a person. */
export class ImportError extends Error {
  readonly code: ImportErrorCode;

  constructor(code: ImportErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

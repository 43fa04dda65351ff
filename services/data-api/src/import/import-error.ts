/** Why an import could not be made; `refused` imports are no error, but reported. */
export type ImportErrorCode = 'rates' | 'mapping' | 'file' | 'database';

/** A fault of what was given to an import, in a sentence for a person. */
export class ImportError extends Error {
  readonly code: ImportErrorCode;

  constructor(code: ImportErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

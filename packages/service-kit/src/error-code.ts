/**
 * The code of an error that Node itself throws (`ENOENT`), or undefined. Goes by shape: such an
 * error may come from another realm, where it is an instance of another `Error`.
 */
export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

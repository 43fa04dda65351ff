/**
 * The `code` of an error of Node (`ENOENT`), or undefined. Checks the shape: an error of another realm
 * is an instance of another `Error`.
 */
export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

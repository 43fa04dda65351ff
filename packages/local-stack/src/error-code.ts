/**
 * The code of an error of Node (`ENOENT`), or undefined. `instanceof Error` would be false for an
 * error of another realm.
 */
export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

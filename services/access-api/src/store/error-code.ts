/** The `code` of a system error, such as `ECONNREFUSED`; `unknown` for any other value. */
export function errorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error
    ? String(error.code)
    : 'unknown';
}

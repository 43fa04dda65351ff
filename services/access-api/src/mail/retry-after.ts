/**
 * The wait that a response requests, in milliseconds, never negative: `Retry-After` in seconds or
 * as a date (RFC 9110 §10.2.3), else SendGrid's `X-RateLimit-Reset` in Unix seconds. Undefined
 * without a valid header.
 */
export function retryAfterMsOf(
  header: (lowerCaseName: string) => string | undefined,
  nowMs: number,
): number | undefined {
  const retryAfter = header('retry-after')?.trim();
  if (retryAfter !== undefined) {
    if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1_000;
    const instantMs = Date.parse(retryAfter);
    if (!Number.isNaN(instantMs)) return Math.max(0, instantMs - nowMs);
  }
  const reset = header('x-ratelimit-reset')?.trim();
  if (reset !== undefined && /^\d{1,12}$/.test(reset)) {
    return Math.max(0, Number(reset) * 1_000 - nowMs);
  }
  return undefined;
}

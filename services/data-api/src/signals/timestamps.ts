/** The end of a time on connections whose time zone is UTC, as all for reads are. */
const ZONE = '+00:00';

/**
 * Times of signals as PostgreSQL writes them in JSON: without the zeros at the end of the fraction,
 * such as `2026-05-19T00:00:00.0884+00:00`.
 */
function partsOf(timestamp: string): readonly [seconds: string, fraction: string] {
  if (!timestamp.endsWith(ZONE)) throw new RangeError(`The time ${timestamp} is not in UTC.`);
  const end = timestamp.length - ZONE.length;
  const point = timestamp.indexOf('.');
  if (point === -1) return [timestamp.slice(0, end), ''];
  return [timestamp.slice(0, point), timestamp.slice(point + 1, end)];
}

/** The instant in ISO 8601 with this number of decimals, which the time does not exceed. */
export function instantOf(timestamp: string, decimals: 3 | 6): string {
  const [seconds, fraction] = partsOf(timestamp);
  return `${seconds}.${fraction.padEnd(decimals, '0')}Z`;
}

/** Microseconds since 1970. */
export function microsecondsOf(timestamp: string): bigint {
  const [seconds, fraction] = partsOf(timestamp);
  return BigInt(Date.parse(`${seconds}Z`)) * 1_000n + BigInt(fraction.padEnd(6, '0'));
}

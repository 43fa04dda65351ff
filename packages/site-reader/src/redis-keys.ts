/** sorted set: the reads that are running, by the time at which their lease expires. */
export const LEASES_KEY = 'sites:leases';

/** string: when the next request to a host may be sent, in milliseconds since the epoch. */
export function paceKey(host: string): string {
  return `sites:pace:${host}`;
}

/** string: the compressed rules of an origin's robots.txt for this robot. */
export function robotsKey(origin: string): string {
  return `sites:robots:${origin}`;
}

/** string: the compressed result of reading a site. */
export function resultKey(digest: string): string {
  return `sites:result:${digest}`;
}

/** string: how many bytes were cached in an hour since the epoch. */
export function cachedBytesKey(hour: number): string {
  return `sites:cached-bytes:${hour}`;
}

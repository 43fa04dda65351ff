/** sorted set: the reads that are running, by the time at which their lease expires. */
export const LEASES_KEY = 'sites:leases';

/** string: when the next request to a host may be sent, in milliseconds since the epoch. */
export function paceKey(host: string): string {
  return `sites:pace:${host}`;
}

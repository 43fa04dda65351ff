import { isIPv4, isIPv6 } from 'node:net';

const HEXTETS = 8;
const NETWORK_HEXTETS = 4;
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * The network a client address counts as (decisions §7): an IPv4 address by itself, an IPv6 /64
 * as a whole, since one subscriber has all of it. Anything else is one network together.
 */
export function networkOf(address: string | undefined): string {
  const bare = (address ?? '').replace(/%.*$/, '');
  const mapped = MAPPED_IPV4.exec(bare)?.[1];
  if (mapped !== undefined && isIPv4(mapped)) return mapped;
  if (isIPv4(bare)) return bare;
  if (isIPv6(bare)) return `${hextetsOf(bare).slice(0, NETWORK_HEXTETS).join(':')}::/64`;
  return 'unknown';
}

function hextetsOf(address: string): string[] {
  // A dotted tail stands for two hextets; which ones does not matter to the network part.
  const [head = '', tail] = address.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(Math.max(0, HEXTETS - before.length - after.length)).fill('0');
  const missing = tail === undefined ? [] : zeros;
  return [...before, ...missing, ...after].map((hextet) =>
    Number.parseInt(hextet, 16).toString(16),
  );
}

import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** IANA assigns global unicast addresses only here; the rest of IPv6 is special or reserved. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** Virtual machines on Azure reach the host's services on this address of a public range. */
const AZURE_HOST = '168.63.129.16';

/**
 * Whether a textual IP address is a public unicast address. Every special range of the IANA registries is
 * not: private, shared, loopback, link-local, multicast, documentation, benchmarking, reserved, and
 * those that contain an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo), whichever it is.
 * A text that is not the canonical form of an address, or has a zone, is not public.
 */
export function isPublicAddress(text: string): boolean {
  switch (isIP(text)) {
    case 4:
      return ipaddr.IPv4.parse(text).range() === 'unicast' && text !== AZURE_HOST;
    case 6: {
      if (text.includes('%')) return false;
      const address = ipaddr.IPv6.parse(text);
      return address.match(GLOBAL_IPV6) && address.range() === 'unicast';
    }
    default:
      return false;
  }
}

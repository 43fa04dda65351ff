import ipaddr from 'ipaddr.js';

const NETWORK_HEXTETS = 4;
const SITE_HEXTETS = 3;
/** A proxy may add the port: `203.0.113.7:4711`, `[2001:db8::1]:4711`. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d{1,5})?|(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5})$/;

/** The networks of a client address. */
export interface ClientNetworks {
  /** An IPv4 address, or an IPv6 /64, which one subscriber has as a whole. */
  readonly network: string;
  /** The /48 of an IPv6 /64, the largest usual assignment to one customer. */
  readonly site: string | undefined;
}

/**
 * The networks of a client. All notations of an IPv4 address are one network: mapped into IPv6
 * (`::ffff:0:0/96`), translated (`64:ff9b::/96`), or with a port. All malformed addresses together
 * are one network.
 */
export function networksOf(address: string | undefined): ClientNetworks {
  const [, bracketed, dotted] = WITH_PORT.exec(address ?? '') ?? [];
  const bare = bracketed ?? dotted ?? address ?? '';
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipv4(bare);
  if (!ipaddr.IPv6.isValid(bare)) return { network: 'unknown', site: undefined };
  const parsed = ipaddr.IPv6.parse(bare);
  const range = parsed.range();
  if (range === 'ipv4Mapped' || range === 'rfc6052') {
    return ipv4(parsed.toByteArray().slice(-4).join('.'));
  }
  const prefix = (hextets: number): string =>
    parsed.parts
      .slice(0, hextets)
      .map((part) => part.toString(16))
      .join(':');
  return {
    network: `${prefix(NETWORK_HEXTETS)}::/64`,
    site: `${prefix(SITE_HEXTETS)}::/48`,
  };
}

function ipv4(network: string): ClientNetworks {
  return { network, site: undefined };
}

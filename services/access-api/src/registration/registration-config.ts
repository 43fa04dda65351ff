import { isIP } from 'node:net';
import { secretsVariable } from '@vcds/credentials';
import { ConfigError, type Variables } from '@vcds/service-kit';

/** Settings of registrations for access-api and the worker. */
export const CODE_SECRET_VARIABLES = {
  CODE_SECRET: secretsVariable('secret that protects codes, links and addresses of registrations'),
} as const satisfies Variables;

/** Settings of registrations for access-api. */
export const REGISTRATION_VARIABLES = {
  ...CODE_SECRET_VARIABLES,
  MX_CHECK: {
    type: 'string',
    enum: ['on', 'off'],
    default: 'on',
    description: 'whether the domain of an address must be able to receive mail',
  },
  DNS_SERVERS: { type: 'string', description: 'resolvers for the MX look-up, separated by commas' },
  DISPOSABLE_DOMAINS_FILE: {
    type: 'string',
    description: 'further disposable domains, one per line',
  },
} as const satisfies Variables;

/**
 * The resolvers of DNS_SERVERS: `address`, `address:port` or `[IPv6 address]:port`.
 *
 * @throws ConfigError if one is not an address.
 */
export function dnsServersOf(text: string | undefined): readonly string[] | undefined {
  const servers = text?.split(',').map((server) => server.trim());
  if (servers?.every(isServer) === false) {
    throw new ConfigError([
      'DNS_SERVERS must be IP addresses, each optionally with a port, separated by commas.',
    ]);
  }
  return servers;
}

function isServer(server: string): boolean {
  if (isIP(server) !== 0) return true;
  const [, ipv6, ipv4, port] = /^(?:\[(.+)\]|([\d.]+)):(\d{1,5})$/.exec(server) ?? [];
  return isIP(ipv6 ?? ipv4 ?? '') !== 0 && Number(port) <= 65_535;
}

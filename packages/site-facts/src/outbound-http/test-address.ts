import { isIP } from 'node:net';

/** A server on this machine that answers for every host name, in tests. */
export interface TestAddress {
  readonly address: string;
  readonly port: number;
}

const LOOPBACK = /^(?:(127(?:\.\d{1,3}){3})|\[(::1)\]):(\d{1,5})$/;

/**
 * Parses the variable OUTBOUND_TEST_ADDRESS: `127.0.0.1:PORT` or `[::1]:PORT`.
 *
 * @returns null if the text is anything else.
 */
export function testAddressOf(text: string): TestAddress | null {
  const [, ipv4, ipv6, digits] = LOOPBACK.exec(text) ?? [];
  const address = ipv4 ?? ipv6 ?? '';
  const port = Number(digits);
  return isIP(address) !== 0 && port >= 1 && port <= 65_535 ? { address, port } : null;
}

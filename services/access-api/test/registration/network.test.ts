import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { networkOf } from '../../src/registration/network.ts';

describe('networkOf', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['nonsense', 'unknown'],
    [undefined, 'unknown'],
  ])('%s counts as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  test('all of a /64 is one network, however an address of it is written', () => {
    const hextet = fc.integer({ min: 0, max: 0xffff });
    const four = fc.tuple(hextet, hextet, hextet, hextet);
    fc.assert(
      fc.property(four, four, four, (network, one, other) => {
        const [a, b] = [one, other].map((rest) => [...network, ...rest]);
        const long = (a ?? []).map((n) => n.toString(16).padStart(4, '0')).join(':');
        const short = (b ?? []).map((n) => n.toString(16)).join(':');
        const canonical = new URL(`http://[${short}]/`).hostname.slice(1, -1);
        const networks = new Set([long, short, canonical].map(networkOf));
        // A mapped IPv4 address is that address and no network of IPv6.
        fc.pre(![...networks].some((name) => !name.endsWith('::/64')));
        expect(networks.size).toBe(1);
      }),
    );
  });
});

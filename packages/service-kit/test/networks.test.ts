// Tests docs/spec/registration.md 3.7.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { networksOf } from '../src/work/networks.ts';

const hextet = fc.integer({ min: 0, max: 0xffff });
const octet = fc.integer({ min: 0, max: 0xff });
const hex = (...numbers: readonly number[]) => numbers.map((n) => n.toString(16)).join(':');

describe('networksOf', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7', undefined],
    ['203.0.113.7:4711', '203.0.113.7', undefined],
    ['::ffff:203.0.113.7', '203.0.113.7', undefined],
    ['::FFFF:c000:0201', '192.0.2.1', undefined],
    ['0:0:0:0:0:ffff:c000:201', '192.0.2.1', undefined],
    ['[::ffff:192.0.2.1]:443', '192.0.2.1', undefined],
    ['64:ff9b::192.0.2.1', '192.0.2.1', undefined],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['[2001:db8:1:2:3:4:5:6]:51234', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['[2001:db8:1:2::]', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:DB8:0001:2::9', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
    ['::1', '0:0:0:0::/64', '0:0:0::/48'],
    ['nonsense', 'unknown', undefined],
    ['1234', 'unknown', undefined],
    ['0x7f.1', 'unknown', undefined],
    ['203.0.113.7:', 'unknown', undefined],
    [undefined, 'unknown', undefined],
  ])('%s counts as %s in %s', (address, network, site) => {
    expect(networksOf(address)).toEqual({ network, site });
  });

  test('all of a /64 is one network, however an address of it is written', () => {
    const four = fc.tuple(hextet, hextet, hextet, hextet);
    fc.assert(
      fc.property(four, four, four, (network, one, other) => {
        // 64:ff9b::/96 and ::ffff:0:0/96 stand for IPv4 addresses.
        fc.pre(network[0] !== 0x64 && network.some((part) => part !== 0));
        const long = [...network, ...one].map((n) => n.toString(16).padStart(4, '0')).join(':');
        const short = hex(...network, ...other);
        const canonical = new URL(`http://[${short}]/`).hostname.slice(1, -1);
        const forms = [long, short, canonical, `[${short}]:443`, `${short}%eth0`];
        const networks = forms.map((form) => networksOf(form).network);
        expect(new Set(networks)).toEqual(new Set([`${hex(...network)}::/64`]));
      }),
    );
  });

  test('all /64 of a /48 are one site', () => {
    fc.assert(
      fc.property(fc.tuple(hextet, hextet, hextet), hextet, hextet, (site, one, other) => {
        fc.pre(site[0] !== 0x64 && site.some((part) => part !== 0));
        const sites = [one, other].map((four) => networksOf(`${hex(...site, four)}::1`).site);
        expect(new Set(sites)).toEqual(new Set([`${hex(...site)}::/48`]));
      }),
    );
  });

  test('an IPv4 address is one network however it is written', () => {
    fc.assert(
      fc.property(fc.tuple(octet, octet, octet, octet), ([a, b, c, d]) => {
        const dotted = [a, b, c, d].join('.');
        const tail = hex(a * 256 + b, c * 256 + d);
        const forms = [
          dotted,
          `${dotted}:1`,
          `::ffff:${dotted}`,
          `::ffff:${tail}`,
          `[::FFFF:${tail}]:1`,
        ];
        for (const form of forms) expect(networksOf(form)).toEqual({ network: dotted });
      }),
    );
  });
});

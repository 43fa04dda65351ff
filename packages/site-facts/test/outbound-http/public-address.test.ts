// Tests docs/spec/find.md 20.5.
import { describe, expect, test } from '@jest/globals';
import { runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { assertPublicUrl, isPublicAddress } from '../../src/outbound-http/index.ts';

/** IANA's special-purpose registries and multicast, as blocks that are not public. */
const IPV4_BLOCKS = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24'],
  ...['192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4', '255.255.255.255/32', '168.63.129.16/32'],
];
const IPV6_BLOCKS = [
  ...['::/3', '2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'],
  ...['4000::/2', '8000::/1', '::1/128', '::ffff:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48'],
  ...['100::/64', '2001::/32', '2001:2::/48', '2001:10::/28', '2001:20::/28', '5f00::/16'],
  ...['fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
];

interface Block {
  readonly first: bigint;
  readonly last: bigint;
  readonly bits: number;
}

const blocks = [...IPV4_BLOCKS, ...IPV6_BLOCKS].map((text): Block => {
  const [address = '', prefix] = text.split('/');
  const bits = address.includes(':') ? 128 : 32;
  const first = numberOf(address);
  return { first, last: first + (1n << BigInt(bits - Number(prefix))) - 1n, bits };
});

const isSpecial = (number: bigint, bits: number): boolean =>
  blocks.some((block) => block.bits === bits && number >= block.first && number <= block.last);

function numberOf(address: string): bigint {
  if (!address.includes(':')) {
    return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  }
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].reduce(
    (sum, part) => sum * 65_536n + BigInt(`0x${part}`),
    0n,
  );
}

function textOf(number: bigint, bits: number): string {
  const parts = (count: number, size: bigint) =>
    Array.from(
      { length: count },
      (_, index) => (number >> (size * BigInt(count - 1 - index))) % 2n ** size,
    );
  if (bits === 32) return parts(4, 8n).join('.');
  return parts(8, 16n)
    .map((part) => part.toString(16))
    .join(':');
}

/** Spellings of an address as the host of a URL. */
function spellings(number: bigint, bits: number): string[] {
  const text = textOf(number, bits);
  if (bits === 128) {
    const padded = text.split(':').map((part) => part.padStart(4, '0').toUpperCase());
    return [`[${text}]`, `[${padded.join(':')}]`];
  }
  const octets = text.split('.').map(Number);
  const [a = 0, b = 0] = octets;
  const rest = number % 2n ** 24n;
  return [
    ...[text, `${text}.`, String(number), `0x${number.toString(16)}`, `0${number.toString(8)}`],
    ...[`${a}.${rest}`, `0x${a.toString(16)}.${rest}`, `${a}.${b}.${number % 65_536n}`],
    octets.map((octet) => `0${octet.toString(8)}`).join('.'),
    octets.map((octet) => `0X${octet.toString(16)}`).join('.'),
    text.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    text.replaceAll('.', '。'),
    text.replace(/\d/g, (digit) => `%3${digit}`),
    // Mapped, compatible, translated, NAT64.
    ...[`[::ffff:${text}]`, `[::${text}]`, `[::ffff:0:${text}]`, `[64:ff9b::${text}]`],
  ];
}

const isRejected = (host: string): boolean => {
  try {
    assertPublicUrl(`http://${host}/`);
    return false;
  } catch {
    return true;
  }
};

describe('an address', () => {
  test('of a block that is not public is rejected in every spelling', () => {
    const address = fc
      .constantFrom(...blocks)
      .chain(({ first, last, bits }) =>
        fc.record({ number: fc.bigInt(first, last), bits: fc.constant(bits) }),
      );
    fc.assert(
      fc.property(address, ({ number, bits }) => {
        expect(isPublicAddress(textOf(number, bits))).toBe(false);
        for (const host of spellings(number, bits))
          expect([host, isRejected(host)]).toEqual([host, true]);
      }),
      runs(500),
    );
  });

  test('is accepted exactly if it is in no such block, at the edges of every block', () => {
    for (const { first, last, bits } of blocks) {
      for (const number of [first - 1n, first, last, last + 1n]) {
        if (number < 0n || number >= 1n << BigInt(bits)) continue;
        const text = textOf(number, bits);
        expect([text, isPublicAddress(text)]).toEqual([text, !isSpecial(number, bits)]);
      }
    }
  });

  test('that is accepted is global unicast', () => {
    const global6 = fc
      .bigInt(1n << 125n, (1n << 126n) - 1n)
      .map((number) => ({ number, bits: 128 }));
    const any4 = fc.bigInt(0n, (1n << 32n) - 1n).map((number) => ({ number, bits: 32 }));
    const any6 = fc.bigInt(0n, (1n << 128n) - 1n).map((number) => ({ number, bits: 128 }));
    let accepted = 0;
    fc.assert(
      fc.property(fc.oneof(any4, any6, global6), ({ number, bits }) => {
        const text = textOf(number, bits);
        expect([text, isPublicAddress(text)]).toEqual([text, !isSpecial(number, bits)]);
        if (!isSpecial(number, bits)) accepted += 1;
      }),
      runs(900),
    );
    expect(accepted).toBeGreaterThan(100);
  });

  test('that is public is accepted', () => {
    for (const host of ['93.184.215.14', '1.1.1.1', '[2606:4700:4700::1111]', '[2a00:1450::1]']) {
      expect([host, isRejected(host)]).toEqual([host, false]);
    }
  });

  test.each([
    ...[
      '',
      ' ',
      'localhost',
      'acme.example',
      '1.1.1',
      '1.1.1.1.1',
      '1.1.1.256',
      '01.1.1.1',
      '1.1.1.1 ',
    ],
    ...[
      '0x01010101',
      '16843009',
      '１.1.1.1',
      '[2606:4700::1]',
      '2606:4700::1%eth0',
      '2606:4700::1%0',
    ],
  ])('is not public if it is not in its usual form: %j', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });
});

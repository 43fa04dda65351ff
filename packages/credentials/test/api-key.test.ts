// Tests docs/spec/authentication.md 2.3.
import { describe, expect, test } from '@jest/globals';
import { runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { digestOf, generateApiKey, parseApiKey, parseDigest, redactApiKey } from '../src/index.ts';

const BASE62 = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
const digit = fc.constantFrom(...BASE62);
const key = fc.noShrink(fc.constant(null).map(() => generateApiKey()));

describe('an API key', () => {
  test('is pk_live_, 43 random digits and 6 of checksum, different each time', () => {
    const keys = Array.from({ length: 200 }, () => generateApiKey());
    for (const each of keys) {
      expect(each).toMatch(/^pk_live_[0-9A-Za-z]{49}$/);
      expect(parseApiKey(each)).toBe(each);
    }
    expect(new Set(keys).size).toBe(200);
    const digits = new Set(keys.flatMap((each) => [...each.slice(9, 51)]));
    expect(digits.size).toBe(62);
  });

  test('with one character mistyped is always known for one', () => {
    fc.assert(
      fc.property(key, fc.nat(48), digit, (right, index, typed) => {
        const at = 8 + index;
        fc.pre(right[at] !== typed);
        expect(parseApiKey(right.slice(0, at) + typed + right.slice(at + 1))).toBeUndefined();
      }),
      runs(1_000),
    );
  });

  test('with two neighbours swapped is always known for one', () => {
    fc.assert(
      fc.property(key, fc.nat(47), (right, index) => {
        const at = 8 + index;
        fc.pre(right[at] !== right[at + 1]);
        const swapped = `${right.slice(0, at)}${right[at + 1]}${right[at]}${right.slice(at + 2)}`;
        expect(parseApiKey(swapped)).toBeUndefined();
      }),
      runs(1_000),
    );
  });

  test('cut short, drawn out, or another text is none', () => {
    const right = generateApiKey();
    for (const wrong of [
      '',
      right.slice(0, -1),
      `${right}0`,
      ` ${right}`,
      `${right}\n`,
      right.replace('pk_live_', 'pk_test_'),
      right.replace('pk_live_', 'PK_LIVE_'),
      right.toLowerCase(),
      'pk_live_',
      `${right}${right}`,
    ]) {
      expect(parseApiKey(wrong)).toBeUndefined();
    }
    fc.assert(fc.property(fc.string(), (text) => expect(parseApiKey(text)).toBeUndefined()));
  });

  test('is shown by its first four random digits only', () => {
    const right = generateApiKey();
    expect(redactApiKey(right)).toBe(`${right.slice(0, 12)}…`);
  });
});

describe('a digest', () => {
  test('is SHA-256 in hex, as published for a known text', () => {
    const known = 'pk_live_0000000000000000000000000000000000000000000' as ReturnType<
      typeof generateApiKey
    >;
    expect(digestOf(known)).toMatch(/^[0-9a-f]{64}$/);
    expect(digestOf('abc' as typeof known)).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });

  test('is distinguished from other texts', () => {
    const digest = digestOf(generateApiKey());
    expect(parseDigest(digest)).toBe(digest);
    for (const wrong of [
      '',
      digest.toUpperCase(),
      `${digest}0`,
      digest.slice(1),
      7,
      null,
      [digest],
    ]) {
      expect(parseDigest(wrong)).toBeUndefined();
    }
  });
});

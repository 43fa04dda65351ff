import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  accountKeys,
  BUCKETS,
  bucketOfAccount,
  bucketOfDigest,
  CREDIT_LIMIT_MAX,
  decodeKeyCheck,
  decodeKeyCheckRequest,
  digestOf,
  encodeKeyCheck,
  encodeKeyCheckRequest,
  generateApiKey,
  ownerKey,
  PLAN_IDS,
  positionKey,
  SCOPES,
} from '../src/index.ts';

const principal = fc.record({
  accountId: fc.uuid(),
  keyId: fc.uuid(),
  plan: fc.constantFrom(...PLAN_IDS),
  scopes: fc.option(fc.uniqueArray(fc.constantFrom(...SCOPES)).map((list) => new Set(list))),
  expiresAt: fc.option(
    fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2999-01-01') }),
  ),
  creditLimit: fc.option(fc.integer({ min: 1, max: CREDIT_LIMIT_MAX })),
});

describe('the result of a key check', () => {
  test('reads back as it was written', () => {
    fc.assert(
      fc.property(principal, (each) => {
        expect(decodeKeyCheck(encodeKeyCheck({ principal: each }))).toEqual({ principal: each });
      }),
    );
    for (const rejected of ['unknown', 'revoked', 'expired'] as const) {
      expect(decodeKeyCheck(encodeKeyCheck({ rejected }))).toEqual({ rejected });
    }
  });

  test.each([
    'not json',
    'null',
    '[]',
    '{}',
    '{"rejected":"maybe"}',
    '{"principal":null}',
    '{"principal":{"accountId":"a","keyId":"k","plan":"gold","scopes":null,"expiresAt":null}}',
    '{"principal":{"accountId":"a","keyId":"k","plan":"free","expiresAt":null}}',
    '{"principal":{"accountId":"a","keyId":"k","plan":"free","scopes":["root"],"expiresAt":null}}',
    '{"principal":{"accountId":"a","keyId":"k","plan":"free","scopes":null}}',
    '{"principal":{"accountId":"a","keyId":"k","plan":"free","scopes":null,"expiresAt":"soon"}}',
    '{"principal":{"accountId":"a","keyId":"k","plan":"free","scopes":null,"expiresAt":null,"creditLimit":0}}',
    '{"principal":{"accountId":1,"keyId":"k","plan":"free","scopes":null,"expiresAt":null}}',
  ])('anything unexpected is an error, never a principal: %s', (text) => {
    expect(() => decodeKeyCheck(text)).toThrow();
  });
});

describe('names in Redis', () => {
  test('all of an account share one hash tag, and so a slot of a cluster', () => {
    fc.assert(
      fc.property(fc.uuid(), (accountId) => {
        const tags = [
          ...Object.values(accountKeys(accountId)),
          positionKey(bucketOfAccount(accountId)),
        ];
        expect(new Set(tags.map((name) => /^\{m:[0-9a-f]{2}\}/.exec(name)?.[0])).size).toBe(1);
      }),
    );
  });

  test('buckets are used evenly', () => {
    const counts = new Array<number>(BUCKETS).fill(0);
    for (let i = 0; i < BUCKETS * 100; i++) {
      const bucket = bucketOfAccount(`account-${i}`);
      counts[bucket] = (counts[bucket] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(50);
    expect(Math.max(...counts)).toBeLessThan(160);
  });

  test('whose key a digest is lies in the bucket of the digest', () => {
    const digest = digestOf(generateApiKey());
    const bucket = bucketOfDigest(digest);
    expect(ownerKey(digest)).toBe(`${positionKey(bucket).replace('position', 'owner')}:${digest}`);
  });
});

describe('the question of a key check', () => {
  test('reads back as it was written, with and without a token', () => {
    const digest = digestOf(generateApiKey());
    for (const each of [{ digest }, { digest, tokenId: crypto.randomUUID() }]) {
      expect(decodeKeyCheckRequest(JSON.parse(encodeKeyCheckRequest(each)))).toEqual(each);
    }
  });

  test.each<unknown>([
    null,
    [],
    'x',
    {},
    { digest: 'x' },
    { digest: digestOf(generateApiKey()), token_id: 7 },
    { digest: digestOf(generateApiKey()), token_id: '' },
  ])('%j is none', (body) => {
    expect(decodeKeyCheckRequest(body)).toBeUndefined();
  });
});

// Tests docs/spec/authentication.md 2.5, 2.7.
import { describe, expect, test } from '@jest/globals';
import { digestOf, generateApiKey, type KeyCheck, type KeyDigest } from '@vcds/credentials';
import { testClock } from '@vcds/test-kit';
import { type CacheResult, createKeyCache } from '../../src/authenticate/key-cache.ts';

const OPEN: KeyCheck = {
  principal: {
    accountId: 'a',
    keyId: 'k',
    plan: 'free',
    scopes: null,
    expiresAt: null,
    creditLimit: null,
  },
};
const REVOKED: KeyCheck = { rejected: 'revoked' };
const newDigest = (): KeyDigest => digestOf(generateApiKey());

/** A cache whose look-ups the test answers. */
function fixture() {
  const clock = testClock();
  const asked: { digest: KeyDigest; answer: (check: KeyCheck) => void; fail: () => void }[] = [];
  const state = { isStreamLive: true };
  const results: CacheResult[] = [];
  const cache = createKeyCache<KeyDigest>({
    clock,
    isStreamLive: () => state.isStreamLive,
    onResult: (result) => void results.push(result),
    lookUp: (digest) =>
      new Promise((resolve, reject) => {
        asked.push({ digest, answer: resolve, fail: () => reject(new Error('down')) });
      }),
  });
  const cacheCheck = async (digest: KeyDigest, check: KeyCheck = OPEN): Promise<void> => {
    const answer = cache.check(digest);
    asked.at(-1)?.answer(check);
    await answer;
  };
  /** Checks a key while access-api is unavailable. */
  const checkDuringOutage = async (digest: KeyDigest): Promise<KeyCheck> => {
    const answer = cache.check(digest);
    asked.at(-1)?.fail();
    return answer;
  };
  return { cache, clock, asked, state, results, cacheCheck, checkDuringOutage };
}

describe('the key cache', () => {
  test('looks up a key once for all calls that wait for it', async () => {
    const { cache, asked } = fixture();
    const digest = newDigest();
    const answers = Array.from({ length: 500 }, () => cache.check(digest));
    expect(asked).toHaveLength(1);
    asked[0]?.answer(OPEN);
    expect(new Set(await Promise.all(answers))).toEqual(new Set([OPEN]));
    await cache.check(digest);
    expect(asked).toHaveLength(1);
  });

  test('looks up different keys concurrently', () => {
    const { cache, asked } = fixture();
    const digests = [newDigest(), newDigest()];
    for (const digest of digests) void cache.check(digest);
    expect(asked.map(({ digest }) => digest)).toEqual(digests);
  });

  test('caches a valid key for 5 s from the start of its look-up', async () => {
    const { cache, clock, asked } = fixture();
    const digest = newDigest();
    const slow = cache.check(digest);
    clock.advance(1_500);
    asked[0]?.answer(OPEN);
    await slow;
    clock.advance(3_499);
    await cache.check(digest);
    expect(asked).toHaveLength(1);
    clock.advance(1);
    void cache.check(digest);
    expect(asked).toHaveLength(2);
  });

  test('caches a rejected key for 2 s', async () => {
    const { cache, clock, asked, cacheCheck } = fixture();
    const digest = newDigest();
    await cacheCheck(digest, REVOKED);
    clock.advance(1_999);
    expect(await cache.check(digest)).toEqual(REVOKED);
    clock.advance(1);
    void cache.check(digest);
    expect(asked).toHaveLength(2);
  });

  test('ignores the wall clock', async () => {
    const { cache, clock, asked, cacheCheck } = fixture();
    const digest = newDigest();
    await cacheCheck(digest);
    clock.setWall('2000-01-01T00:00:00Z');
    clock.advance(5_000);
    void cache.check(digest);
    expect(asked).toHaveLength(2);
  });

  test('looks up an invalidated key again', async () => {
    const { cache, asked, cacheCheck } = fixture();
    const [digest, other] = [newDigest(), newDigest()];
    await cacheCheck(digest);
    await cacheCheck(other);
    cache.invalidate(digest);
    await cache.check(other);
    void cache.check(digest);
    expect(asked).toHaveLength(3);
  });

  test.each(['invalidate', 'invalidateAll'] as const)(
    'after %s during a look-up, its result is not cached and later calls start another',
    async (how) => {
      const { cache, asked } = fixture();
      const digest = newDigest();
      const before = cache.check(digest);
      cache[how](digest);
      const after = cache.check(digest);
      expect(asked).toHaveLength(2);
      asked[1]?.answer(REVOKED);
      expect(await after).toEqual(REVOKED);
      asked[0]?.answer(OPEN);
      expect(await before).toEqual(OPEN);
      expect(await cache.check(digest)).toEqual(REVOKED);
    },
  );

  test('neither reads nor writes entries while the stream of key changes is not live', async () => {
    const { asked, state, cacheCheck } = fixture();
    const digest = newDigest();
    await cacheCheck(digest);
    state.isStreamLive = false;
    await cacheCheck(digest);
    await cacheCheck(digest);
    expect(asked).toHaveLength(3);
  });

  test('does not cache the result of a look-up that began while the stream was not live', async () => {
    const { cache, asked, state } = fixture();
    const digest = newDigest();
    state.isStreamLive = false;
    const answer = cache.check(digest);
    state.isStreamLive = true;
    asked[0]?.answer(OPEN);
    await answer;
    void cache.check(digest);
    expect(asked).toHaveLength(2);
  });

  test('a failed look-up fails the calls that wait for it and no later one', async () => {
    const { cache, asked } = fixture();
    const digest = newDigest();
    const outcomes = Promise.allSettled([cache.check(digest), cache.check(digest)]);
    asked[0]?.fail();
    for (const { status } of await outcomes) expect(status).toBe('rejected');
    const again = cache.check(digest);
    asked[1]?.answer(OPEN);
    expect(await again).toEqual(OPEN);
  });

  test('is bounded, and guessed keys do not evict valid ones', async () => {
    const { cache, asked, cacheCheck } = fixture();
    const real = newDigest();
    await cacheCheck(real);
    const guessed = Array.from({ length: 10_001 }, (_, i) =>
      i.toString(16).padStart(64, '0'),
    ) as KeyDigest[];
    for (const digest of guessed) await cacheCheck(digest, { rejected: 'unknown' });
    await cache.check(real);
    expect(asked).toHaveLength(10_002);
    void cache.check(guessed[0] ?? real);
    expect(asked).toHaveLength(10_003);
    await cache.check(guessed[10_000] ?? real);
    expect(asked).toHaveLength(10_003);
  });

  test('evicts results that are too old for any use with the next result', async () => {
    const { cache, clock, cacheCheck } = fixture();
    for (let turn = 0; turn < 20; turn++) await cacheCheck(newDigest(), turn % 2 ? OPEN : REVOKED);
    clock.advance(59_999);
    await cacheCheck(newDigest());
    expect(cache.size()).toBe(21);
    clock.advance(1);
    await cacheCheck(newDigest());
    expect(cache.size()).toBe(2);
  });
});

describe('while access-api is unavailable', () => {
  test('a valid key is accepted for 60 s from the start of its look-up', async () => {
    const { cache, clock, asked, results, cacheCheck, checkDuringOutage } = fixture();
    const digest = newDigest();
    await cacheCheck(digest);
    clock.advance(30_000);
    expect(await checkDuringOutage(digest)).toEqual(OPEN);
    expect(results).toEqual(['miss', 'miss', 'stale']);
    // A failed look-up does not extend the 60 s.
    clock.advance(29_999);
    expect(await checkDuringOutage(digest)).toEqual(OPEN);
    clock.advance(1);
    await expect(checkDuringOutage(digest)).rejects.toThrow('down');
    expect(asked).toHaveLength(4);
    const again = cache.check(digest);
    asked.at(-1)?.answer(REVOKED);
    expect(await again).toEqual(REVOKED);
  });

  test('all calls that wait for the failed look-up are answered and counted as stale', async () => {
    const { cache, clock, asked, results, cacheCheck } = fixture();
    const digest = newDigest();
    await cacheCheck(digest);
    clock.advance(5_000);
    const answers = Array.from({ length: 3 }, () => cache.check(digest));
    asked.at(-1)?.fail();
    expect(await Promise.all(answers)).toEqual([OPEN, OPEN, OPEN]);
    expect(results.filter((result) => result === 'stale')).toHaveLength(3);
  });

  test('a key that changed, was rejected or is not cached is not accepted', async () => {
    const { cache, clock, cacheCheck, checkDuringOutage } = fixture();
    const [changed, rejected, all] = [newDigest(), newDigest(), newDigest()];
    for (const digest of [changed, all]) await cacheCheck(digest);
    await cacheCheck(rejected, REVOKED);
    clock.advance(5_000);
    cache.invalidate(changed);
    for (const digest of [changed, rejected, newDigest()]) {
      await expect(checkDuringOutage(digest)).rejects.toThrow('down');
    }
    expect(await checkDuringOutage(all)).toEqual(OPEN);
    cache.invalidateAll();
    await expect(checkDuringOutage(all)).rejects.toThrow('down');
  });

  test('after a gap in the stream, every key is looked up again, and accepted during an outage', async () => {
    const { cache, asked, cacheCheck, checkDuringOutage } = fixture();
    const [digest, rejected] = [newDigest(), newDigest()];
    await cacheCheck(digest);
    await cacheCheck(rejected, REVOKED);
    cache.expireAll();
    expect(await checkDuringOutage(digest)).toEqual(OPEN);
    await expect(checkDuringOutage(rejected)).rejects.toThrow('down');
    await cacheCheck(digest);
    expect(asked).toHaveLength(5);
    await cache.check(digest);
    expect(asked).toHaveLength(5);
  });

  test('the result of a look-up during a gap in the stream is not cached', async () => {
    const { cache, asked, cacheCheck } = fixture();
    const digest = newDigest();
    const before = cache.check(digest);
    cache.expireAll();
    asked[0]?.answer(OPEN);
    await before;
    await cacheCheck(digest);
    expect(asked).toHaveLength(2);
  });
});

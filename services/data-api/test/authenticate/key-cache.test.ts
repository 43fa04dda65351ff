import { describe, expect, test } from '@jest/globals';
import { digestOf, generateApiKey, type KeyCheck, type KeyDigest } from '@vcds/credentials';
import { testClock } from '@vcds/test-kit';
import { type CacheResult, createKeyCache } from '../../src/authenticate/key-cache.ts';

const OPEN: KeyCheck = {
  principal: { accountId: 'a', keyId: 'k', plan: 'free', scopes: null, expiresAt: null },
};
const REVOKED: KeyCheck = { rejected: 'revoked' };
const newDigest = (): KeyDigest => digestOf(generateApiKey());

/** A cache over look-ups that are answered by hand. */
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
  const know = async (digest: KeyDigest, check: KeyCheck = OPEN): Promise<void> => {
    const answer = cache.check(digest);
    asked.at(-1)?.answer(check);
    await answer;
  };
  /** Asks about a key while access-api cannot say. */
  const askInVain = async (digest: KeyDigest): Promise<KeyCheck> => {
    const answer = cache.check(digest);
    asked.at(-1)?.fail();
    return answer;
  };
  return { cache, clock, asked, state, results, know, askInVain };
}

describe('the cache of keys', () => {
  test('asks once for a key however many calls wait for it', async () => {
    const { cache, asked } = fixture();
    const digest = newDigest();
    const answers = Array.from({ length: 500 }, () => cache.check(digest));
    expect(asked).toHaveLength(1);
    asked[0]?.answer(OPEN);
    expect(new Set(await Promise.all(answers))).toEqual(new Set([OPEN]));
    await cache.check(digest);
    expect(asked).toHaveLength(1);
  });

  test('asks for different keys at the same time', () => {
    const { cache, asked } = fixture();
    const digests = [newDigest(), newDigest()];
    for (const digest of digests) void cache.check(digest);
    expect(asked.map(({ digest }) => digest)).toEqual(digests);
  });

  test('believes a key that opens for 5 s from when it was asked, not from when answered', async () => {
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

  test('believes a refused key for 2 s', async () => {
    const { cache, clock, asked, know } = fixture();
    const digest = newDigest();
    await know(digest, REVOKED);
    clock.advance(1_999);
    expect(await cache.check(digest)).toEqual(REVOKED);
    clock.advance(1);
    void cache.check(digest);
    expect(asked).toHaveLength(2);
  });

  test('a wall clock set back does not lengthen a life', async () => {
    const { cache, clock, asked, know } = fixture();
    const digest = newDigest();
    await know(digest);
    clock.setWall('2000-01-01T00:00:00Z');
    clock.advance(5_000);
    void cache.check(digest);
    expect(asked).toHaveLength(2);
  });

  test('forgets at once', async () => {
    const { cache, asked, know } = fixture();
    const [digest, other] = [newDigest(), newDigest()];
    await know(digest);
    await know(other);
    cache.invalidate(digest);
    await cache.check(other);
    void cache.check(digest);
    expect(asked).toHaveLength(3);
  });

  test.each(['invalidate', 'invalidateAll'] as const)(
    '%s during a look-up: its answer is not remembered, nor joined by later calls',
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

  test('remembers nothing while changes are not heard of, and uses nothing it remembers', async () => {
    const { asked, state, know } = fixture();
    const digest = newDigest();
    await know(digest);
    state.isStreamLive = false;
    await know(digest);
    await know(digest);
    expect(asked).toHaveLength(3);
  });

  test('does not remember what it asked while changes were not heard of', async () => {
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

  test('a failed look-up fails those who waited and nobody after', async () => {
    const { cache, asked } = fixture();
    const digest = newDigest();
    const outcomes = Promise.allSettled([cache.check(digest), cache.check(digest)]);
    asked[0]?.fail();
    for (const { status } of await outcomes) expect(status).toBe('rejected');
    const again = cache.check(digest);
    asked[1]?.answer(OPEN);
    expect(await again).toEqual(OPEN);
  });

  test('is bounded, and guessed keys do not push out real ones', async () => {
    const { cache, asked, know } = fixture();
    const real = newDigest();
    await know(real);
    const guessed = Array.from({ length: 10_001 }, (_, i) =>
      i.toString(16).padStart(64, '0'),
    ) as KeyDigest[];
    for (const digest of guessed) await know(digest, { rejected: 'unknown' });
    await cache.check(real);
    expect(asked).toHaveLength(10_002);
    void cache.check(guessed[0] ?? real);
    expect(asked).toHaveLength(10_003);
    await cache.check(guessed[10_000] ?? real);
    expect(asked).toHaveLength(10_003);
  });
});

describe('while access-api cannot say', () => {
  test('a key that opened is believed for 60 s from when it was asked about, and no longer', async () => {
    const { cache, clock, asked, results, know, askInVain } = fixture();
    const digest = newDigest();
    await know(digest);
    clock.advance(30_000);
    expect(await askInVain(digest)).toEqual(OPEN);
    expect(results).toEqual(['miss', 'miss', 'stale']);
    // A failed look-up does not lengthen its life.
    clock.advance(29_999);
    expect(await askInVain(digest)).toEqual(OPEN);
    clock.advance(1);
    await expect(askInVain(digest)).rejects.toThrow('down');
    expect(asked).toHaveLength(4);
    const again = cache.check(digest);
    asked.at(-1)?.answer(REVOKED);
    expect(await again).toEqual(REVOKED);
  });

  test('everyone who waits for the failed look-up is answered, and counted', async () => {
    const { cache, clock, asked, results, know } = fixture();
    const digest = newDigest();
    await know(digest);
    clock.advance(5_000);
    const answers = Array.from({ length: 3 }, () => cache.check(digest));
    asked.at(-1)?.fail();
    expect(await Promise.all(answers)).toEqual([OPEN, OPEN, OPEN]);
    expect(results.filter((result) => result === 'stale')).toHaveLength(3);
  });

  test('a key that changed, was refused or never seen is not believed', async () => {
    const { cache, clock, know, askInVain } = fixture();
    const [changed, refused, all] = [newDigest(), newDigest(), newDigest()];
    for (const digest of [changed, all]) await know(digest);
    await know(refused, REVOKED);
    clock.advance(5_000);
    cache.invalidate(changed);
    for (const digest of [changed, refused, newDigest()]) {
      await expect(askInVain(digest)).rejects.toThrow('down');
    }
    expect(await askInVain(all)).toEqual(OPEN);
    cache.invalidateAll();
    await expect(askInVain(all)).rejects.toThrow('down');
  });

  test('changes that may have been missed make every key be asked about, not be refused', async () => {
    const { cache, asked, know, askInVain } = fixture();
    const [digest, refused] = [newDigest(), newDigest()];
    await know(digest);
    await know(refused, REVOKED);
    cache.expireAll();
    expect(await askInVain(digest)).toEqual(OPEN);
    await expect(askInVain(refused)).rejects.toThrow('down');
    await know(digest);
    expect(asked).toHaveLength(5);
    await cache.check(digest);
    expect(asked).toHaveLength(5);
  });

  test('a look-up under way when changes were missed is not remembered', async () => {
    const { cache, asked, know } = fixture();
    const digest = newDigest();
    const before = cache.check(digest);
    cache.expireAll();
    asked[0]?.answer(OPEN);
    await before;
    await know(digest);
    expect(asked).toHaveLength(2);
  });
});

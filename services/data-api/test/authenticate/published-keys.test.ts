import { describe, expect, test } from '@jest/globals';
import type { KeySet } from '@vcds/credentials';
import { testClock, testRsaKey } from '@vcds/test-kit';
import {
  createPublishedKeys,
  FRESH_MS,
  RETRY_MS,
  STALE_MS_MAX,
} from '../../src/authenticate/published-keys.ts';

const { publicKey } = testRsaKey();
const setOf = (...kids: string[]): KeySet => new Map(kids.map((kid) => [kid, publicKey]));

/** Keys of a source that publishes a given set, or fails. */
function fixture(...kids: string[]) {
  const clock = testClock();
  const source = { set: setOf(...kids), isDown: false, asked: 0 };
  const fetch = async (): Promise<KeySet> => {
    source.asked += 1;
    if (source.isDown) throw new Error('down');
    return source.set;
  };
  return { clock, source, keys: createPublishedKeys({ fetch, clock }) };
}

describe('published keys', () => {
  test('are fetched once for concurrent calls', async () => {
    const { keys, source } = fixture('a');
    const found = await Promise.all(Array.from({ length: 100 }, () => keys.find('a')));
    expect(new Set(found)).toEqual(new Set([publicKey]));
    await keys.find('a');
    expect(source.asked).toBe(1);
  });

  test('are fetched again for an unknown key id, once a second at most', async () => {
    const { keys, source, clock } = fixture('a');
    await keys.find('a');
    source.set = setOf('b', 'a');
    expect(await keys.find('b')).toBeUndefined();
    clock.advance(RETRY_MS);
    expect(await keys.find('b')).toBe(publicKey);
    for (let i = 0; i < 1_000; i++) {
      expect(await keys.find(`guess ${i}`)).toBeUndefined();
      clock.advance(1);
    }
    expect(source.asked).toBe(2);
    await keys.find('guess');
    expect(source.asked).toBe(3);
  });

  test('are not used for more than five minutes after their removal from the set', async () => {
    const { keys, source, clock } = fixture('a');
    await keys.find('a');
    source.set = setOf('b');
    clock.advance(FRESH_MS);
    expect(await keys.find('a')).toBe(publicKey);
    clock.advance(1);
    expect(await keys.find('a')).toBeUndefined();
  });

  test('during an outage, are used for an hour, and unknown ones fail without a rejection', async () => {
    const { keys, source, clock } = fixture('a');
    await keys.find('a');
    source.isDown = true;
    clock.advance(STALE_MS_MAX);
    expect(await keys.find('a')).toBe(publicKey);
    await expect(keys.find('b')).rejects.toThrow('down');
    clock.advance(1);
    await expect(keys.find('a')).rejects.toThrow('down');
    source.isDown = false;
    clock.advance(RETRY_MS);
    expect(await keys.find('a')).toBe(publicKey);
    expect(await keys.find('b')).toBeUndefined();
  });

  test('fail without a rejection when the first fetch fails', async () => {
    const { keys, source } = fixture('a');
    source.isDown = true;
    await expect(keys.find('a')).rejects.toThrow('down');
  });
});

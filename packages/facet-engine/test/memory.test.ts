import { describe, expect, test } from '@jest/globals';
import { CountCache } from '../src/count-cache.ts';
import { Dictionary } from '../src/dictionary.ts';
import type { SegmentView } from '../src/segment.ts';
import { SharedMemory } from '../src/shared-memory.ts';
import { idOf } from './support/arbitraries.ts';
import { InlineEngine } from './support/inline-engine.ts';

test('cached counts of few values are bounded by the memory of their entries', () => {
  const cache = new CountCache(100_000);
  const view: SegmentView = {
    ...{ records: 0, live: new Uint32Array(0), ids: new Uint32Array(0) },
    ...{ columns: [], postings: undefined, numbers: undefined, links: [], figures: [] },
  };
  for (let n = 0; n < 1_000; n += 1) cache.put(view, `narrowed by ${n}`, Uint16Array.of(n));
  expect(cache.get(view, 'narrowed by 999')).toEqual(Uint16Array.of(999));
  expect(cache.get(view, 'narrowed by 0')).toBeUndefined();
});

describe('shared memory', () => {
  test('is reused only after all readers have acknowledged the version without it', () => {
    let acknowledged = 0;
    const memory = new SharedMemory(() => acknowledged);
    const first = memory.uint32(5_000).fill(7);
    expect(memory.nextVersion()).toBe(1);
    memory.retire(first);
    expect(memory.uint32(5_000).buffer).not.toBe(first.buffer);
    expect(memory.nextVersion()).toBe(2);
    expect(memory.uint32(5_000).buffer).not.toBe(first.buffer);
    acknowledged = 1;
    expect(memory.uint32(5_000).buffer).not.toBe(first.buffer);
    acknowledged = 2;
    const again = memory.uint32(5_000);
    expect(again.buffer).toBe(first.buffer);
    expect(again.every((word) => word === 0)).toBe(true);
    expect(memory.uint32(5_000).buffer).not.toBe(first.buffer);
  });

  test('that no reader has received is reused at once', () => {
    const memory = new SharedMemory();
    const first = memory.uint32(5_000).fill(7);
    memory.retire(first);
    const again = memory.uint32(4_900);
    expect(again.buffer).toBe(first.buffer);
    expect(again.every((word) => word === 0)).toBe(true);
  });

  test('is not reused for much smaller arrays, and is released if too much is idle', () => {
    let acknowledged = 0;
    const memory = new SharedMemory(() => acknowledged);
    const large = memory.uint32(1_000_000);
    memory.retire(large);
    acknowledged = memory.nextVersion();
    expect(memory.uint32(10).buffer).not.toBe(large.buffer);
    const many = Array.from({ length: 40 }, () => memory.uint32(500_000));
    for (const array of many) memory.retire(array);
    acknowledged = memory.nextVersion();
    const before = memory.bytes;
    memory.uint32(10);
    expect(memory.bytes).toBeLessThan(before / 2);
  });

  test('of a store does not grow with the number of changes', () => {
    const engine = new InlineEngine({ segmentRecordsMax: 100, recycles: true });
    engine.addValues(
      Array.from({ length: 30 }, (_, i) => ({
        code: i + 1,
        dimension: 1,
        value: `${i}`,
        folded: '',
      })),
    );
    let bytesMax = 0;
    for (let round = 0; round < 200; round++) {
      for (let i = 0; i < 50; i++) {
        engine.write(0, idOf((round * 37 + i * 11) % 1_000), [1 + ((round + i) % 30)]);
      }
      while (engine.store.compact()) engine.publish();
      engine.publish();
      if (round === 60) bytesMax = engine.store.bytes;
    }
    expect(engine.store.bytes).toBeLessThan(bytesMax * 1.5);
  });
});

describe('the dictionary rejects', () => {
  test('codes that do not ascend or are out of bounds', () => {
    const dictionary = new Dictionary(32);
    dictionary.add(5, 1);
    expect(() => dictionary.add(5, 1)).toThrow(RangeError);
    expect(() => dictionary.add(50_000_001, 1)).toThrow(RangeError);
    expect(() => dictionary.dimensionOf(4)).toThrow('the code 4,');
    expect(() => dictionary.dimensionOf(1_000_000)).toThrow('the code 1000000,');
  });
});

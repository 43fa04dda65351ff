import { describe, expect, test } from '@jest/globals';
import { Dictionary } from '../src/dictionary.ts';
import { SharedMemory } from '../src/shared-memory.ts';
import { idOf } from './support/arbitraries.ts';
import { InlineEngine } from './support/inline-engine.ts';

describe('shared memory', () => {
  test('is used again only when all readers have acknowledged the version without it', () => {
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

  test('that no reader has seen is used again at once', () => {
    const memory = new SharedMemory();
    const first = memory.uint32(5_000).fill(7);
    memory.retire(first);
    const again = memory.uint32(4_900);
    expect(again.buffer).toBe(first.buffer);
    expect(again.every((word) => word === 0)).toBe(true);
  });

  test('is not used for what would leave most of it idle, and is given up beyond a share', () => {
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

  test('of a store that changes for long stays what it was', () => {
    const engine = new InlineEngine({ segmentRecordsMax: 100, recycles: true });
    engine.addValues(
      Array.from({ length: 30 }, (_, i) => ({
        code: i + 1,
        dimension: 1,
        value: `${i}`,
        folded: '',
      })),
    );
    let most = 0;
    for (let round = 0; round < 200; round++) {
      for (let i = 0; i < 50; i++) {
        engine.write(0, idOf((round * 37 + i * 11) % 1_000), [1 + ((round + i) % 30)]);
      }
      while (engine.store.compact()) engine.publish();
      engine.publish();
      if (round === 60) most = engine.store.bytes;
    }
    expect(engine.store.bytes).toBeLessThan(most * 1.5);
  });
});

describe('the dictionary refuses', () => {
  test('codes that do not ascend or are out of bounds, and dimensions there are not', () => {
    const dictionary = new Dictionary();
    dictionary.add(5, 1);
    expect(() => dictionary.add(5, 1)).toThrow(RangeError);
    expect(() => dictionary.add(50_000_001, 1)).toThrow(RangeError);
    expect(() => dictionary.add(6, 0)).toThrow(RangeError);
    expect(() => dictionary.add(6, 32)).toThrow(RangeError);
    expect(() => dictionary.dimensionOf(4)).toThrow('dimension value 4');
    expect(() => dictionary.dimensionOf(1_000_000)).toThrow('dimension value 1000000');
  });
});

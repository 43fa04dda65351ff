import { expect, test } from '@jest/globals';
import { runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { IdTable, idWords } from '../src/id-table.ts';
import { idOf } from './support/arbitraries.ts';

const IDS = 3_000;
/** The stored ids: position n has id n. */
const ids = new Uint32Array(IDS * 4);
for (let i = 0; i < IDS; i++) ids.set(idWords(idOf(i)), i * 4);

const steps = fc.array(
  fc.record({ id: fc.nat({ max: IDS - 1 }), action: fc.constantFrom('set', 'set', 'remove') }),
  { maxLength: 4_000, size: 'max' },
);

test('it finds the ids that were set and not removed, however often it grew', () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const table = new IdTable(() => ids);
      const known = new Set<number>();
      for (const { id, action } of taken) {
        if (action === 'set') {
          table.set(wordsOf(id), id);
          known.add(id);
        } else {
          table.remove(wordsOf(id));
          known.delete(id);
        }
      }
      for (let id = 0; id < IDS; id++) {
        expect(table.find(wordsOf(id))).toBe(known.has(id) ? id : -1);
      }
    }),
    runs(20),
  );
});

test('it takes at most 16 bytes per entry beyond a thousand, even after many removals', () => {
  const table = new IdTable(() => ids);
  for (let round = 0; round < 10; round++) {
    for (let id = 0; id < IDS; id++) table.set(wordsOf(id), id);
    for (let id = 0; id < IDS; id += 2) table.remove(wordsOf(id));
  }
  expect(table.bytes).toBeLessThan(256 * 16 * 5 + IDS * 16);
});

function wordsOf(id: number): Uint32Array {
  return ids.subarray(id * 4, id * 4 + 4);
}

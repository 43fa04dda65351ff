import { expect, test } from '@jest/globals';
import { growth } from '@vcds/test-kit';
import { parseValueList } from '../../src/serve/request/value-list.ts';

// Measured time: on a quiet machine, in soak only.
test.each(['"', ' ', 'a '])(
  'the work on a list of repeated %j grows as its length does',
  (text) => {
    const work = (list: string) => {
      try {
        return parseValueList('industry', list);
      } catch {
        return undefined;
      }
    };
    expect(growth(16_000, (length) => text.repeat(length), work)).toBeLessThan(3);
  },
);

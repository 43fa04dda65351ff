import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CopyRows } from '../src/copy-rows.ts';

interface Row {
  readonly id: readonly number[];
  readonly codes: readonly number[];
  readonly isDeleted: boolean;
}

const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const END = Buffer.from([0xff, 0xff]);
const ROW: Row = { id: [1, 2, 3, 4], codes: [7, 9], isDeleted: false };

const rows: fc.Arbitrary<Row> = fc.record({
  id: fc.array(fc.nat({ max: 0xffff_ffff }), { minLength: 4, maxLength: 4 }),
  codes: fc
    .uniqueArray(fc.integer({ min: 1, max: 0x7fff_ffff }), { maxLength: 600 })
    .map((codes) => codes.toSorted((a, b) => a - b)),
  isDeleted: fc.boolean(),
});

test('rows are parsed from chunks of any size', () => {
  fc.assert(
    fc.property(fc.array(rows, { maxLength: 12 }), fc.array(fc.nat(5_000)), (given, cuts) => {
      const bytes = Buffer.concat([HEADER, ...given.map(encode), END]);
      const offsets = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length];
      offsets.sort((a, b) => a - b);
      const chunks = offsets.map((offset, i) => bytes.subarray(offsets[i - 1] ?? 0, offset));
      expect(parse(chunks)).toEqual(given);
    }),
  );
});

describe('a format error', () => {
  test.each<[string, Buffer, string]>([
    ['bytes without a COPY signature', Buffer.alloc(40, 'x'), 'no signature'],
    ['no bytes', Buffer.alloc(0), 'unexpected end'],
    ['no trailer', Buffer.concat([HEADER, encode(ROW)]), 'unexpected end'],
    ['half a row', Buffer.concat([HEADER, encode(ROW).subarray(0, 50)]), 'unexpected end'],
    ['rows after the trailer', Buffer.concat([HEADER, END, encode(ROW)]), 'data after the end'],
    ['another number of fields', withField(0, 2, 4), '4 fields'],
    ['an id that is null', withField(2, 4, -1), 'an id is null'],
    ['codes that are null', withField(22, 4, -1), 'an array is null'],
    ['deleted that is null', withField(62, 4, -1), 'deleted is null'],
    ['an array of two dimensions', withField(26, 4, 2), 'an array is not a plain list of integers'],
    [
      'an array of something else',
      withField(34, 4, 20),
      'an array is not a plain list of integers',
    ],
    ['an array with a null in it', withField(38, 4, 3), 'an array is not a plain list of integers'],
    [
      'codes that do not ascend',
      Buffer.concat([HEADER, encode({ ...ROW, codes: [9, 7] }), END]),
      'codes do not ascend',
    ],
    [
      'a code twice',
      Buffer.concat([HEADER, encode({ ...ROW, codes: [7, 7] }), END]),
      'codes do not ascend',
    ],
    [
      'a code below 1',
      Buffer.concat([HEADER, encode({ ...ROW, codes: [0] }), END]),
      'codes do not ascend',
    ],
  ])('is thrown for %s', (_, bytes, reason) => {
    expect(() => parse([bytes])).toThrow(
      `Unexpected COPY data (expected id, codes, deleted): ${reason}.`,
    );
  });
});

function parse(chunks: readonly Buffer[]): Row[] {
  const found: Row[] = [];
  const parser = new CopyRows((id, codes, count, isDeleted) => {
    found.push({ id: [...id], codes: [...codes.subarray(0, count)], isDeleted });
  });
  for (const chunk of chunks) parser.push(chunk);
  parser.end();
  return found;
}

/** PostgreSQL's binary form of a row. */
function encode({ id, codes, isDeleted }: Row): Buffer {
  const array = codes.length === 0 ? [0, 0, 23] : [1, 0, 23, codes.length, 1];
  const elements = codes.flatMap((code) => [4, code]);
  const words = [16, ...id, 4 * (array.length + elements.length), ...array, ...elements, 1];
  const bytes = Buffer.alloc(2 + words.length * 4 + 1);
  bytes.writeUInt16BE(3);
  for (const [i, word] of words.entries()) bytes.writeInt32BE(word | 0, 2 + i * 4);
  bytes.writeUInt8(isDeleted ? 1 : 0, bytes.length - 1);
  return bytes;
}

/** A row with a number overwritten. */
function withField(at: number, length: number, value: number): Buffer {
  const row = encode(ROW);
  row.writeIntBE(value, at, length);
  return Buffer.concat([HEADER, row, END]);
}

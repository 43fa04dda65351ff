import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CopyRows } from '../src/copy-rows.ts';

interface Row {
  readonly id: readonly number[];
  readonly codes: readonly number[];
  readonly isDeleted: boolean;
  readonly links: readonly { readonly id: readonly number[]; readonly tag: number }[];
}

const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const END = Buffer.from([0xff, 0xff]);
const ROW: Row = { id: [1, 2, 3, 4], codes: [7, 9], isDeleted: false, links: [] };

const rows: fc.Arbitrary<Row> = fc.record({
  id: fc.array(fc.nat({ max: 0xffff_ffff }), { minLength: 4, maxLength: 4 }),
  codes: fc
    .uniqueArray(fc.integer({ min: 1, max: 0x7fff_ffff }), { maxLength: 600 })
    .map((codes) => codes.toSorted((a, b) => a - b)),
  isDeleted: fc.boolean(),
  links: fc.array(
    fc.record({
      id: fc.array(fc.nat({ max: 0xffff_ffff }), { minLength: 4, maxLength: 4 }),
      tag: fc.nat({ max: 0x7fff_ffff }),
    }),
    { maxLength: 40 },
  ),
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
    ['an id that is null', withField(2, 4, -1), 'a value is null'],
    ['codes that are null', withField(22, 4, -1), 'a value is null'],
    ['deleted that is null', withField(62, 4, -1), 'a value is null'],
    ['an array of two dimensions', withField(26, 4, 2), 'an array is not a plain list'],
    ['an array of something else', withField(34, 4, 20), 'an array is not a plain list'],
    ['an array with a null in it', withField(38, 4, 3), 'an array is not a plain list'],
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
      `Unexpected COPY data (expected id, codes, deleted, figures, links): ${reason}.`,
    );
  });
});

describe('figures, which are only added at the end,', () => {
  const figuresOf = (count: number, given: readonly (number | null)[], isDeleted = false) => {
    const row = encode({ ...ROW, isDeleted });
    const elements = given.map((figure) => {
      const bytes = Buffer.alloc(figure === null ? 4 : 12);
      bytes.writeInt32BE(figure === null ? -1 : 8);
      if (figure !== null) bytes.writeDoubleBE(figure, 4);
      return bytes;
    });
    const head = Buffer.alloc(given.length === 0 ? 12 : 20);
    for (const [i, word] of (given.length === 0
      ? [0, 0, 701]
      : [1, 1, 701, given.length, 1]
    ).entries())
      head.writeInt32BE(word, i * 4);
    const array = Buffer.concat([head, ...elements]);
    const length = Buffer.alloc(4);
    length.writeInt32BE(array.length);
    // After id, two codes and deleted.
    const at = 2 + 20 + 40 + 5;
    const bytes = Buffer.concat([
      HEADER,
      row.subarray(0, at),
      length,
      array,
      row.subarray(at),
      END,
    ]);
    bytes.writeUInt16BE(6, HEADER.length);
    let found: number[] = [];
    const layout = { figures: count, links: [{ hasTags: true }] };
    const parser = new CopyRows(layout, ({ figures }) => {
      found = [...figures];
    });
    parser.push(bytes);
    parser.end();
    return found;
  };

  test('of a newer version are read without the further ones', () => {
    expect(figuresOf(2, [1.5, null, 7])).toEqual([1.5, NaN]);
    expect(figuresOf(2, [1.5, 2])).toEqual([1.5, 2]);
  });

  test('of an older version are not taken for unknown', () => {
    for (const given of [[], [1.5]]) {
      expect(() => figuresOf(2, given)).toThrow(`has ${given.length} of 2 figures`);
      expect(figuresOf(2, given, true)).toHaveLength(2);
    }
  });
});

function parse(chunks: readonly Buffer[]): Row[] {
  const found: Row[] = [];
  const layout = { figures: 0, links: [{ hasTags: true }] };
  const parser = new CopyRows(layout, ({ id, codes, codeCount, isDeleted, links }) => {
    const [{ ids = [], tags = [], length = 0 } = {}] = links;
    const linked = Array.from({ length }, (_, i) => ({
      id: [...ids.slice(4 * i, 4 * i + 4)],
      tag: tags[i] ?? 0,
    }));
    found.push({
      ...{ id: [...id], codes: [...codes.subarray(0, codeCount)], isDeleted, links: linked },
    });
  });
  for (const chunk of chunks) parser.push(chunk);
  parser.end();
  return found;
}

/** PostgreSQL's binary form of a row. */
function encode({ id, codes, isDeleted, links }: Row): Buffer {
  const words = (list: readonly number[]) => {
    const bytes = Buffer.alloc(list.length * 4);
    for (const [i, word] of list.entries()) bytes.writeInt32BE(word | 0, i * 4);
    return bytes;
  };
  const array = (oid: number, bytes: number, elements: readonly (readonly number[])[]) => {
    const head = elements.length === 0 ? [0, 0, oid] : [1, 0, oid, elements.length, 1];
    const content = [...head, ...elements.flatMap((element) => [bytes, ...element])];
    return words([4 * content.length, ...content]);
  };
  const fields = [
    words([16, ...id]),
    array(
      23,
      4,
      codes.map((code) => [code]),
    ),
    Buffer.concat([words([1]), Buffer.from([isDeleted ? 1 : 0])]),
    array(
      2950,
      16,
      links.map((link) => link.id),
    ),
    array(
      23,
      4,
      links.map(({ tag }) => [tag]),
    ),
  ];
  return Buffer.concat([Buffer.from([0, fields.length]), ...fields]);
}

/** A row with a number overwritten. */
function withField(at: number, length: number, value: number): Buffer {
  const row = encode(ROW);
  row.writeIntBE(value, at, length);
  return Buffer.concat([HEADER, row, END]);
}

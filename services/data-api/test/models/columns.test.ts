import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Column, decodeColumns, encodeColumns } from '../../src/models/columns.ts';

const numbers = <T extends Column>(
  create: (values: readonly number[]) => T,
  min: number,
  max: number,
) => fc.array(fc.integer({ min, max })).map(create);

const column: fc.Arbitrary<Column> = fc.oneof(
  numbers((values) => Uint8Array.from(values), 0, 255),
  numbers((values) => Uint16Array.from(values), 0, 65_535),
  numbers((values) => Int32Array.from(values), -(2 ** 31), 2 ** 31 - 1),
  numbers((values) => Uint32Array.from(values), 0, 2 ** 32 - 1),
  fc.array(fc.double()).map((values) => Float64Array.from(values)),
  fc
    .array(fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')))
    // One empty text and no text are the same bytes.
    .filter((texts) => texts.length !== 1 || texts[0] !== ''),
);

test('columns of any type and length survive encoding', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), column), async (columns) => {
      const decoded = await decodeColumns(await encodeColumns(columns));
      expect([...decoded.keys()]).toEqual(Object.keys(columns));
      for (const [name, values] of Object.entries(columns)) {
        expect(decoded.get(name)).toEqual(values);
      }
    }),
  );
});

test('equal columns are equal bytes', async () => {
  const columns = { a: Uint8Array.of(1, 2), b: ['x', 'y'] };
  expect(await encodeColumns(columns)).toEqual(await encodeColumns({ ...columns }));
});

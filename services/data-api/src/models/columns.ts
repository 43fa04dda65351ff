/** Columns of numbers and texts as bytes: a table of contents in JSON, then the columns. */
import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';

const TYPES = {
  Uint8Array,
  Int8Array,
  Uint16Array,
  Int16Array,
  Uint32Array,
  Int32Array,
  Float32Array,
  Float64Array,
} as const;

type TypeName = keyof typeof TYPES;

/** An array of numbers of a fixed size. */
export type NumberColumn =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** An array of numbers, or of texts, in which U+0000 does not occur. */
export type Column = NumberColumn | readonly string[];

interface Entry {
  readonly name: string;
  readonly type: TypeName | 'texts';
  readonly length: number;
  readonly bytes: number;
}

/** Every column begins at a multiple of it, so that an array of any type can be a view. */
const ALIGNMENT = 8;
const SEPARATOR = '\0';

/** The columns, compressed. Equal columns are equal bytes. */
export async function encodeColumns(columns: Readonly<Record<string, Column>>): Promise<Buffer> {
  const entries: Entry[] = [];
  const parts: Uint8Array[] = [];
  for (const [name, column] of Object.entries(columns)) {
    const bytes = bytesOf(column);
    entries.push({ name, type: typeOf(column), length: column.length, bytes: bytes.length });
    parts.push(bytes, new Uint8Array(paddingOf(bytes.length)));
  }
  const contents = Buffer.from(JSON.stringify(entries));
  const size = Buffer.alloc(ALIGNMENT);
  size.writeUInt32LE(contents.length);
  const head = [size, contents, Buffer.alloc(paddingOf(contents.length))];
  return await promisify(gzip)(Buffer.concat([...head, ...parts]), {
    level: constants.Z_BEST_SPEED,
  });
}

/** The columns of {@link encodeColumns}, by name. Columns of numbers are views of one buffer. */
export async function decodeColumns(encoded: Uint8Array): Promise<ReadonlyMap<string, Column>> {
  const bytes = aligned(await promisify(gunzip)(encoded));
  const contentsBytes = bytes.readUInt32LE(0);
  let offset = ALIGNMENT;
  const entries: readonly Entry[] = JSON.parse(
    bytes.subarray(offset, offset + contentsBytes).toString(),
  );
  offset += contentsBytes + paddingOf(contentsBytes);
  return new Map(
    entries.map((entry) => {
      const column = columnOf(entry, bytes, offset);
      offset += entry.bytes + paddingOf(entry.bytes);
      return [entry.name, column];
    }),
  );
}

function columnOf({ type, length, bytes }: Entry, from: Buffer, offset: number): Column {
  if (type !== 'texts')
    return new TYPES[type](from.buffer as ArrayBuffer, from.byteOffset + offset, length);
  if (length === 0) return [];
  return from
    .subarray(offset, offset + bytes)
    .toString()
    .split(SEPARATOR);
}

function bytesOf(column: Column): Uint8Array {
  if (!ArrayBuffer.isView(column)) return Buffer.from(column.join(SEPARATOR));
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}

function typeOf(column: Column): Entry['type'] {
  const names = Object.keys(TYPES) as TypeName[];
  return names.find((name) => column instanceof TYPES[name]) ?? 'texts';
}

function paddingOf(bytes: number): number {
  return (ALIGNMENT - (bytes % ALIGNMENT)) % ALIGNMENT;
}

// Small buffers are slices of a shared pool, at any offset.
function aligned(bytes: Buffer): Buffer {
  if (bytes.byteOffset % ALIGNMENT === 0) return bytes;
  const copy = Buffer.from(new ArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

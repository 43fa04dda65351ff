/** Decompresses files. The first bytes decide the format, not the name. */
import { pipeline, Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import { Decompress } from 'fzstd';
import { ImportError } from '../errors/import-error.ts';

/** The first bytes of unsupported formats, and the names of these. */
const UNREADABLE = [
  [/^504b0304/u, 'a zip archive or a spreadsheet'],
  [/^425a683[1-9]314159/u, 'a bzip2 file'],
  [/^fd377a585a00/u, 'an xz file'],
  [/^377abcaf271c/u, 'a 7z archive'],
  [/^d0cf11e0a1b11ae1/u, 'a spreadsheet'],
  [/^5041523115/u, 'a Parquet file'],
] as const;

const GZIP_MARK = '1f8b';
const ZSTD_MARK = '28b52ffd';
const MARK_BYTES = 8;

/** A small piece contains few blocks, each of which may expand to 128 KiB. */
const ZSTD_PIECE_BYTES = 1024;

/**
 * The bytes of a file, decompressed if they are gzip or zstd, block by block.
 * @throws ImportError for an unsupported format that is not text, and for damaged or truncated data.
 */
export async function* decompress(
  bytes: AsyncIterable<Buffer>,
  name: string,
): AsyncGenerator<Buffer> {
  const source = bytes[Symbol.asyncIterator]();
  const head: Buffer[] = [];
  for (let length = 0; length < MARK_BYTES; ) {
    const next = await source.next();
    if (next.done === true) break;
    head.push(next.value);
    length += next.value.length;
  }
  const all = allOf(head, source);
  const mark = Buffer.concat(head).subarray(0, MARK_BYTES).toString('hex');
  const other = UNREADABLE.find(([start]) => start.test(mark));
  if (other !== undefined) {
    const supported = 'only text files are supported, plain or compressed with gzip or zstd';
    throw new ImportError('file', `${name} is ${other[1]}: ${supported}.`);
  }
  if (mark.startsWith(GZIP_MARK)) yield* through(all, zlib.createGunzip(), `${name}: gzip`);
  else if (mark.startsWith(ZSTD_MARK)) yield* unzstd(all, name);
  else yield* all;
}

async function* allOf(head: readonly Buffer[], rest: AsyncIterator<Buffer>) {
  try {
    yield* head;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
      yield next.value;
    }
  } finally {
    await rest.return?.();
  }
}

/** Node has it from 22.15. */
const { createZstdDecompress } = zlib as { readonly createZstdDecompress?: () => Transform };

function unzstd(bytes: AsyncIterable<Buffer>, name: string): AsyncIterable<Buffer> {
  const what = `${name}: zstd`;
  return createZstdDecompress === undefined
    ? unzstdInScript(bytes, what)
    : through(bytes, createZstdDecompress(), what);
}

async function* through(bytes: AsyncIterable<Buffer>, decoder: Transform, what: string) {
  pipeline(Readable.from(bytes), decoder, () => undefined);
  try {
    for await (const block of decoder) yield block as Buffer;
  } catch (error) {
    throw damaged(error, what);
  }
}

async function* unzstdInScript(bytes: AsyncIterable<Buffer>, what: string) {
  let blocks: Buffer[] = [];
  const decoder = new Decompress((block) => blocks.push(Buffer.from(block)));
  const push = (piece: Buffer, isLast: boolean) => {
    try {
      decoder.push(piece, isLast);
    } catch (error) {
      throw damaged(error, what);
    }
  };
  for await (const block of bytes) {
    for (let at = 0; at < block.length; at += ZSTD_PIECE_BYTES) {
      push(block.subarray(at, at + ZSTD_PIECE_BYTES), false);
      yield* blocks;
      blocks = [];
    }
  }
  push(Buffer.alloc(0), true);
  yield* blocks;
}

/** An error of reading the file itself is not changed. */
function damaged(error: unknown, what: string): ImportError {
  if (error instanceof ImportError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new ImportError('file', `${what} data is damaged or truncated (${reason}).`);
}

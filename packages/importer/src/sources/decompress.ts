/** Decompresses files. The first bytes decide the format, not the name. */
import { pipeline, Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import { Decompress } from 'fzstd';
import { ImportError } from '../errors/import-error.ts';
import { HEAD_BYTES, notText } from './file-format.ts';

const GZIP_MARK = '1f8b';
const ZSTD_MARK = '28b52ffd';
const SUPPORTED = 'only text files are supported, plain or compressed with gzip or zstd';

/** A small piece contains few blocks, each of which may expand to 128 KiB. */
const ZSTD_PIECE_BYTES = 1024;

/**
 * The bytes of a file, decompressed if they are gzip or zstd, block by block.
 * @throws ImportError for a format that is not text, also within the compressed data, and for damaged
 *   or truncated data.
 */
export async function* decompress(
  bytes: AsyncIterable<Buffer>,
  name: string,
): AsyncGenerator<Buffer> {
  const { head, all } = await beginning(bytes);
  const [decompressed, how] = decompressorOf(head, all, name);
  const what = how === undefined ? notText(head) : undefined;
  if (what !== undefined) throw new ImportError('file', `${name} is ${what}: ${SUPPORTED}.`);
  if (how === undefined) {
    yield* all;
    return;
  }
  const inner = await beginning(decompressed);
  const [, again] = decompressorOf(inner.head, inner.all, name);
  const within = again === undefined ? notText(inner.head) : `${again} data`;
  if (within !== undefined) {
    await inner.end();
    throw new ImportError('file', `${name} is ${how} data of ${within}: ${SUPPORTED}, once.`);
  }
  yield* inner.all;
}

/** The first bytes of a file, and all of them. */
async function beginning(bytes: AsyncIterable<Buffer>) {
  const source = bytes[Symbol.asyncIterator]();
  const blocks: Buffer[] = [];
  for (let length = 0; length < HEAD_BYTES; ) {
    const next = await source.next();
    if (next.done === true) break;
    blocks.push(next.value);
    length += next.value.length;
  }
  const head = Buffer.concat(blocks).subarray(0, HEAD_BYTES);
  return { head, all: allOf(blocks, source), end: async () => source.return?.() };
}

function decompressorOf(
  head: Buffer,
  all: AsyncIterable<Buffer>,
  name: string,
): readonly [bytes: AsyncIterable<Buffer>, how: 'gzip' | 'zstd' | undefined] {
  const mark = head.subarray(0, 4).toString('hex');
  if (mark.startsWith(GZIP_MARK))
    return [through(all, zlib.createGunzip(), `${name}: gzip`), 'gzip'];
  if (mark.startsWith(ZSTD_MARK)) return [unzstd(all, name), 'zstd'];
  return [all, undefined];
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

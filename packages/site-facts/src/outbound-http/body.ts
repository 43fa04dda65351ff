import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { errorCode } from '@vcds/service-kit/error-code';
import { OutboundError } from './outbound-error.ts';

/** No site needs more than one; a stack of them multiplies the size. */
const CODINGS_MAX = 2;
/** The largest window of zstd as a content coding (RFC 9659): 8 MB. */
const ZSTD_WINDOW_LOG_MAX = 23;

type Decompress = (
  body: Buffer,
  options: { readonly maxOutputLength: number; readonly params?: Record<number, number> },
) => Promise<Buffer>;

/** Node has zstd since 22.15; its types for 20 do not. */
const {
  zstdDecompress,
  constants,
}: {
  readonly zstdDecompress?: (
    body: Buffer,
    options: zlib.BrotliOptions,
    callback: (error: Error | null, result: Buffer) => void,
  ) => void;
  readonly constants: Readonly<Record<string, number>>;
} = zlib;

const gunzip: Decompress = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip);
const inflate: Decompress = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflate);
const inflateRaw: Decompress = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);
const brotli: Decompress = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress);

const DECOMPRESS: ReadonlyMap<string, Decompress> = new Map([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  // Some servers send deflate without the zlib header, whose low four bits are 8.
  ['deflate', (body, options) => ((body[0] ?? 0) % 16 === 8 ? inflate : inflateRaw)(body, options)],
  ['br', brotli],
  ...zstd(),
]);

/** The header Accept-Encoding of every request. */
export const ACCEPT_ENCODING = [...DECOMPRESS.keys()]
  .filter((name) => name !== 'x-gzip')
  .join(', ');

/**
 * Collects a body of at most `bytesMax` bytes.
 *
 * @param announced the length in the header, which need not be true.
 * @throws OutboundError too_large as soon as more is announced or has come.
 */
export async function collect(
  body: AsyncIterable<Buffer>,
  bytesMax: number,
  announced: number,
): Promise<Buffer> {
  if (announced > bytesMax) throw tooLarge(bytesMax);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/**
 * Undoes the content codings of a body, the last one first. Each stops at `bytesMax` bytes, so that
 * a small body cannot become a large one.
 *
 * @param contentEncoding the header.
 * @throws OutboundError too_large; bad_response for codings that are unknown, too many or not what
 *   the body has.
 */
export async function decode(
  body: Buffer,
  contentEncoding: string | undefined,
  bytesMax: number,
): Promise<Buffer> {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > CODINGS_MAX) {
    throw new OutboundError('bad_response', 'The response has too many content codings.');
  }
  let decoded = body;
  for (const coding of codings.reverse()) {
    if (decoded.length > 0) decoded = await decodeOnce(decoded, coding, bytesMax);
  }
  return decoded;
}

async function decodeOnce(body: Buffer, coding: string, bytesMax: number): Promise<Buffer> {
  const decompress = DECOMPRESS.get(coding);
  if (decompress === undefined) {
    throw new OutboundError('bad_response', 'The response has an unknown content coding.');
  }
  try {
    return await decompress(body, { maxOutputLength: bytesMax });
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(bytesMax);
    throw new OutboundError('bad_response', `The body of the response is not valid ${coding}.`, {
      cause: error,
    });
  }
}

function zstd(): [string, Decompress][] {
  if (zstdDecompress === undefined || constants.ZSTD_d_windowLogMax === undefined) return [];
  const decompress = promisify(zstdDecompress);
  const params = { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG_MAX };
  return [['zstd', (body, options) => decompress(body, { ...options, params })]];
}

function tooLarge(bytesMax: number): OutboundError {
  return new OutboundError('too_large', `The response has more than ${bytesMax} bytes.`);
}

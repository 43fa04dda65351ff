/** Decodes a mapped file in the encoding of the mapping. */
import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { ImportError } from '../errors/import-error.ts';
import type { Mapping } from './mapping.ts';

/** Whether the mapping's file is UTF-8. */
export const isUtf8Mapping = ({ encoding = 'utf8' }: Mapping): boolean =>
  /^utf-?8$/iu.test(encoding);

/**
 * Decodes a file block by block.
 * @throws ImportError for an unknown encoding and for bytes that are invalid in the encoding:
 *   decoding with a wrong encoding would silently corrupt names. In encodings other than UTF-8 a
 *   U+FFFD of the file itself is an error too: the decoder returns it for invalid bytes.
 */
export function decode(bytes: AsyncIterable<Buffer>, mapping: Mapping): AsyncIterable<string> {
  const { encoding = 'utf8' } = mapping;
  if (isUtf8Mapping(mapping)) return decodeUtf8(bytes, mapping);
  if (iconv.encodingExists(encoding)) return decodeOther(bytes, encoding, mapping);
  throw new ImportError('mapping', `${mapping.name}: there is no encoding ${encoding}.`);
}

async function* decodeOther(bytes: AsyncIterable<Buffer>, encoding: string, mapping: Mapping) {
  const decoder = iconv.getDecoder(encoding);
  const lineEnd = lineEndOf(mapping);
  let lines = 0;
  let rest = '';
  let length = 0;
  const fail = () => {
    const what = `The file is not ${encoding} on line ${lines + 1}`;
    throw new ImportError('file', `${what}: correct "encoding" in the mapping ${mapping.name}.`);
  };
  const checked = (text: string): string => {
    const good = text.search(UNDECODED);
    const read = good === -1 ? text : text.slice(0, good);
    lines += read.split(lineEnd).length - 1;
    if (good !== -1) fail();
    return text;
  };
  for await (const block of bytes) {
    length += block.length;
    const all = rest + decoder.write(block);
    // A block of UTF-16 may end between the two halves of a surrogate pair.
    const end = HIGH_SURROGATE.test(all.slice(-1)) ? all.length - 1 : all.length;
    rest = all.slice(end);
    yield checked(all.slice(0, end));
  }
  yield checked(rest + (decoder.end() ?? ''));
  // The decoder drops half a unit at the end.
  if (length % 2 === 1 && UTF_16.test(encoding)) fail();
}

/** The replacement character of the decoder, and unpaired surrogates. */
const UNDECODED = /[\ufffd\p{Cs}]/u;
/** Encodings in units of two bytes, by the names that the decoder takes. */
const UTF_16 = /^(?:utf|ucs)[^a-z\d]*(?:16|2)/iu;
const HIGH_SURROGATE = /[\ud800-\udbff]/;

const lineEndOf = ({ csv }: Mapping) => (csv?.lineEnd === '\r' ? '\r' : '\n');

async function* decodeUtf8(bytes: AsyncIterable<Buffer>, mapping: Mapping) {
  const lineEnd = lineEndOf(mapping);
  let lines = 0;
  let rest: Buffer = Buffer.alloc(0);
  const text = (whole: Buffer): string => {
    if (isUtf8(whole)) {
      for (let at = whole.indexOf(lineEnd); at !== -1; at = whole.indexOf(lineEnd, at + 1)) {
        lines += 1;
      }
      return whole.toString('utf8');
    }
    const isBad = (line: string) => !isUtf8(Buffer.from(line, 'latin1'));
    const line = lines + whole.toString('latin1').split(lineEnd).findIndex(isBad) + 1;
    const what = `The file is not UTF-8 on line ${line}`;
    throw new ImportError('file', `${what}: set "encoding" in the mapping ${mapping.name}.`);
  };
  for await (const block of bytes) {
    const all = Buffer.concat([rest, block]);
    const end = lastBoundary(all);
    rest = all.subarray(end);
    yield text(all.subarray(0, end));
  }
  yield text(rest);
}

/** The start of a last character that the end of the block cuts, otherwise the end. */
function lastBoundary(bytes: Buffer): number {
  for (let at = bytes.length - 1; at >= 0 && at >= bytes.length - 3; at--) {
    const byte = bytes[at] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return at + length > bytes.length ? at : bytes.length;
  }
  return bytes.length;
}

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
 * @throws ImportError for an unknown encoding and for invalid UTF-8: decoding with a wrong encoding
 *   would silently corrupt names.
 */
export function decode(bytes: AsyncIterable<Buffer>, mapping: Mapping): AsyncIterable<string> {
  const { encoding = 'utf8' } = mapping;
  if (isUtf8Mapping(mapping)) return decodeUtf8(bytes, mapping);
  if (iconv.encodingExists(encoding)) return decodeOther(bytes, encoding);
  throw new ImportError('mapping', `${mapping.name}: there is no encoding ${encoding}.`);
}

async function* decodeOther(bytes: AsyncIterable<Buffer>, encoding: string) {
  const decoder = iconv.getDecoder(encoding);
  for await (const block of bytes) yield decoder.write(block);
  yield decoder.end() ?? '';
}

async function* decodeUtf8(bytes: AsyncIterable<Buffer>, { name, csv }: Mapping) {
  const lineEnd = csv?.lineEnd === '\r' ? '\r' : '\n';
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
    throw new ImportError('file', `${what}: set "encoding" in the mapping ${name}.`);
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

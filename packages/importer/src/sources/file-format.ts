/** Recognizes files that are not text by their first bytes. */

/** Bytes of a file that are enough to recognize it: the first header of a tar archive. */
export const HEAD_BYTES = 512;

/** The first bytes of formats, as hexadecimal digits, and what the file is. */
const BY_START: readonly (readonly [start: RegExp, what: string])[] = [
  [/^504b0506/u, 'an empty zip archive'],
  [/^425a683[1-9]314159/u, 'a bzip2 file'],
  [/^fd377a585a00/u, 'an xz file'],
  [/^377abcaf271c/u, 'a 7z archive'],
  [/^526172211a07/u, 'a rar archive'],
  [/^04224d18/u, 'an lz4 file'],
  [/^1f9d|^1fa0/u, 'a file of compress'],
  [/^d0cf11e0a1b11ae1/u, 'a spreadsheet (.xls) or another document of Microsoft Office'],
  [/^5041523115/u, 'a Parquet file'],
  [/^4f626a01/u, 'an Avro file'],
  [/^4152524f57310000/u, 'an Arrow file'],
  [/^53514c69746520666f726d6174203300/u, 'a SQLite database'],
  [/^5047444d50/u, 'a dump of PostgreSQL'],
  [/^255044462d/u, 'a PDF'],
  [/^7b5c727466/u, 'a document in RTF'],
];

/** The content of a zip archive, by the name of its first file. */
const BY_MEMBER: readonly (readonly [name: RegExp, what: string])[] = [
  [
    /^(?:\[Content_Types\]\.xml|_rels\/|xl\/|docProps\/|word\/)/u,
    'a spreadsheet (.xlsx) or another document of Microsoft Office',
  ],
  [/^mimetype/u, 'a spreadsheet (.ods) or another document of OpenDocument'],
];

const MARKUP = /^\s*(?:<!doctype\s+html|<html|<table|<head|<meta|<\?xml|<workbook|<!--)/iu;

/**
 * The format of a file by its first {@link HEAD_BYTES}, as the end of a sentence; undefined if it may be
 * text. UTF-16 with a byte order mark is text.
 */
export function notText(head: Buffer): string | undefined {
  const hex = head.subarray(0, 16).toString('hex');
  if (hex.startsWith('504b0304')) return zipped(head);
  const found = BY_START.find(([start]) => start.test(hex));
  if (found !== undefined) return found[1];
  if (isTar(head)) return 'a tar archive';
  const text = head.toString('latin1').replace(/^\u00ef\u00bb\u00bf/u, '');
  if (MARKUP.test(text))
    return /<\?xml|<workbook/iu.test(text) ? 'XML' : 'HTML, as some exports to .xls are';
  return isBinary(head) ? 'not text (it has NUL bytes)' : undefined;
}

function zipped(head: Buffer): string {
  const length = head.length >= 28 ? head.readUInt16LE(26) : 0;
  const name = head.subarray(30, 30 + length).toString('latin1');
  return BY_MEMBER.find(([start]) => start.test(name))?.[1] ?? 'a zip archive';
}

/** By its magic, or before POSIX by the sum of its first header. */
function isTar(head: Buffer): boolean {
  if (head.length < 512 || head[0] === 0) return false;
  if (head.subarray(257, 262).toString('latin1') === 'ustar') return true;
  const stated = /^[ 0]*([0-7]{1,7})[\0 ]/u.exec(head.subarray(148, 156).toString('latin1'))?.[1];
  if (stated === undefined) return false;
  const sum = head
    .subarray(0, 512)
    .reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  return sum === Number.parseInt(stated, 8);
}

/** Whether NUL bytes are so many that the file is no text in an encoding of one byte or UTF-8. */
function isBinary(head: Buffer): boolean {
  const zeros = head.filter((byte) => byte === 0).length;
  if (zeros === 0 || /^(?:fffe|feff|0000feff)/u.test(head.subarray(0, 4).toString('hex')))
    return false;
  // UTF-16 of a western language without a mark has a zero in every second byte.
  const inPairs = [0, 1].some(
    (parity) => head.filter((byte, at) => byte === 0 && at % 2 === parity).length === zeros,
  );
  return zeros > head.length / 8 && !(inPairs && zeros > head.length / 3);
}

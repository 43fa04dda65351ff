/**
 * Parser of `COPY (SELECT id, codes, deleted …) TO STDOUT (FORMAT binary)`; see PostgreSQL's
 * manual, "COPY", Binary Format.
 */
import { ID_WORDS, type Id } from './id-table.ts';

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
const HEADER_BYTES = SIGNATURE.length + 8;
const END = 0xffff;
const FIELDS = 3;
/** Size of an empty array, which has no dimension. */
const ARRAY_BYTES_MIN = 12;
/** Size of an array of one dimension before its elements. */
const ARRAY_HEADER_BYTES = 20;
const ELEMENT_BYTES = 8;
const INT4_OID = 23;

/** The bytes are not rows of this query. */
export class CopyFormatError extends Error {
  constructor(detail: string) {
    super(`Unexpected COPY data (expected id, codes, deleted): ${detail}.`);
    this.name = 'CopyFormatError';
  }
}

/** Receives each row; the arrays are reused for the next one. */
export type OnFacetRow = (id: Id, codes: Int32Array, codeCount: number, isDeleted: boolean) => void;

/** Parses chunks of any size; between them it stores at most the beginning of one row. */
export class CopyRows {
  readonly #onRow: OnFacetRow;
  readonly #id: Id = new Uint32Array(ID_WORDS);
  #codes = new Int32Array(256);
  #rest: Buffer = Buffer.alloc(0);
  #hasHeader = false;
  #isEnded = false;

  constructor(onRow: OnFacetRow) {
    this.#onRow = onRow;
  }

  /** @throws CopyFormatError, and errors of `onRow`. */
  push(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    if (!this.#hasHeader) {
      if (bytes.length < HEADER_BYTES) {
        this.#rest = bytes;
        return;
      }
      at = headerLength(bytes);
      this.#hasHeader = true;
    }
    while (at < bytes.length) {
      const length = this.#row(bytes, at);
      if (length === 0) break;
      at += length;
    }
    this.#rest = Buffer.from(bytes.subarray(at));
  }

  /** @throws CopyFormatError if the last row or the trailer is missing. */
  end(): void {
    if (!this.#isEnded) throw new CopyFormatError('unexpected end');
  }

  /** Length of the row at an offset; 0 if the row is incomplete. */
  #row(bytes: Buffer, start: number): number {
    if (this.#isEnded) throw new CopyFormatError('data after the end');
    if (bytes.length - start < 2) return 0;
    const fields = bytes.readUInt16BE(start);
    if (fields === END) {
      this.#isEnded = true;
      return 2;
    }
    if (fields !== FIELDS) throw new CopyFormatError(`${fields} fields`);
    const idAt = start + 6;
    const codesAt = idAt + 16 + 4;
    if (bytes.length < codesAt) return 0;
    const codesLength = bytes.readInt32BE(codesAt - 4);
    if (codesLength < ARRAY_BYTES_MIN) throw new CopyFormatError('an array is null');
    const deletedAt = codesAt + codesLength + 4;
    if (bytes.length <= deletedAt) return 0;
    if (bytes.readInt32BE(idAt - 4) !== 16) throw new CopyFormatError('an id is null');
    if (bytes.readInt32BE(deletedAt - 4) !== 1) throw new CopyFormatError('deleted is null');
    for (let word = 0; word < ID_WORDS; word++)
      this.#id[word] = bytes.readUInt32BE(idAt + word * 4);
    const count = this.#readCodes(bytes, codesAt, codesLength);
    this.#onRow(this.#id, this.#codes, count, bytes[deletedAt] === 1);
    return deletedAt + 1 - start;
  }

  #readCodes(bytes: Buffer, at: number, length: number): number {
    const dimensions = bytes.readInt32BE(at);
    if (dimensions === 0) return 0;
    const count = length < ARRAY_HEADER_BYTES ? -1 : bytes.readInt32BE(at + 12);
    if (
      dimensions !== 1 ||
      bytes.readInt32BE(at + 8) !== INT4_OID ||
      length !== ARRAY_HEADER_BYTES + count * ELEMENT_BYTES
    ) {
      throw new CopyFormatError('an array is not a plain list of integers');
    }
    if (count > this.#codes.length) this.#codes = new Int32Array(count * 2);
    const codes = this.#codes;
    let element = at + ARRAY_HEADER_BYTES + 4;
    let last = 0;
    for (let i = 0; i < count; i++) {
      const code =
        ((bytes[element] as number) << 24) |
        ((bytes[element + 1] as number) << 16) |
        ((bytes[element + 2] as number) << 8) |
        (bytes[element + 3] as number);
      if (code <= last) throw new CopyFormatError('codes do not ascend');
      codes[i] = code;
      last = code;
      element += ELEMENT_BYTES;
    }
    return count;
  }
}

function headerLength(bytes: Buffer): number {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) {
    throw new CopyFormatError('no signature');
  }
  return HEADER_BYTES + bytes.readInt32BE(SIGNATURE.length + 4);
}

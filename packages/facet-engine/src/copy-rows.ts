/**
 * Parser of `COPY (SELECT id, codes, deleted, figures, links …) TO STDOUT (FORMAT binary)`; see PostgreSQL's
 * manual, "COPY", Binary Format.
 */
import { withRoom } from './arrays.ts';
import { ID_WORDS, type Id } from './id-table.ts';

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
const HEADER_BYTES = SIGNATURE.length + 8;
const END = 0xffff;
/** Those before the figures and links. */
const FIELDS = 3;
/** Size of an empty array, which has no dimension. */
const ARRAY_BYTES_MIN = 12;
/** Size of an array of one dimension before its elements. */
const ARRAY_HEADER_BYTES = 20;
const INT4 = { oid: 23, bytes: 4 } as const;
const UUID = { oid: 2950, bytes: 16 } as const;
const FLOAT8 = { oid: 701, bytes: 8 } as const;
const LENGTH_BYTES = 4;

/** The bytes are not rows of this query. */
export class CopyFormatError extends Error {
  constructor(detail: string) {
    super(`Unexpected COPY data (expected id, codes, deleted, figures, links): ${detail}.`);
    this.name = 'CopyFormatError';
  }
}

/**
 * A record lacks figures, because an indexer of an older version wrote it. To take them for unknown would answer
 * wrongly; the indexer of this version completes them.
 */
export class OlderRowError extends Error {
  constructor(found: number, expected: number) {
    super(
      `A row of the facet tables has ${found} of ${expected} figures: an older version wrote it. A data worker of ` +
        'this version completes it.',
    );
    this.name = 'OlderRowError';
  }
}

/** Links of a row: ids of four words each, and codes of tags where these links have them. */
interface RowLinks {
  ids: Uint32Array;
  tags: Int32Array | undefined;
  length: number;
}

/** A row; the arrays are reused for the next one. */
export interface FacetRow {
  readonly id: Id;
  readonly codes: Int32Array;
  readonly codeCount: number;
  readonly isDeleted: boolean;
  readonly links: readonly Readonly<RowLinks>[];
  /** NaN for null. */
  readonly figures: Float64Array;
}

/** The columns after the first three. */
export interface RowLayout {
  /**
   * The number of figures, which are one column if there are any. Figures are only added at the end, so the further
   * ones of a newer version are ignored.
   */
  readonly figures: number;
  /** Ids, and tags where links have them. */
  readonly links: readonly { readonly hasTags: boolean }[];
}

/** Parses chunks of any size; between them it stores at most the beginning of one row. */
export class CopyRows {
  readonly #onRow: (row: FacetRow) => void;
  readonly #fields: number;
  readonly #id: Id = new Uint32Array(ID_WORDS);
  readonly #links: readonly RowLinks[];
  readonly #figures: Float64Array;
  #codes = new Int32Array(256);
  #rest: Buffer = Buffer.alloc(0);
  #hasHeader = false;
  #isEnded = false;

  constructor({ links, figures }: RowLayout, onRow: (row: FacetRow) => void) {
    this.#onRow = onRow;
    this.#figures = new Float64Array(figures);
    this.#links = links.map(({ hasTags }) => ({
      ids: new Uint32Array(16 * ID_WORDS),
      tags: hasTags ? new Int32Array(16) : undefined,
      length: 0,
    }));
    const ofFigures = figures > 0 ? 1 : 0;
    this.#fields =
      FIELDS + ofFigures + links.reduce((sum, { hasTags }) => sum + (hasTags ? 2 : 1), 0);
  }

  /** @throws CopyFormatError, OlderRowError, and errors of `onRow`. */
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
    if (fields !== this.#fields) throw new CopyFormatError(`${fields} fields`);
    const end = endOfRow(bytes, start, fields);
    if (end === 0) return 0;
    const idAt = start + 2 + LENGTH_BYTES;
    const codesAt = idAt + UUID.bytes + LENGTH_BYTES;
    if (bytes.readInt32BE(idAt - LENGTH_BYTES) !== UUID.bytes) {
      throw new CopyFormatError('an id is null');
    }
    for (let word = 0; word < ID_WORDS; word++)
      this.#id[word] = bytes.readUInt32BE(idAt + word * 4);
    const codeCount = this.#readCodes(bytes, codesAt);
    const deletedAt = codesAt + bytes.readInt32BE(codesAt - LENGTH_BYTES) + LENGTH_BYTES;
    if (bytes.readInt32BE(deletedAt - LENGTH_BYTES) !== 1) {
      throw new CopyFormatError('deleted is null');
    }
    const isDeleted = bytes[deletedAt] === 1;
    this.#readLinks(bytes, this.#readFigures(bytes, deletedAt + 1 + LENGTH_BYTES, isDeleted));
    const [id, codes, links, figures] = [this.#id, this.#codes, this.#links, this.#figures];
    this.#onRow({ id, codes, codeCount, isDeleted, links, figures });
    return end - start;
  }

  #readCodes(bytes: Buffer, at: number): number {
    const count = countOf(bytes, at, INT4);
    if (count > this.#codes.length) this.#codes = new Int32Array(count * 2);
    const codes = this.#codes;
    let element = at + ARRAY_HEADER_BYTES + LENGTH_BYTES;
    let last = 0;
    for (let i = 0; i < count; i++) {
      const code = integerAt(bytes, element);
      if (code <= last) throw new CopyFormatError('codes do not ascend');
      codes[i] = code;
      last = code;
      element += INT4.bytes + LENGTH_BYTES;
    }
    return count;
  }

  /** Returns where the next column begins. */
  #readFigures(bytes: Buffer, start: number, isDeleted: boolean): number {
    const figures = this.#figures;
    if (figures.length === 0) return start;
    const end = start + bytes.readInt32BE(start - LENGTH_BYTES);
    const count = bytes.readInt32BE(start) === 0 ? 0 : bytes.readInt32BE(start + 12);
    if (count > 0 && bytes.readInt32BE(start + 8) !== FLOAT8.oid) {
      throw new CopyFormatError('figures are no numbers');
    }
    if (count < figures.length && !isDeleted) throw new OlderRowError(count, figures.length);
    figures.fill(NaN);
    let at = count === 0 ? end : start + ARRAY_HEADER_BYTES;
    for (let i = 0; i < count; i++) {
      const isNull = bytes.readInt32BE(at) < 0;
      if (!isNull && i < figures.length) figures[i] = bytes.readDoubleBE(at + LENGTH_BYTES);
      at += LENGTH_BYTES + (isNull ? 0 : FLOAT8.bytes);
    }
    if (at !== end) throw new CopyFormatError('figures are not a plain list');
    return end + LENGTH_BYTES;
  }

  #readLinks(bytes: Buffer, start: number): void {
    let at = start;
    const next = () => {
      at += bytes.readInt32BE(at - LENGTH_BYTES) + LENGTH_BYTES;
    };
    for (const links of this.#links) {
      const count = countOf(bytes, at, UUID);
      links.length = count;
      links.ids = withRoom(links.ids, count * ID_WORDS);
      let element = at + ARRAY_HEADER_BYTES + LENGTH_BYTES;
      for (let i = 0; i < count; i++) {
        for (let word = 0; word < ID_WORDS; word++) {
          links.ids[i * ID_WORDS + word] = integerAt(bytes, element + word * 4);
        }
        element += UUID.bytes + LENGTH_BYTES;
      }
      next();
      if (links.tags === undefined) continue;
      if (countOf(bytes, at, INT4) !== count) throw new CopyFormatError('links without tags');
      if (count > links.tags.length) links.tags = new Int32Array(count * 2);
      for (let i = 0; i < count; i++) {
        const tag = at + ARRAY_HEADER_BYTES + LENGTH_BYTES + i * (INT4.bytes + LENGTH_BYTES);
        links.tags[i] = integerAt(bytes, tag);
      }
      next();
    }
  }
}

/** Where a row ends; 0 if it is incomplete. */
function endOfRow(bytes: Buffer, start: number, fields: number): number {
  let at = start + 2;
  for (let field = 0; field < fields; field++) {
    if (bytes.length < at + LENGTH_BYTES) return 0;
    const length = bytes.readInt32BE(at);
    if (length < 0) throw new CopyFormatError('a value is null');
    at += LENGTH_BYTES + length;
  }
  return bytes.length < at ? 0 : at;
}

/** The number of elements of an array; its length is before it. */
function countOf(bytes: Buffer, at: number, { oid, bytes: size }: typeof INT4 | typeof UUID) {
  const length = bytes.readInt32BE(at - LENGTH_BYTES);
  if (length < ARRAY_BYTES_MIN) throw new CopyFormatError('an array is null');
  const dimensions = bytes.readInt32BE(at);
  if (dimensions === 0) return 0;
  const count = length < ARRAY_HEADER_BYTES ? -1 : bytes.readInt32BE(at + 12);
  if (
    dimensions !== 1 ||
    bytes.readInt32BE(at + 8) !== oid ||
    length !== ARRAY_HEADER_BYTES + count * (size + LENGTH_BYTES)
  ) {
    throw new CopyFormatError('an array is not a plain list');
  }
  return count;
}

function integerAt(bytes: Buffer, at: number): number {
  return (
    ((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)
  );
}

function headerLength(bytes: Buffer): number {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) {
    throw new CopyFormatError('no signature');
  }
  return HEADER_BYTES + bytes.readInt32BE(SIGNATURE.length + 4);
}

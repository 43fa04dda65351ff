import { isUtf8 } from 'node:buffer';
import { ImportError } from '../errors/import-error.ts';
import type { ImportLine } from '../records/lines.ts';
import type { SourceItem, SourceItems } from './source-item.ts';

/** A longer line is rejected, and not held in memory. */
export const LINE_BYTES_MAX = 8 * 1024 * 1024;

const LINE_FEED = 0x0a;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** A line of a file as bytes; undefined for one longer than {@link LINE_BYTES_MAX}. */
type RawLine = Buffer | undefined;

/**
 * Splits bytes into batches of lines at LF or CRLF; holds one line and one block in memory. The last
 * line needs no line end. A byte order mark at the start is removed.
 */
export async function* splitLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<RawLine[]> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let first = true;
  const keep = (part: Buffer) => {
    pendingBytes += part.length;
    if (pendingBytes <= LINE_BYTES_MAX) pending.push(part);
    else pending = [];
  };
  const take = (end: Buffer): RawLine => {
    keep(end);
    const line = pendingBytes > LINE_BYTES_MAX ? undefined : Buffer.concat(pending);
    pending = [];
    pendingBytes = 0;
    return line;
  };
  for await (const chunk of bytes) {
    let block = chunk;
    if (first && block.subarray(0, 3).equals(byteOrderMark)) block = block.subarray(3);
    first = false;
    const lines: RawLine[] = [];
    let start = 0;
    for (let end = block.indexOf(LINE_FEED); end !== -1; end = block.indexOf(LINE_FEED, start)) {
      lines.push(take(block.subarray(start, end)));
      start = end + 1;
    }
    if (start < block.length) keep(Buffer.from(block.subarray(start)));
    if (lines.length > 0) yield lines;
  }
  if (pendingBytes > 0) yield [take(Buffer.alloc(0))];
}

/** Reads NDJSON: one JSON object per line, UTF-8; blank lines are skipped. */
export async function* readNdjson(file: number, bytes: AsyncIterable<Buffer>): SourceItems {
  let number = 0;
  let begun = false;
  for await (const lines of splitLines(bytes)) {
    const items: SourceItem[] = [];
    for (const line of lines) {
      number += 1;
      const item = readRawLine(file, number, line);
      if (item === undefined) continue;
      if (!begun) rejectOtherJson(item);
      begun = true;
      items.push(item);
    }
    yield items;
  }
}

/** Reads lines of a program, as texts or as objects. */
export async function* readIterable(
  file: number,
  lines: AsyncIterable<string | ImportLine> | Iterable<string | ImportLine>,
): SourceItems {
  let number = 0;
  let items: SourceItem[] = [];
  for await (const line of lines) {
    number += 1;
    const item =
      typeof line === 'string'
        ? readText(file, number, line)
        : ({ kind: 'line', location: { file, line: number }, original: line, line } as const);
    if (item !== undefined) items.push(item);
    if (items.length === 1000) {
      yield items;
      items = [];
    }
  }
  if (items.length > 0) yield items;
}

/**
 * Rejects a file whose first line shows that it is not one object a line, with the way to make it so.
 * @throws ImportError for an array, and an object over several lines.
 */
function rejectOtherJson(item: SourceItem): void {
  const { original } = item as { readonly original?: unknown };
  const text = typeof original === 'string' ? original.trim() : '';
  const isArray = text.startsWith('[');
  const isOpen = item.kind === 'fault' && text.startsWith('{') && /[{[,:]$/u.test(text);
  if (!isArray && !isOpen) return;
  const what = isArray ? 'a JSON array' : 'JSON with an object over several lines';
  const way = `write one object a line, for example with jq -c '${isArray ? '.[]' : '.'}' FILE`;
  throw new ImportError('file', `The file is ${what} (line ${item.location.line}): ${way}.`);
}

function readRawLine(file: number, line: number, raw: RawLine): SourceItem | undefined {
  const location = { file, line };
  if (raw === undefined) {
    const reason = `the line is longer than ${LINE_BYTES_MAX} bytes`;
    return { kind: 'fault', location, original: null, reason };
  }
  if (!isUtf8(raw)) {
    const reason = 'the line is not UTF-8';
    return { kind: 'fault', location, original: raw.toString('latin1'), reason };
  }
  return readText(file, line, raw.toString('utf8'));
}

function readText(file: number, line: number, text: string): SourceItem | undefined {
  const location = { file, line };
  if (text.length < 100 && text.trim() === '') return undefined;
  try {
    return { kind: 'line', location, original: text, line: JSON.parse(text) };
  } catch (error) {
    const reason = `the line is not JSON: ${error instanceof Error ? error.message : error}`;
    return { kind: 'fault', location, original: text, reason };
  }
}

/** Lines before the table of a file: those to skip, and Excel's line `sep=;`. */

/** A text without its first lines. */
export interface WithoutPreamble {
  readonly texts: AsyncIterable<string>;
  /** The number of lines left out. */
  readonly lines: number;
  /** The delimiter of a line `sep=;`. */
  readonly delimiter: string | undefined;
}

/** A longer preamble is not looked for. */
const SEARCHED_MAX = 8 * 1024 * 1024;
const SEPARATOR_LINE = /^"?sep=(.)"?(?:\r\n|\r|\n)/iu;

/**
 * Leaves out a byte order mark, the given number of lines (ended by LF, CR or CRLF, whatever their
 * quotes), and otherwise a first line `sep=;`, which sets the delimiter.
 */
export async function withoutPreamble(
  texts: AsyncIterable<string>,
  skipLines: number,
): Promise<WithoutPreamble> {
  const source = texts[Symbol.asyncIterator]();
  let head = '';
  let ended = false;
  let end: number | undefined;
  // One character more distinguishes CR from CRLF.
  while (!ended && head.length < SEARCHED_MAX) {
    end = skipLines > 0 ? endOfLines(head, skipLines) : head.length >= 16 ? 0 : undefined;
    if (end !== undefined && end < head.length) break;
    const next = await source.next();
    if (next.done === true) ended = true;
    else head += head === '' ? next.value.replace(/^\ufeff/u, '') : next.value;
  }
  if (skipLines > 0) {
    const cut = endOfLines(head, skipLines) ?? head.length;
    return { texts: rest(head.slice(cut), source), lines: skipLines, delimiter: undefined };
  }
  const [line = '', delimiter] = SEPARATOR_LINE.exec(head) ?? [];
  const lines = line === '' ? 0 : 1;
  return { texts: rest(head.slice(line.length), source), lines, delimiter };
}

function endOfLines(text: string, count: number): number | undefined {
  const ends = /\r\n|\r|\n/gu;
  for (let line = 1; ; line++) {
    const found = ends.exec(text);
    if (found === null) return undefined;
    if (line === count) return ends.lastIndex;
  }
}

async function* rest(head: string, source: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    if (head !== '') yield head;
    for (let next = await source.next(); next.done !== true; next = await source.next()) {
      yield next.value;
    }
  } finally {
    await source.return?.();
  }
}

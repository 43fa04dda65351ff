/** Finds the characters that end the lines of a table. */

export type LineEnd = '\n' | '\r' | '\r\n';

/** Their names in messages. */
export const LINE_END_NAMES: Readonly<Record<LineEnd, string>> = {
  '\n': 'LF',
  '\r': 'CR',
  '\r\n': 'CRLF',
};

/** The end of a longer first line is not searched for. */
const SEARCHED_MAX = 8 * 1024 * 1024;

/**
 * Finds the end of the first line, outside of quotes.
 *
 * @returns the line end, undefined if there is none in the first 8 MiB; and the whole text, which
 *   can be read once.
 */
export async function findLineEnd(
  texts: AsyncIterable<string>,
  quote: string | null,
): Promise<{ readonly lineEnd: LineEnd | undefined; readonly rest: AsyncIterable<string> }> {
  const source = texts[Symbol.asyncIterator]();
  const read: string[] = [];
  const search = new Search(quote);
  let characters = 0;
  while (search.found === undefined && characters < SEARCHED_MAX) {
    const next = await source.next();
    if (next.done === true) break;
    read.push(next.value);
    characters += next.value.length;
    search.read(next.value);
  }
  return { lineEnd: search.found ?? search.atEnd, rest: all(read, source) };
}

class Search {
  readonly #quote: string | null;
  #isQuoted = false;
  #afterReturn = false;
  found: LineEnd | undefined;

  constructor(quote: string | null) {
    this.#quote = quote;
  }

  /** The line end if the text ends with the first line. */
  get atEnd(): LineEnd | undefined {
    return this.#afterReturn ? '\r' : undefined;
  }

  read(text: string): void {
    for (const character of text) {
      if (this.#afterReturn) {
        this.found = character === '\n' ? '\r\n' : '\r';
        return;
      }
      if (character === this.#quote) this.#isQuoted = !this.#isQuoted;
      else if (!this.#isQuoted && character === '\r') this.#afterReturn = true;
      else if (!this.#isQuoted && character === '\n') {
        this.found = '\n';
        return;
      }
    }
  }
}

async function* all(read: readonly string[], rest: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    yield* read;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
      yield next.value;
    }
  } finally {
    await rest.return?.();
  }
}

import { BOUNDS } from '../bounds.ts';
import { echo } from '../echo.ts';
import { isKeyword } from '../keyword.ts';
import { QueryError } from '../query-error.ts';
import { readBareLiteral, readUuid } from './bare-literal.ts';
import {
  CLOSE,
  COMMA,
  DOT,
  isDigit,
  isSpace,
  MINUS,
  namePartLength,
  nameStartLength,
  OPEN,
  PLUS,
  QUOTE,
} from './character.ts';
import type { Token } from './token.ts';

const COMPARISON_SYMBOL = /[=<>!&|]/;

/**
 * Cuts a filter into tokens, one at a time and left to right, so that the first fault in the text
 * is the one reported. Every character is looked at a bounded number of times.
 */
export class Lexer {
  readonly #text: string;
  #index: number;

  /** Begins at an offset of the text. */
  constructor(text: string, index = 0) {
    this.#text = text;
    this.#index = index;
  }

  /** The next token; `end` for ever once the text is used up. Throws QueryError. */
  next(): Token {
    const text = this.#text;
    while (isSpace(text.charCodeAt(this.#index))) this.#index++;
    const token = readToken(text, this.#index);
    this.#index = token.end;
    return token;
  }
}

function readToken(text: string, start: number): Token {
  if (start >= text.length) return { kind: 'end', start: text.length, end: text.length, text: '' };
  const code = text.charCodeAt(start);
  if (code === QUOTE) return readString(text, start);
  if (code === OPEN) return { kind: 'open', start, end: start + 1, text: '(' };
  if (code === CLOSE) return { kind: 'close', start, end: start + 1, text: ')' };
  if (code === COMMA) return { kind: 'comma', start, end: start + 1, text: ',' };
  if (isDigit(code) || code === MINUS || code === PLUS) {
    return spaced(text, readBareLiteral(text, start));
  }
  if (code === DOT && isDigit(text.charCodeAt(start + 1))) return readBareLiteral(text, start);
  if (nameStartLength(text, start) > 0) {
    return spaced(text, readUuid(text, start) ?? readWord(text, start));
  }
  return readSymbol(text, start);
}

/** A string ends at a quote that is not doubled. */
function readString(text: string, start: number): Token {
  let value = '';
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf("'", from);
    if (quote === -1) {
      throw new QueryError(
        'bad_filter',
        "A quote is opened and never closed; a quote inside a text is doubled: 'O''Neil'.",
        { parameter: '$filter', position: start, value: echo(text.slice(start, start + 200)) },
      );
    }
    value += text.slice(from, quote);
    if (text.charCodeAt(quote + 1) !== QUOTE) {
      return spaced(text, { kind: 'string', start, end: quote + 1, text: value });
    }
    value += "'";
    from = quote + 2;
  }
}

/** A name: parts of letters, digits and underscores, joined by dots (`Group.Name`). */
function readWord(text: string, start: number): Token {
  let end = start;
  for (;;) {
    let length = nameStartLength(text, end);
    while (length > 0) {
      end += length;
      length = namePartLength(text, end);
    }
    if (text.charCodeAt(end) !== DOT || nameStartLength(text, end + 1) === 0) break;
    end++;
  }
  const written = text.slice(start, end);
  if (written.length > BOUNDS.nameCharacters) {
    throw new QueryError(
      'bad_filter',
      `A name has at most ${BOUNDS.nameCharacters} characters; text stands in single quotes.`,
      { parameter: '$filter', position: start, value: echo(written) },
    );
  }
  return { kind: 'word', start, end, text: written };
}

function readSymbol(text: string, start: number): Token {
  let end = start + String.fromCodePoint(text.codePointAt(start) ?? 0).length;
  if (COMPARISON_SYMBOL.test(text.charAt(start))) {
    while (end < start + 3 && COMPARISON_SYMBOL.test(text.charAt(end))) end++;
  }
  return { kind: 'symbol', start, end, text: text.slice(start, end) };
}

/**
 * Words and values stand apart from each other (OData's RWS): refuses `eq'Milk'`, `'Milk'and` and
 * the older `datetime'2012-09-03'`. Parentheses and commas need no space.
 */
function spaced(text: string, token: Token): Token {
  const next = token.end;
  const quoteFollows = text.charCodeAt(next) === QUOTE;
  if (token.kind === 'string') {
    if (namePartLength(text, next) === 0) return token;
    const message =
      "After a text in quotes a space is needed; a quote inside a text is doubled: 'O''Neil'.";
    throw new QueryError('bad_filter', message, { parameter: '$filter', position: next });
  }
  if (!quoteFollows) return token;
  const shown = echo(token.text);
  const isPrefix = token.kind === 'word' && !isKeyword(token.text);
  throw new QueryError(
    'bad_filter',
    isPrefix
      ? `Values with a prefix, such as ${shown}'…', are not supported: write the quotes alone.`
      : `A space is needed between ${shown} and the quote.`,
    { parameter: '$filter', position: isPrefix ? token.start : next },
  );
}

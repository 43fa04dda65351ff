import { BOUNDS } from '../bounds.ts';
import { echo } from '../echo.ts';
import { keywordNamed } from '../keyword.ts';
import { QueryError } from '../query-error.ts';
import { readBareLiteral, readUuid } from './bare-literal.ts';
import {
  CLOSE,
  COMMA,
  DOT,
  isDigit,
  isSpace,
  MINUS,
  nameEnd,
  namePartLength,
  nameStartLength,
  OPEN,
  PLUS,
  QUOTE,
} from './character.ts';
import { type Token, token } from './token.ts';

const COMPARISON_SYMBOL = /[=<>!&|]/;

/**
 * Cuts a filter into tokens, one at a time and left to right, so that the first fault in the text
 * is the one reported. Every character is read a bounded number of times.
 */
export class Lexer {
  readonly #text: string;
  #index: number;

  /** Begins at an offset of the text. */
  constructor(text: string, index = 0) {
    this.#text = text;
    this.#index = index;
  }

  /** The next token; always `end` after the end of the text. Throws QueryError. */
  next(): Token {
    const text = this.#text;
    while (isSpace(text.charCodeAt(this.#index))) this.#index++;
    const next = readToken(text, this.#index);
    this.#index = next.end;
    return next;
  }
}

function readToken(text: string, start: number): Token {
  if (start >= text.length) return token('end', text.length, text.length, '');
  const code = text.charCodeAt(start);
  if (code === QUOTE) return readString(text, start);
  if (code === OPEN) return token('open', start, start + 1, '(');
  if (code === CLOSE) return token('close', start, start + 1, ')');
  if (code === COMMA) return token('comma', start, start + 1, ',');
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
        "Unclosed quote. Double a quote inside text, e.g. 'O''Neil'.",
        { parameter: '$filter', position: start, value: echo(text.slice(start, start + 200)) },
      );
    }
    value += text.slice(from, quote);
    if (text.charCodeAt(quote + 1) !== QUOTE) {
      return spaced(text, token('string', start, quote + 1, value));
    }
    value += "'";
    from = quote + 2;
  }
}

function readWord(text: string, start: number): Token {
  const end = nameEnd(text, start);
  const written = text.slice(start, end);
  if (written.length <= BOUNDS.nameCharacters) {
    return token('word', start, end, written, keywordNamed(written));
  }
  throw new QueryError(
    'bad_filter',
    `A name can have at most ${BOUNDS.nameCharacters} characters; put text in single quotes.`,
    { parameter: '$filter', position: start, value: echo(written) },
  );
}

function readSymbol(text: string, start: number): Token {
  let end = start + String.fromCodePoint(text.codePointAt(start) ?? 0).length;
  if (COMPARISON_SYMBOL.test(text.charAt(start))) {
    while (end < start + 3 && COMPARISON_SYMBOL.test(text.charAt(end))) end++;
  }
  return token('symbol', start, end, text.slice(start, end));
}

/**
 * Space must separate words and values (OData's RWS): rejects `eq'Milk'`, `'Milk'and` and
 * the older `datetime'2012-09-03'`. Parentheses and commas need no space.
 */
function spaced(text: string, before: Token): Token {
  const next = before.end;
  const quoteFollows = text.charCodeAt(next) === QUOTE;
  if (before.kind === 'string') {
    if (namePartLength(text, next) === 0) return before;
    const message =
      "Expected a space after the closing quote. Double a quote inside text, e.g. 'O''Neil'.";
    throw new QueryError('bad_filter', message, { parameter: '$filter', position: next });
  }
  if (!quoteFollows) return before;
  const shown = echo(before.text);
  const isPrefix = before.kind === 'word' && before.keyword === undefined;
  throw new QueryError(
    'bad_filter',
    isPrefix
      ? `Prefixed values such as ${shown}'…' are not supported: write the quoted text alone.`
      : `Add a space between ${shown} and the quote.`,
    { parameter: '$filter', position: isPrefix ? before.start : next },
  );
}

import { BOUNDS } from '../bounds.ts';
import { echo } from '../echo.ts';
import type { FieldSpec, FieldTable } from '../field-spec.ts';
import { CLOSE, COMMA, isSpace, OPEN, QUOTE } from '../lexer/character.ts';
import { Lexer } from '../lexer/lexer.ts';
import type { Token } from '../lexer/token.ts';
import { QueryError } from '../query-error.ts';
import type { FilterContext } from '../suggest/repair-term.ts';

/** Inputs of the errors of a text. */
export interface ParseContext extends FilterContext {
  /** The fields that can be filtered, so that a suggestion fits the field it is for. */
  readonly fields?: FieldTable<FieldSpec> | undefined;
  /** Functions and `any` of OData are read, too. */
  readonly functions?: boolean | undefined;
}

/** Where the parser stands: the token before it, and how much of the bounds is used. */
export class Cursor {
  readonly context: ParseContext;
  readonly #text: string;
  readonly #lexer: Lexer;
  #token: Token;
  #terms = 0;
  #depth = 0;

  constructor(text: string, context: Omit<ParseContext, 'source'> = {}) {
    this.context = { ...context, source: text };
    this.#text = text;
    this.#lexer = new Lexer(text);
    this.#token = this.#lexer.next();
  }

  /** The token at hand, not yet taken. */
  get token(): Token {
    return this.#token;
  }

  /** Takes the token at hand and moves on to the next. */
  take(): Token {
    const taken = this.#token;
    this.#token = this.#lexer.next();
    return taken;
  }

  /**
   * Up to `count` tokens after the current one, for the suggestion of an error. An invalid token ends
   * the list, because the error for the current one comes first in the text.
   */
  ahead(count: number): Token[] {
    const lexer = new Lexer(this.#text, this.#token.end);
    const tokens: Token[] = [];
    try {
      while (tokens.length < count) tokens.push(lexer.next());
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
    }
    return tokens;
  }

  /** All that stands from the token at hand up to a space, quote, comma or parenthesis. */
  run(): string {
    let end = this.#token.end;
    while (end < this.#text.length && !endsRun(this.#text.charCodeAt(end))) end++;
    return this.#text.slice(this.#token.start, end);
  }

  /** Counts one more comparison. */
  countTerm(): void {
    this.#terms++;
    if (this.#terms <= BOUNDS.filterTerms) return;
    throw badFilter(this.#token, `A filter can have at most ${BOUNDS.filterTerms} comparisons.`);
  }

  /** Goes one level down, at the token that opens it. */
  enter(): void {
    this.#depth++;
    if (this.#depth <= BOUNDS.filterDepth) return;
    throw badFilter(this.#token, `A filter can nest at most ${BOUNDS.filterDepth} levels deep.`);
  }

  /** Comes one level up again. */
  leave(): void {
    this.#depth--;
  }
}

function endsRun(code: number): boolean {
  return isSpace(code) || code === QUOTE || code === COMMA || code === OPEN || code === CLOSE;
}

/** A `bad_filter` at a token, which it repeats as the offending value. */
export function badFilter(token: Token, message: string, suggestion?: string): QueryError {
  return new QueryError('bad_filter', message, {
    parameter: '$filter',
    position: token.start,
    value: token.kind === 'end' ? undefined : echo(token.text),
    suggestion,
  });
}

/** A token as a sentence names it. */
export function shown(token: Token): string {
  if (token.kind === 'end') return 'the end of the filter';
  if (token.kind === 'string') return `the text '${echo(token.text)}'`;
  return echo(token.text);
}

import { BOUNDS } from '../bounds.ts';
import { Lexer } from '../lexer/lexer.ts';
import type { Token } from '../lexer/token.ts';
import { refuse } from './refuse.ts';

/** Where the parser stands: the token before it, and how much of the bounds is used. */
export class Cursor {
  readonly #lexer: Lexer;
  #token: Token;
  #terms = 0;
  #depth = 0;

  constructor(text: string) {
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

  /** Counts one more comparison. */
  countTerm(): void {
    this.#terms++;
    if (this.#terms <= BOUNDS.filterTerms) return;
    throw refuse(this.#token, `A filter has at most ${BOUNDS.filterTerms} comparisons.`);
  }

  /** Goes one level down, at the token that opens it. */
  enter(): void {
    this.#depth++;
    if (this.#depth <= BOUNDS.filterDepth) return;
    throw refuse(this.#token, `A filter nests at most ${BOUNDS.filterDepth} levels deep.`);
  }

  /** Comes one level up again. */
  leave(): void {
    this.#depth--;
  }
}

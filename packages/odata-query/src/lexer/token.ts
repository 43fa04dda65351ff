import type { LiteralType } from '../ast.ts';
import type { Keyword } from '../keyword.ts';

/** Literals that show by themselves what they are; `true`, `false` and `null` are words. */
export type LiteralToken = Exclude<LiteralType, 'boolean' | 'null'>;

type TokenKind = 'word' | 'open' | 'close' | 'comma' | 'symbol' | 'end' | LiteralToken;

/**
 * A token with its position: `text.slice(start, end)` is what was written. A `word` is a name or a
 * keyword; a `symbol` is anything the grammar has no use for, kept so that the parser can say
 * what should stand there instead.
 */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
  /** Of a string its characters with quotes undoubled, of all else what was written. */
  readonly text: string;
  /** The keyword, if the word is one. */
  readonly keyword: Keyword | undefined;
}

export const token = (
  kind: TokenKind,
  start: number,
  end: number,
  text: string,
  keyword?: Keyword,
): Token => ({ kind, start, end, text, keyword });

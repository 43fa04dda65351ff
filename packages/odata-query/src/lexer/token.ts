import type { LiteralType } from '../ast/literal.ts';

/**
 * A token with its place: `text.slice(start, end)` is what was written. A `word` is a name or a
 * keyword; a `symbol` is anything the grammar has no use for, kept so that the parser can say
 * what should stand there instead.
 */
export interface Token {
  readonly kind: 'word' | 'open' | 'close' | 'comma' | 'symbol' | 'end' | LiteralToken;
  readonly start: number;
  readonly end: number;
  /** Of a string its characters with quotes undoubled, of all else what was written. */
  readonly text: string;
}

/** Literals that show by themselves what they are; `true`, `false` and `null` are words. */
export type LiteralToken = Exclude<LiteralType, 'boolean' | 'null'>;

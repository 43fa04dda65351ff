import type { Literal } from '../ast.ts';
import { BOUNDS } from '../bounds.ts';
import type { FieldSpec } from '../field-spec.ts';
import { wrongValue } from './bind-value.ts';

/** A part of a pattern: text to be met as it stands, any run of characters, or exactly one. */
export type LikePart =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'anyRun' }
  | { readonly kind: 'anyOne' };

/**
 * A parsed `like` pattern that the whole value must meet. No two literals and no two runs stand
 * next to each other, and no literal is empty.
 */
export interface LikePattern {
  readonly parts: readonly LikePart[];
}

const ANY_RUN: LikePart = Object.freeze({ kind: 'anyRun' });
const ANY_ONE: LikePart = Object.freeze({ kind: 'anyOne' });

/**
 * Reads `%` as any run, `_` as one character, `\` as "the next character as it stands"; a pattern
 * without a wildcard means "contains". Undefined for one that ends in a lone `\`.
 */
export function parseLikePattern(text: string): LikePattern | undefined {
  const parts: LikePart[] = [];
  let pending = '';
  let hasWildcard = false;
  const flush = (): void => {
    if (pending !== '') parts.push(Object.freeze({ kind: 'literal', text: pending }));
    pending = '';
  };
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === '\\') {
      index++;
      if (index === text.length) return undefined;
      pending += text[index];
    } else if (character === '%' || character === '_') {
      hasWildcard = true;
      flush();
      if (character === '_') parts.push(ANY_ONE);
      else if (parts.at(-1) !== ANY_RUN) parts.push(ANY_RUN);
    } else pending += character;
  }
  flush();
  if (!hasWildcard) return Object.freeze({ parts: Object.freeze(contains(parts)) });
  return Object.freeze({ parts: Object.freeze(parts) });
}

const TRIGRAM = /[\p{L}\p{N}]{3}/u;

/**
 * Whether no index of trigrams can narrow a pattern down: it has no three letters or digits in a
 * row, so that every value may have to be compared with it.
 */
export function isShortPattern({ parts }: LikePattern): boolean {
  return parts.every((part) => part.kind !== 'literal' || !TRIGRAM.test(part.text));
}

function contains(literals: readonly LikePart[]): LikePart[] {
  return literals.length === 0 ? [ANY_RUN] : [ANY_RUN, ...literals, ANY_RUN];
}

/** Counts the patterns of one filter that no index can narrow down. */
export class ShortPatterns {
  #count = 0;

  /** @throws QueryError `bad_filter` for the eleventh pattern. */
  count(field: FieldSpec, pattern: Literal): void {
    this.#count++;
    if (this.#count <= BOUNDS.shortPatterns) return;
    const message =
      `A filter can have at most ${BOUNDS.shortPatterns} like patterns without three letters or ` +
      'digits in a row, because no index can narrow them down; write more of the text, e.g. ' +
      "'acme%', or use in.";
    throw wrongValue(field, pattern, message);
  }
}

import type { Literal } from '../ast/literal.ts';
import { BOUNDS } from '../bounds.ts';
import type { FieldSpec } from '../field-spec.ts';
import { wrongValue } from './value/wrong-value.ts';

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

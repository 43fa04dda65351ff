import type {
  BoundCompare,
  BoundFilter,
  BoundIn,
  BoundValue,
  FieldSpec,
  LikePart,
} from '@vcds/odata-query';

/** The value of a field in a record; a multi-valued field holds a list, null counting as empty. */
export type Cell = BoundValue | null | readonly BoundValue[];
export type Row = Readonly<Record<string, Cell>>;

/**
 * Whether a row satisfies a filter, straight from the definitions of docs/spec/query-language.md
 * 5.3 and with no thought for speed: what any other way of answering a filter is measured against.
 */
export function evaluate<F extends FieldSpec>(filter: BoundFilter<F>, row: Row): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.operands.every((operand) => evaluate(operand, row));
    case 'or':
      return filter.operands.some((operand) => evaluate(operand, row));
    case 'not':
      return !evaluate(filter.operand, row);
    case 'compare':
      return compares(filter, valuesOf(filter.field, row));
    case 'in':
      return isIn(filter, valuesOf(filter.field, row)) !== filter.negated;
    case 'like':
      return valuesOf(filter.field, row).some((value) =>
        matches(filter.pattern.parts, [...folded(String(value))]),
      );
    case 'keywords':
      return isFound(
        filter.text,
        valuesOf(filter.field, row).map((value) => folded(String(value))),
      );
  }
}

/** The values a row has for a field: none for null, one, or many. */
function valuesOf(field: FieldSpec, row: Row): readonly BoundValue[] {
  const cell = row[field.name] ?? null;
  if (cell === null) return [];
  return typeof cell === 'object' ? cell : [cell];
}

/** `ne` is the opposite of `eq`; an order needs a value to compare. */
function compares<F extends FieldSpec>(
  filter: BoundCompare<F>,
  held: readonly BoundValue[],
): boolean {
  const { operator, value, field } = filter;
  if (operator === 'eq' || operator === 'ne') {
    const equal =
      value === null ? held.length === 0 : held.some((one) => order(field, one, value) === 0);
    return equal === (operator === 'eq');
  }
  if (value === null) throw new TypeError('A bound filter never orders null.');
  return held.some((one) => {
    const sign = order(field, one, value);
    if (operator === 'gt') return sign > 0;
    if (operator === 'ge') return sign >= 0;
    return operator === 'lt' ? sign < 0 : sign <= 0;
  });
}

function isIn<F extends FieldSpec>(filter: BoundIn<F>, held: readonly BoundValue[]): boolean {
  return held.some((one) => filter.values.some((value) => order(filter.field, one, value) === 0));
}

/** Negative, zero or positive as `left` is before, equal to or after `right`. */
function order(field: FieldSpec, left: BoundValue, right: BoundValue): number {
  const [a, b] = field.type === 'instant' ? [padded(left), padded(right)] : [left, right];
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** An instant with all six decimals, so that the order of texts is the order of time. */
function padded(instant: BoundValue): string {
  const [seconds = '', decimals = ''] = String(instant).slice(0, -1).split('.');
  return `${seconds}.${decimals.padEnd(6, '0')}`;
}

/** Case and accents away. */
function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ');
}

/** A pattern cut into single characters and wildcards. */
type Step = string | typeof ANY_ONE | typeof ANY_RUN;
const ANY_ONE = Symbol('one character');
const ANY_RUN = Symbol('any run of characters');

function stepsOf(part: LikePart): Step[] {
  if (part.kind === 'literal') return [...folded(part.text)];
  return [part.kind === 'anyOne' ? ANY_ONE : ANY_RUN];
}

/** Whether characters meet a pattern: each run is first tried empty, then one longer each time. */
function matches(parts: readonly LikePart[], characters: readonly string[]): boolean {
  const steps = parts.flatMap(stepsOf);
  let run = -1;
  let runStart = 0;
  let at = 0;
  let index = 0;
  while (index < characters.length) {
    const step = steps[at];
    if (step === ANY_RUN) {
      run = at++;
      runStart = index;
    } else if (step === ANY_ONE || step === characters[index]) {
      at++;
      index++;
    } else {
      if (run === -1) return false;
      at = run + 1;
      index = ++runStart;
    }
  }
  return steps.slice(at).every((step) => step === ANY_RUN);
}

const SEARCH_TERM = /(-?)(?:"([^"]*)"|([^\s"]+))/g;

/** A web search: every word and "phrase" must occur, no -word may, `or` offers a choice. */
function isFound(text: string, held: readonly string[]): boolean {
  const document = wordsOf(held.join(' '));
  const groups: boolean[][] = [[]];
  let chooses = false;
  for (const [, minus, phrase, word = ''] of text.matchAll(SEARCH_TERM)) {
    if (phrase === undefined && word.toLowerCase() === 'or') {
      chooses = true;
      continue;
    }
    const wanted = wordsOf(folded(phrase ?? word));
    if (wanted.length === 0) continue;
    const found = occurs(wanted, document) !== (minus === '-');
    if (chooses) groups.at(-1)?.push(found);
    else groups.push([found]);
    chooses = false;
  }
  const choices = groups.filter((group) => group.length > 0);
  return choices.length > 0 && choices.every((group) => group.includes(true));
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

function occurs(phrase: readonly string[], document: readonly string[]): boolean {
  return document.some((_, start) =>
    phrase.every((word, offset) => document[start + offset] === word),
  );
}

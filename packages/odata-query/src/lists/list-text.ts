import { BOUNDS } from '../bounds.ts';
import { echo } from '../echo.ts';
import { isSpace, nameEnd } from '../lexer/character.ts';
import { QueryError } from '../query-error.ts';
import { withHint } from '../suggest/repair-operand.ts';

/** A word of a list with its position in the parameter's text. */
export interface Word {
  readonly text: string;
  readonly position: number;
  /** The value of the {@link ListGrammar.option} after the word. */
  readonly option?: string;
}

/** The words of one item: the name, and what follows it. */
export type Item = readonly [name: Word, ...rest: Word[]];

/** The purpose of a list, as its errors name it. */
export interface ListGrammar {
  readonly parameter: string;
  /** An example for the message about an empty or broken list. */
  readonly example: string;
  /** Most words in one item: 2 for `Name desc`. */
  readonly wordsMax: number;
  /** Whether `*` may stand for a name. */
  readonly star: boolean;
  /** An option that may follow a name directly: a sticky expression with one group. */
  readonly option?: RegExp;
  /** Messages for characters that other services accept here. */
  readonly unsupported: ReadonlyMap<string, string>;
  /** The suggestion for a name after such a character: `-Founded`. */
  readonly meant?: (character: string, name: string) => string | undefined;
}

/**
 * Cuts `A, B desc` into items of words. At most 100 items; time is linear in the text's length.
 *
 * @throws QueryError `bad_parameter` with the position of the fault.
 */
export function readItems(text: string, grammar: ListGrammar): Item[] {
  const items: Item[] = [];
  let item: Item | undefined;
  let index = 0;
  for (;;) {
    while (isSpace(text.charCodeAt(index))) index++;
    const isEnd = index >= text.length;
    if (!isEnd && text[index] !== ',') {
      const { end, ...word } = readWord(text, index, grammar);
      if (item?.length === grammar.wordsMax) throw commaMissing(word, grammar);
      item = item === undefined ? [word] : [...item, word];
      index = end;
      continue;
    }
    if (item === undefined) throw nameMissing(text, index, grammar);
    items.push(item);
    if (isEnd) return items;
    if (items.length === BOUNDS.listNames) throw tooMany(index, grammar);
    item = undefined;
    index++;
  }
}

function readWord(
  text: string,
  start: number,
  grammar: ListGrammar,
): Word & { readonly end: number } {
  if (text[start] === '*' && grammar.star) return { text: '*', position: start, end: start + 1 };
  const end = nameEnd(text, start);
  const option = end === start ? undefined : optionAt(text, end, grammar);
  const wordEnd = end + (option?.length ?? 0);
  const next = text[wordEnd];
  const isWhole = next === undefined || next === ',' || isSpace(text.charCodeAt(wordEnd));
  if (end === start || !isWhole) throw strangeCharacter(text, wordEnd, grammar);
  if (end - start <= BOUNDS.nameCharacters) {
    const word = { text: text.slice(start, end), position: start, end: wordEnd };
    return option === undefined ? word : { ...word, option: option.value };
  }
  throw listError(
    `A name can have at most ${BOUNDS.nameCharacters} characters.`,
    { text: text.slice(start, end), position: start },
    grammar,
  );
}

function optionAt(text: string, position: number, { option }: ListGrammar) {
  if (option === undefined) return undefined;
  option.lastIndex = position;
  const [written = '', value = ''] = option.exec(text) ?? [];
  return written === '' ? undefined : { length: written.length, value };
}

/** A `bad_parameter` at a word of a list, with what was meant by the word. */
export function listError(
  message: string,
  word: Word,
  { parameter }: ListGrammar,
  suggestion?: string,
): QueryError {
  return new QueryError('bad_parameter', withHint(message, suggestion), {
    parameter,
    position: word.position,
    value: word.text === '' ? undefined : echo(word.text),
    suggestion,
  });
}

function strangeCharacter(text: string, position: number, grammar: ListGrammar): QueryError {
  const character = String.fromCodePoint(text.codePointAt(position) ?? 0);
  const known = grammar.unsupported.get(character);
  const message = known ?? `Unexpected character ${echo(character)} in ${grammar.parameter}.`;
  const end = nameEnd(text, position + 1);
  const name = end > BOUNDS.nameCharacters + position ? '' : text.slice(position + 1, end);
  const suggestion = name === '' ? undefined : grammar.meant?.(character, name);
  if (suggestion === undefined) return listError(message, { text: character, position }, grammar);
  return listError(message, { text: text.slice(position, end), position }, grammar, suggestion);
}

function commaMissing(word: Word, grammar: ListGrammar): QueryError {
  const { parameter, example } = grammar;
  const message = `Expected a comma before ${echo(word.text)}, e.g. ${parameter}=${example}.`;
  return listError(message, word, grammar);
}

function nameMissing(text: string, position: number, grammar: ListGrammar): QueryError {
  const { parameter, example } = grammar;
  const where = position >= text.length ? 'at the end' : 'before a comma';
  const message = `Expected a name ${where} of ${parameter}, e.g. ${parameter}=${example}.`;
  return listError(message, { text: '', position }, grammar);
}

function tooMany(position: number, grammar: ListGrammar): QueryError {
  const message = `${grammar.parameter} can have at most ${BOUNDS.listNames} names.`;
  return listError(message, { text: '', position }, grammar);
}

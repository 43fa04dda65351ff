import { BOUNDS } from './bounds.ts';

/** Control and format characters, lone surrogates: shown as `U+XXXX`, never sent back raw. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * The caller's text as an error may repeat it: at most 80 characters, an ellipsis for the rest,
 * and nothing in it that a terminal, a log or a page could take for more than text.
 */
export function echo(text: string): string {
  const characters: string[] = [];
  for (const character of text.slice(0, 2 * BOUNDS.errorEcho + 2)) {
    if (characters.length === BOUNDS.errorEcho) {
      characters.push('…');
      break;
    }
    characters.push(character);
  }
  return characters.join('').replace(INVISIBLE, codePointName);
}

/** A text as a suggestion may hold it: the whole of it or nothing, never a part. */
export function suggestable(text: string | undefined): string | undefined {
  return text !== undefined && echo(text) === text ? text : undefined;
}

/** A character as `U+00A0`, for messages about characters that cannot be seen. */
export function codePointName(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `U+${hex.padStart(4, '0')}`;
}

/** `a`, `a or b`, `a, b or c`. */
export function oneOf(names: readonly string[]): string {
  if (names.length <= 1) return names.join('');
  return `${names.slice(0, -1).join(', ')} or ${names[names.length - 1]}`;
}

/** Classes of characters by UTF-16 code; everything here takes constant time. */

export const QUOTE = 39;
export const OPEN = 40;
export const CLOSE = 41;
export const PLUS = 43;
export const COMMA = 44;
export const MINUS = 45;
export const DOT = 46;

const SPACE = 1;
const DIGIT = 2;
const LETTER = 4;
const UNDERSCORE = 8;
const BARE_SIGN = 16;

/** The classes of each ASCII character; all zero beyond. */
const CLASSES = classTable();

function classTable(): Uint8Array {
  const classes = new Uint8Array(128);
  const add = (characters: string, bit: number): void => {
    for (const character of characters) classes[character.charCodeAt(0)] = bit;
  };
  add(' \t\r\n', SPACE);
  add('0123456789', DIGIT);
  add('abcdefghijklmnopqrstuvwxyz', LETTER);
  add('ABCDEFGHIJKLMNOPQRSTUVWXYZ', LETTER);
  add('_', UNDERSCORE);
  add('+-./:', BARE_SIGN);
  return classes;
}

/** Whether the code, or NaN beyond the end of a text, is an ASCII character of the classes. */
function isOf(code: number, classes: number): boolean {
  return code < 128 && ((CLASSES[code] ?? 0) & classes) !== 0;
}

/** OData's space and tab, and line ends, so that a long filter may stand on several lines. */
export function isSpace(code: number): boolean {
  return isOf(code, SPACE);
}

export function isDigit(code: number): boolean {
  return isOf(code, DIGIT);
}

/** Letters, digits and `+ - . / : _`: what numbers, dates and ids are written with. */
export function isBareCharacter(code: number): boolean {
  return isOf(code, LETTER | DIGIT | UNDERSCORE | BARE_SIGN);
}

const NAME_START = /^[\p{L}\p{Nl}]$/u;
const NAME_PART = /^[\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]$/u;

/** Length in code units of the character at `index` if a name may begin with it, else 0. */
export function nameStartLength(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code < 128) return isOf(code, LETTER | UNDERSCORE) ? 1 : 0;
  return lengthIfMatching(NAME_START, text, index);
}

/** Length in code units of the character at `index` if a name may go on with it, else 0. */
export function namePartLength(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code < 128) return isOf(code, LETTER | UNDERSCORE | DIGIT) ? 1 : 0;
  return lengthIfMatching(NAME_PART, text, index);
}

/**
 * Where the name that begins at `start` ends: parts of letters, digits and underscores, joined by
 * dots (`Group.Name`). `start` itself where none begins.
 */
export function nameEnd(text: string, start: number): number {
  let end = start;
  for (;;) {
    let length = nameStartLength(text, end);
    while (length > 0) {
      end += length;
      length = namePartLength(text, end);
    }
    const goesOn =
      end > start && text.charCodeAt(end) === DOT && nameStartLength(text, end + 1) > 0;
    if (!goesOn) return end;
    end++;
  }
}

function lengthIfMatching(pattern: RegExp, text: string, index: number): number {
  const codePoint = text.codePointAt(index);
  if (codePoint === undefined) return 0;
  const character = String.fromCodePoint(codePoint);
  return pattern.test(character) ? character.length : 0;
}

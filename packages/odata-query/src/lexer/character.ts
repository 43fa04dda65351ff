/** Classes of characters by UTF-16 code; everything here takes constant time. */

const TAB = 9;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
export const QUOTE = 39;
export const OPEN = 40;
export const CLOSE = 41;
export const COMMA = 44;
export const PLUS = 43;
export const MINUS = 45;
export const DOT = 46;

/** OData's space and tab, and line ends, so that a long filter may stand on several lines. */
export function isSpace(code: number): boolean {
  return code === SPACE || code === TAB || code === LINE_FEED || code === CARRIAGE_RETURN;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isAsciiLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}

const NAME_START = /^[\p{L}\p{Nl}]$/u;
const NAME_PART = /^[\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]$/u;

/** Length in code units of the character at `index` if a name may begin with it, else 0. */
export function nameStartLength(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code < 128) return isAsciiLetter(code) || code === 95 ? 1 : 0;
  return lengthIfMatching(NAME_START, text, index);
}

/** Length in code units of the character at `index` if a name may go on with it, else 0. */
export function namePartLength(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code < 128) return isAsciiLetter(code) || isDigit(code) || code === 95 ? 1 : 0;
  return lengthIfMatching(NAME_PART, text, index);
}

function lengthIfMatching(pattern: RegExp, text: string, index: number): number {
  const codePoint = text.codePointAt(index);
  if (codePoint === undefined) return 0;
  const character = String.fromCodePoint(codePoint);
  return pattern.test(character) ? character.length : 0;
}

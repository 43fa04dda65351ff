/**
 * The text in place of a value, as a person would read it: the words up to the next condition,
 * with or without quotes of any kind.
 */
import { isSpace } from '../lexer/character.ts';

/** An operand that does not end within so many characters is not repaired. */
const WINDOW = 300;

const NEXT_CONDITION =
  /^\s+(?:and|or)(?:\s*$|\s+(?:not\b|\(|[\p{L}_][\w.]*\s+(?:eq|ne|gt|ge|lt|le|like|in|notin)\b))/iu;
const QUOTES: ReadonlyMap<string, string> = new Map([
  ["'", "'"],
  ['"', '"'],
  ['`', '`'],
  ['‘', '’'],
  ['’', '’'],
  ['“', '”'],
  ['”', '”'],
]);

/** A part of the filter's text, as written. */
interface Operand {
  readonly text: string;
  readonly start: number;
}

/** The text after the operator that ends at `from`; undefined if its end is not near. */
export function operandAt(source: string, from: number): Operand | undefined {
  let start = from;
  while (isSpace(source.charCodeAt(start)) && start < from + WINDOW) start++;
  const window = source.slice(start, start + WINDOW);
  const length = operandLength(window);
  if (length === undefined && source.length > start + WINDOW) return undefined;
  const text = window.slice(0, length).trimEnd();
  return text === '' ? undefined : { text, start };
}

function operandLength(window: string): number | undefined {
  let depth = 0;
  for (let i = 0; i < window.length; i++) {
    const character = window[i];
    if (character === '(' || character === '[') depth++;
    if (character === ']') depth--;
    if (character === ')' && --depth < 0) return i;
    if (depth > 0 || !isSpace(window.charCodeAt(i))) continue;
    if (NEXT_CONDITION.test(window.slice(i))) return i;
  }
  return undefined;
}

/**
 * The characters of a text: without the quotes around it, whatever their kind, also where one of
 * the two is missing. Undefined for what looks like two texts.
 */
export function unquoted(text: string): string | undefined {
  const closing = QUOTES.get(text[0] ?? '');
  if (closing === undefined) return /["`“”]/.test(text) ? undefined : text;
  const isClosed = text.length > 1 && text.endsWith(closing);
  const inner = text.slice(1, isClosed ? -1 : undefined);
  if (inner.trim() === '' || /\s['"]|['"]\s|["“”]/.test(inner)) return undefined;
  return closing === "'" ? inner.replaceAll("''", "'") : inner;
}

/** The values of a list written in any brackets or none; undefined for what looks like no list. */
export function listElements(text: string): readonly string[] | undefined {
  const inner = text.replace(/^[([]/, '').replace(/[)\]]$/, '');
  const elements = inner.split(',').map((element) => unquoted(element.trim()));
  const known = elements.filter((element) => element !== undefined && element !== '');
  return known.length === elements.length ? (known as string[]) : undefined;
}

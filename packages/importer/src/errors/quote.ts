import { inspect } from 'node:util';
import { cutText } from '@vcds/service-kit/cut-text';

/** A value as JSON; a value without a JSON form (from a program) as a JSON text of it. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return JSON.stringify(inspect(value));
  }
}

/** A value for a message: JSON, cut to 80 characters, with {@link visible} characters. */
export function quote(value: unknown): string {
  // JSON.parse returns Infinity for 1e400, which JSON cannot express.
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number beyond 1.8e308';
  const json = visible(jsonText(value));
  return json.length <= 80 ? json : `${cutText(json, 77)}…`;
}

/** Control, formatting and private characters, halves of pairs, and blanks other than the space. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
/** Parts of emoji and of Persian and Indic words. */
const JOINERS = new Set(['\u200c', '\u200d']);

/**
 * A text of a file for a terminal: characters that cannot be seen, or that would control the
 * terminal, are written as `\u00a0`.
 */
export function visible(text: string): string {
  return text.replace(INVISIBLE, escaped);
}

/** The same of a text of several lines. */
export function visibleLines(text: string): string {
  return text.replace(INVISIBLE, (character) => (character === '\n' ? '\n' : escaped(character)));
}

function escaped(character: string): string {
  if (JOINERS.has(character)) return character;
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}

import { parseUrl } from '@vcds/venture-model';
import { BOUNDS } from './bounds.ts';

/**
 * A text with each run of blanks and control characters as one space, and none at its ends. Strict
 * JSON parsers reject a response with half of a surrogate pair: each is U+FFFD.
 */
export function collapse(text: string): string {
  return text
    .replace(/[\s\p{Cc}\u{200b}\u{feff}]+/gu, ' ')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .trim();
}

/** Letters and digits alone, in lower case and without accents, to compare names. */
export function letters(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
}

/** An absolute http(s) URL; undefined for another scheme, an empty or an overlong text. */
export function absoluteUrl(text: string, base: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > BOUNDS.urlLength) return undefined;
  const url = parseUrl(trimmed, base);
  if (url === null) return undefined;
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb && url.hostname.includes('.') ? url.href : undefined;
}

/** Longer texts get no suggestion: a name of 64 characters is not mistyped by two letters. */
export const MEANT_LENGTH_MAX = 64;

const MARKS_AND_SEPARATORS = /[\p{M}\s_.\-–/]/gu;

/** A name without case, accents, spaces, hyphens, dots, slashes and underscores. */
export function foldedName(text: string): string {
  return text.normalize('NFKD').toLowerCase().replace(MARKS_AND_SEPARATORS, '');
}

/** {@link foldedName} of the singular: `Countries` and `country` are the same. */
export function singularName(text: string): string {
  const folded = foldedName(text);
  if (folded.length > 4 && folded.endsWith('ies')) return `${folded.slice(0, -3)}y`;
  return folded.length > 3 && /[^s]s$/.test(folded) ? folded.slice(0, -1) : folded;
}

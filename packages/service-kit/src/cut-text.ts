/**
 * The first characters of a text, at most `lengthMax` UTF-16 code units. A surrogate pair across
 * the cut is left out: strict JSON parsers reject half of one.
 */
export function cutText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  return text.slice(0, lengthMax).replace(/\p{Surrogate}$/u, '');
}

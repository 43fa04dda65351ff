/** Short enough to be exact, and never a zero with a sign. */
const PLAIN = /^(?:0|-?[1-9]\d{0,14})$/;
const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** More digits than any safe integer has. */
const DIGITS_MAX = 16;
const ZERO = 48;

/**
 * The whole number a decimal text stands for, worked out on its digits so that nothing is rounded
 * on the way; ±Infinity for one of more than 16 digits, undefined for one with a fraction.
 */
export function wholeNumber(text: string): number | undefined {
  if (PLAIN.test(text)) return Number(text);
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = DECIMAL.exec(text) ?? [];
  const digits = whole + fraction;
  let first = 0;
  let last = digits.length;
  while (first < last && digits.charCodeAt(first) === ZERO) first++;
  while (last > first && digits.charCodeAt(last - 1) === ZERO) last--;
  if (first === last) return digits === '' ? undefined : 0;
  const significant = digits.slice(first, last);
  const exponent = Number(exponentText) - fraction.length + (digits.length - last);
  if (exponent < 0) return undefined;
  const factor = sign === '-' ? -1 : 1;
  if (significant.length + exponent > DIGITS_MAX) return factor * Number.POSITIVE_INFINITY;
  return factor * Number(significant + '0'.repeat(exponent));
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = 62n;

/** The number in base 62 (digits, then upper case, then lower case), padded with zeros. */
export function toBase62(number: bigint, length: number): string {
  let rest = number;
  let text = '';
  while (rest > 0n) {
    text = `${DIGITS[Number(rest % BASE)]}${text}`;
    rest /= BASE;
  }
  if (text.length > length) throw new RangeError(`${length} digits are too few.`);
  return text.padStart(length, '0');
}

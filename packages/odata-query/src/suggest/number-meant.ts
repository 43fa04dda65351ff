/** Factors of the words and letters after a number. */
const FACTORS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['k', 1e3],
  ['thousand', 1e3],
  ['m', 1e6],
  ['mm', 1e6],
  ['mn', 1e6],
  ['mio', 1e6],
  ['million', 1e6],
  ['millions', 1e6],
  ['b', 1e9],
  ['bn', 1e9],
  ['billion', 1e9],
  ['billions', 1e9],
]);

/** The suffixes of numbers in OData 2 and in programming languages. */
const TYPE_SUFFIX = /^[mdfl]$/i;
/** An `m` after a number from here on is a suffix: `1000000m` is no trillion. */
const SUFFIX_MIN = 10_000;

const CURRENCY = /^(?:us\$|usd|\$)|(?:\$|usd|us dollars?|dollars?)$/gi;
const NUMBER = /^([+-]?)(\d[\d_,' .]*|\.\d+)([a-z]*)\+?$/i;
/** Digits in groups of three by one separator, `1,000,000`, and decimals after a point. */
const GROUPED = /^\d{1,3}(?:([_,' ])\d{3})(?:\1\d{3})*(?:\.\d+)?$/;
const GROUPED_BY_POINTS = /^\d{1,3}(?:\.\d{3}){2,}$/;
const EXPONENT = /^[+-]?\d+(?:\.\d+)?e\+?\d$/i;
const PLAIN = /^(?:\d+(?:\.\d*)?|\.\d+)$/;

/**
 * The number that `1,000,000`, `1_000_000`, `$5m`, `10 million`, `.5` or `250+` stands for, as a
 * filter writes it. Undefined for a text that can be read in two ways (`2,5`).
 *
 * @param text at most 64 characters.
 */
export function numberMeant(text: string, hasUnits: boolean): string | undefined {
  const bare = text.trim().replace(CURRENCY, '').trim();
  if (EXPONENT.test(bare)) return String(Number(bare));
  const [, sign = '', digits, unit = ''] = NUMBER.exec(bare) ?? [];
  if (digits === undefined) return undefined;
  const plain = withoutSeparators(digits.trim());
  const isSuffix =
    TYPE_SUFFIX.test(unit) && (!/^m$/i.test(unit) || Number(plain ?? 0) >= SUFFIX_MIN);
  const factor = isSuffix ? 1 : FACTORS.get(unit.toLowerCase());
  if (plain === undefined || factor === undefined || (factor > 1 && !hasUnits)) return undefined;
  const number = Number(plain) * factor;
  if (!Number.isFinite(number) || Math.abs(number) > Number.MAX_SAFE_INTEGER) return undefined;
  return `${sign === '-' && number !== 0 ? '-' : ''}${Number(number.toPrecision(15))}`;
}

function withoutSeparators(digits: string): string | undefined {
  if (PLAIN.test(digits)) return digits.replace(/\.$/, '');
  if (GROUPED.test(digits)) return digits.replace(/[_,' ]/g, '');
  if (GROUPED_BY_POINTS.test(digits)) return digits.replaceAll('.', '');
  return /^[\d_]+$/.test(digits) ? digits.replaceAll('_', '') : undefined;
}

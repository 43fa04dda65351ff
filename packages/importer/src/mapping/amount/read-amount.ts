/** Amounts of money as sources write them: `$180B`, `€2,5 Mio`, `2.5M EUR`, `1 crore`, `€1-5m`. */
import { certainCurrency, currenciesOf } from './currencies.ts';
import { type Decimal, readDigits } from './read-digits.ts';
import { unitBefore, unitOf } from './units.ts';

/** The format of the amounts in a column. */
export interface AmountForm {
  /** The decimal mark. The default is the point, and then `1.234` is ambiguous. */
  readonly decimal?: Decimal | undefined;
  /** The number that a range stands for; without it a range is an error. */
  readonly range?: 'low' | 'high' | 'middle' | undefined;
}

/** Why an amount cannot be read. */
export type AmountFault = 'ambiguous' | 'unreadable' | 'range' | 'thousand or trillion';

export interface Amount {
  readonly value: number;
  /** The codes that the currency in the text may mean, the usual one first; empty if it has none. */
  readonly currencies: readonly string[];
}

/** A longer text is no amount. */
const LENGTH_MAX = 100;
const NUMBER = /\d(?:[\d.,'’ʼ´`′\s]*\d)?\.?(?:e[+-]?\d+)?|\.\d+/iu;
const NUMBERS = /\d(?:[\d.,'’ʼ´`′\s]*\d)?\.?(?:e[+-]?\d+)?|\.\d+/giu;
const BETWEEN = /[-–—]|\bto\b|\bbis\b|\bà\b/giu;
/** Words between a number, its unit and its currency. */
const LINKS = /\bd'|\b(?:de|of|in)\b/giu;

/** Reads an amount with its unit and currency, before or after the number. */
export function readAmount(given: string, form: AmountForm = {}): Amount | AmountFault {
  if (given.length > LENGTH_MAX) return 'unreadable';
  const digits = readDigits(given, form.decimal);
  if (typeof digits === 'number') return { value: digits, currencies: [] };
  const text = given.replace(/\s/gu, ' ').trim();
  const ends = endsOf(text);
  return ends === undefined ? readOne(text, form) : readRange(...ends, form);
}

/** The two sides of the only mark of a range that has digits on both. */
function endsOf(text: string): readonly [from: string, to: string] | undefined {
  const ends = [...text.matchAll(BETWEEN)].flatMap(({ index, 0: mark }) => {
    const sides = [text.slice(0, index).trim(), text.slice(index + mark.length).trim()] as const;
    // The minus of an exponent is none.
    const isRange = sides.every((side) => /\d/u.test(side)) && !/\de$/iu.test(sides[0]);
    return isRange ? [sides] : [];
  });
  return ends.length === 1 ? ends[0] : undefined;
}

/** The currency in a text that is an amount, or only a currency; null if there is none. */
export function readCurrency(given: string): string | null | undefined {
  if (given.length > LENGTH_MAX) return undefined;
  const words = given.replace(/\s/gu, ' ').replace(NUMBERS, ' ');
  const found = readWords(words.replace(/[+–—-]|\b(?:to|bis|à)\b/giu, ' '));
  if (found === undefined || typeof found === 'string') return undefined;
  return found.currencies.length === 0 ? null : certainCurrency(found.currencies);
}

function readOne(text: string, { decimal }: AmountForm): Amount | AmountFault {
  const number = NUMBER.exec(text);
  if (number === null) return 'unreadable';
  const before = text.slice(0, number.index);
  const sign = /[+-]\s*$/u.exec(before)?.[0].trim() ?? /^\s*[+-]/u.exec(before)?.[0].trim() ?? '';
  const after = text.slice(number.index + number[0].length);
  const found = readWords(`${before.replace(sign, ' ')} ${after}`);
  if (found === undefined) return 'unreadable';
  if (typeof found === 'string') return found;
  const digits = number[0].replace(/\.$/u, '');
  // The mark of `1.234` is a decimal one if there is a unit.
  const value = readDigits(sign + digits, found.factor > 1 ? (decimal ?? '.') : decimal);
  if (typeof value !== 'number') return value;
  return { value: scaled(value, found.factor, digits), currencies: found.currencies };
}

/** In whole units of the last decimal, so that 1.15M is 1150000 and not a fraction less. */
function scaled(value: number, factor: number, digits: string): number {
  const decimals = /[.,](\d{1,2}|\d{4,12})$/u.exec(digits)?.[1]?.length ?? 3;
  const scale = 10 ** decimals;
  const whole = Math.round(value * scale);
  return Number.isSafeInteger(whole) && factor > 1 ? (whole * factor) / scale : value * factor;
}

function readRange(from: string, to: string, form: AmountForm): Amount | AmountFault {
  const high = readOne(to, form);
  const alone = readOne(from, form);
  if (typeof high === 'string') return high;
  if (typeof alone === 'string') return alone;
  if (form.range === undefined) return 'range';
  // `1-5m` is from one to five million.
  const words = readWords(to.replace(NUMBER, ' '));
  const own = readWords(from.replace(NUMBER, ' '));
  const factorOf = (found: typeof words) => (typeof found === 'object' ? found.factor : 1);
  const low = factorOf(own) > 1 ? alone.value : alone.value * factorOf(words);
  const currencies = alone.currencies.length > 0 ? alone.currencies : high.currencies;
  const differ = high.currencies.length > 0 && high.currencies[0] !== currencies[0];
  if (low > high.value || differ) return 'unreadable';
  const value = { low, high: high.value, middle: (low + high.value) / 2 }[form.range];
  return { value, currencies };
}

interface Words {
  readonly factor: number;
  readonly currencies: readonly string[];
}

/** The unit and the currency among the words beside a number; undefined for any other word. */
function readWords(text: string): Words | AmountFault | undefined {
  let factor: number | undefined;
  let shortTrillion = false;
  let currencies: readonly string[] = [];
  const words = text
    .replace(/[’ʼ]/gu, "'")
    .replace(LINKS, ' ')
    .split(' ')
    .filter(Boolean)
    .flatMap(split);
  for (const [index, word] of words.entries()) {
    const before = words[index + 1] === undefined ? undefined : unitBefore(word);
    const isBefore = before !== undefined && unitOf(words[index + 1] ?? '') !== undefined;
    const unit = isBefore ? before : unitOf(word);
    const codes = unit === undefined ? currenciesOf(word) : undefined;
    if (unit !== undefined) {
      if (factor !== undefined && unitBefore(words[index - 1] ?? '') === undefined)
        return undefined;
      factor = (factor ?? 1) * unit;
      shortTrillion ||= word.toLowerCase() === 't';
    } else if (codes === undefined) return undefined;
    else if (currencies.length === 0) currencies = codes;
    else {
      const both = codes.filter((code) => currencies.includes(code));
      if (both.length === 0) return undefined;
      currencies = both;
    }
  }
  // A German T€ is a thousand euros.
  if (shortTrillion && currencies.length > 0 && currencies[0] !== 'USD')
    return 'thousand or trillion';
  return { factor: factor ?? 1, currencies };
}

/** The unit and the currency of one word: `M€`, `€m`, `kEUR`, `US$bn`. */
function split(word: string): readonly string[] {
  if (unitOf(word) !== undefined || currenciesOf(word) !== undefined) return [word];
  for (let at = 1; at < word.length; at++) {
    const parts = [word.slice(0, at), word.slice(at)] as const;
    const [first, second] = parts;
    if (unitOf(first) !== undefined && currenciesOf(second) !== undefined) return parts;
    if (currenciesOf(first) !== undefined && unitOf(second) !== undefined) return parts;
  }
  return [word.replace(/\.$/u, '')];
}

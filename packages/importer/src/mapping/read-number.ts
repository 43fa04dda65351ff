const PLAIN = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/iu;
const MONEY = /^([A-Z]{0,3}[$€£¥]\s*)?([1-9]\d{0,2}(?:,\d{3})+|\d+)(\.\d+)?\s*([a-z]*)\.?$/iu;

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  mm: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
  t: 1e12,
  tn: 1e12,
  trillion: 1e12,
};

/** A decimal number, with or without an exponent; undefined if it is too large. */
export function readNumber(text: string): number | undefined {
  return PLAIN.test(text) ? finite(Number(text)) : undefined;
}

const DOLLAR_SIGN = /^(?:USD?)?\$$/iu;

/** The format of the amounts in a column. */
export interface MoneyForm {
  /** Whether there is a separate currency; then signs of currencies other than the dollar pass. */
  readonly hasCurrency?: boolean;
  /** The decimal mark. The default is the point, and then `1.234` is ambiguous. */
  readonly decimal?: '.' | ',' | undefined;
}

/**
 * Parses an amount: `$180B`, `1,250,000.50`, `3 million`, `2.6E+12`. A sign of another currency is
 * only accepted if there is a separate currency, so no such amount is read as dollars. Undefined
 * if it is not an amount, ambiguous or too large.
 */
export function readMoney(given: string, form: MoneyForm = {}): number | undefined {
  if (form.decimal === undefined && isAmbiguousAmount(given)) return undefined;
  const text = form.decimal === ',' ? swapMarks(given) : given;
  if (PLAIN.test(text)) return finite(Number(text));
  const parts = MONEY.exec(text);
  if (parts === null) return undefined;
  const [, sign = '$', whole = '', fraction = '', unit = ''] = parts;
  if (form.hasCurrency !== true && !DOLLAR_SIGN.test(sign.trim())) return undefined;
  const factor = Object.hasOwn(UNITS, unit.toLowerCase()) ? UNITS[unit.toLowerCase()] : undefined;
  if (factor === undefined) return undefined;
  // In whole cents of the unit, so that 1.15M is 1150000 and not a fraction less.
  const digits = Number(whole.replaceAll(',', '') + fraction.slice(1));
  return finite((digits * factor) / 10 ** Math.max(0, fraction.length - 1));
}

/** Whether the point in an amount may separate decimals or thousands: `1.234`. */
export function isAmbiguousAmount(text: string): boolean {
  return /^(?:[A-Z]{0,3}[$€£¥]\s*)?[1-9]\d{0,2}\.\d{3}$/iu.test(text);
}

function swapMarks(text: string): string {
  return text.replace(/[.,]/gu, (mark) => (mark === '.' ? ',' : '.'));
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

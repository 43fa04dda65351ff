/** Values that a conversion cannot read: the reason of a rejected line, or a repair. */
import { LineError } from '../errors/line-error.ts';
import { quote } from '../errors/quote.ts';
import { type Amount, type AmountFault, readAmount } from './amount/read-amount.ts';
import { type Decimal, readDigits } from './amount/read-digits.ts';
import type { Evaluation } from './expression.ts';
import type { Conversion } from './mapping.ts';

/**
 * Null with a note, if the conversion makes unreadable values unknown.
 * @throws LineError with the reason, and the member of the mapping that would read the value.
 */
export function unreadable(
  conversion: Conversion,
  value: unknown,
  evaluation: Evaluation,
  reason: string = why(conversion, value, evaluation),
  how: string = conversion.read ?? (conversion.table === undefined ? 'value' : 'table'),
): null {
  const { field, note } = evaluation;
  if (conversion.unreadable !== 'null') {
    const what = how === 'table' ? 'is not in the table' : `cannot be read as ${how}`;
    throw new LineError(field, `${field} ${quote(value)} ${what}${reason}`);
  }
  const done = how === 'table' ? 'not in the table' : `no ${how}`;
  note({ field, kind: 'repaired', done, was: value });
  return null;
}

function why(conversion: Conversion, value: unknown, { currency }: Evaluation): string {
  const text = String(value).trim();
  const { read, decimal } = conversion;
  if (read === 'number') return whyNoNumber(text, decimal, (mark) => readDigits(text, mark));
  if (read !== 'money') return '';
  const amount = readAmount(text, conversion);
  if (typeof amount === 'object') return whyOtherCurrency(amount, currency);
  if (amount === 'range') return ': it is a range; set "range": "low", "high" or "middle"';
  if (amount === 'thousand or trillion') {
    return ': "t" is a thousand in German and a trillion in English';
  }
  return whyNoNumber(text, decimal, (mark) => readAmount(text, { ...conversion, decimal: mark }));
}

/** The reason why a list cannot be read. */
export function whyNoList({ list }: Conversion): string {
  return list === true
    ? ': it is not a list of plain or quoted items'
    : ': it has quotes or brackets; set "list": true to read them';
}

function whyOtherCurrency({ currencies }: Amount, currency: string | null | undefined): string {
  if (currency === null) {
    return ': it is not in dollars, and the record has no Currency ("read": "currency" reads it)';
  }
  return `: it is in ${currencies.join(' or ')}, and the Currency is ${quote(currency)}`;
}

function whyNoNumber(
  text: string,
  decimal: Decimal | undefined,
  read: (decimal?: Decimal) => number | Amount | AmountFault,
): string {
  if (read(decimal) === 'ambiguous') {
    const mark = text.includes('.') ? '.' : ',';
    const forms = `${text.replace(mark, ',')} or ${text.replace(mark, '.')}`;
    const advice = 'state the decimal mark in the mapping ("decimal": "." or ",")';
    return `: it is ambiguous, ${forms}; ${advice}`;
  }
  const found = ([',', '.'] as const).find(
    (mark) => mark !== decimal && typeof read(mark) !== 'string',
  );
  return found === undefined ? '' : `; set "decimal": "${found}" to read it`;
}

/** Numbers with separators of thousands and a decimal mark. */

/** The decimal mark: stated, or the one that the number itself shows. */
export type Decimal = '.' | ',' | 'either';

/** A longer text is no number. */
const LENGTH_MAX = 100;
const PLAIN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/iu;
/** Thousands by comma, blank or apostrophe, or as in India (`12,34,567`); then decimals. */
const GROUPED =
  /^[+-]?(?:[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?: \d{3})+|[1-9]\d{0,2}(?:'\d{3})+|[1-9]\d?(?:,\d{2})+,\d{3})(?:\.\d+)?$/u;

/** Why a number cannot be read. */
export type DigitsFault = 'ambiguous' | 'unreadable';

/**
 * A number; blanks of any width and apostrophes may separate thousands. Without a stated decimal mark
 * it is the point.
 */
export function readDigits(given: string, decimal?: Decimal): number | DigitsFault {
  if (given.length > LENGTH_MAX) return 'unreadable';
  const text = given
    .trim()
    .replace(/\s/gu, ' ')
    .replace(/[’ʼ´`′]/gu, "'");
  if (decimal === undefined && isAmbiguous(text, '.')) return 'ambiguous';
  const mark = decimal === 'either' ? markOf(text) : (decimal ?? '.');
  if (mark === undefined) return 'ambiguous';
  const pointed = mark === ',' ? swapMarks(text) : text;
  if (PLAIN.test(pointed)) return finite(Number(pointed));
  return GROUPED.test(pointed) ? finite(Number(pointed.replace(/[ ',]/gu, ''))) : 'unreadable';
}

/** Whether the only mark of a number may separate decimals or thousands: `1.234`. */
function isAmbiguous(text: string, mark: '.' | ','): boolean {
  return (mark === '.' ? /^[+-]?[1-9]\d{0,2}\.\d{3}$/u : /^[+-]?[1-9]\d{0,2},\d{3}$/u).test(text);
}

/** The decimal mark that a number shows; undefined if both are possible. */
function markOf(text: string): '.' | ',' | undefined {
  if (isAmbiguous(text, '.') || isAmbiguous(text, ',')) return undefined;
  const [point, comma] = [text.lastIndexOf('.'), text.lastIndexOf(',')];
  if (point !== -1 && comma !== -1) return point > comma ? '.' : ',';
  const mark = comma === -1 ? '.' : ',';
  // A mark that occurs several times separates thousands.
  return text.split(mark).length > 2 ? (mark === '.' ? ',' : '.') : mark;
}

function swapMarks(text: string): string {
  return text.replace(/[.,]/gu, (mark) => (mark === '.' ? ',' : '.'));
}

function finite(value: number): number | DigitsFault {
  return Number.isFinite(value) ? value : 'unreadable';
}

/** Units of amounts in the languages of sources. */

/**
 * The table: a factor and its words, in lower case. `mil` (a thousand, or short for a million) and
 * the billions of other languages (a million millions) are left out, because they are ambiguous.
 */
const WRITTEN: readonly (readonly [factor: number, words: string])[] = [
  [1e3, 'k thousand thousands tsd tausend mille milliers tys тыс'],
  [1e4, '万 만'],
  [1e5, 'lakh lakhs lac lacs'],
  [
    1e6,
    'm mn mm mio mill mln mlns million millions millionen millones millon millón milhões milhoes milhão milhao milioni milione miljoen miljoner miljon millioner millionær milj млн juta jt',
  ],
  [1e7, 'crore crores cr'],
  [1e8, '億 亿 억'],
  [
    1e9,
    'b bn bln billion billions md mds mrd mrds mld mia milliard milliards milliarde milliarden miliardi miliardo miljard miljarder milliarder bilhões bilhoes bilhão bilhao млрд miliar',
  ],
  [1e12, 't tn trn trillion trillions 兆'],
];

const UNITS: ReadonlyMap<string, number> = new Map(
  WRITTEN.flatMap(([factor, words]) => words.split(' ').map((word) => [word, factor] as const)),
);

/** Units that may stand before another: `thousand crore`, `mil millones`. */
const BEFORE_UNIT: ReadonlyMap<string, number> = new Map([
  ['thousand', 1e3],
  ['mil', 1e3],
  ['lakh', 1e5],
]);

/** The factor of a word, in any case and with a point at its end. */
export function unitOf(word: string): number | undefined {
  return UNITS.get(word.toLowerCase().replace(/\.$/u, ''));
}

/** The factor of a word that is followed by a unit. */
export function unitBefore(word: string): number | undefined {
  return BEFORE_UNIT.get(word.toLowerCase());
}

/** A prediction of a round that has come since. */
export interface Guess {
  readonly probability: number;
  readonly isRight: boolean;
}

/** Of the predictions that are served, at least this share was right in each back-tested year. */
const SHARE_RIGHT = 0.8;
/** And in all years with 95 % confidence this share, because few predictions prove nothing. */
const SHARE_RIGHT_CERTAIN = 0.75;
/** No probability below this is served, however often it was right. */
const THRESHOLD_MIN = 0.5;
const Z = 1.96;

/**
 * The lowest probability from which on the predictions were right often enough; null if none is.
 * Each year has to pass alone, because an easy year must not pay for a difficult one.
 */
export function chooseThreshold(years: readonly (readonly Guess[])[]): number | null {
  for (let hundredths = THRESHOLD_MIN * 100; hundredths < 100; hundredths++) {
    const threshold = hundredths / 100;
    const shares = years.map((guesses) => {
      const served = guesses.filter(({ probability }) => probability >= threshold);
      return { right: served.filter(({ isRight }) => isRight).length, of: served.length };
    });
    const right = shares.reduce((sum, each) => sum + each.right, 0);
    const of = shares.reduce((sum, each) => sum + each.of, 0);
    const isRightEachYear = shares.every((each) => each.right >= SHARE_RIGHT * each.of);
    if (isRightEachYear && wilsonInterval(right, of)[0] >= SHARE_RIGHT_CERTAIN) return threshold;
  }
  return null;
}

/** The 95 % interval of a share after Wilson; [0, 1] for none. */
export function wilsonInterval(right: number, of: number): readonly [low: number, high: number] {
  if (of === 0) return [0, 1];
  const share = right / of;
  const center = share + (Z * Z) / (2 * of);
  const spread = Z * Math.sqrt((share * (1 - share)) / of + (Z * Z) / (4 * of * of));
  const scale = 1 + (Z * Z) / of;
  return [(center - spread) / scale, (center + spread) / scale];
}

import { wilsonInterval } from './share.ts';

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

/** Whether a prediction of this probability is served. */
export function isServed(probability: number, threshold: number | null): boolean {
  return threshold !== null && probability >= threshold;
}

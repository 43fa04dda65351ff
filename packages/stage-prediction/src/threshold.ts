import { type Share, share, wilsonInterval } from './share.ts';

/** A prediction of a round that has come since. */
export interface Guess {
  readonly stage: number | null;
  readonly probability: number;
  readonly isRight: boolean;
  /** The half-year before the training in which the round came: 0 is the newest. */
  readonly halfYear: number;
  /** One, divided among the predictions of the same round. */
  readonly weight: number;
}

/** Half-years before the training whose rounds are compared. */
export const HALF_YEARS = 6;
/** Of the predictions that are served, at least this share is promised to be right. */
const SHARE_PROMISED = 0.8;
/** And this share was right in each half-year: a margin, because the use of stages changes. */
const SHARE_RIGHT_EACH = 0.84;
/** No probability below this is served, however often it was right. */
const THRESHOLD_MIN = 0.5;

/**
 * The lowest probability from which on the predictions of a stage were right often enough; null if
 * none is: in each half-year alone, because an easy one must not pay for a difficult one, and with
 * 95 % confidence in all of them, because few predictions prove nothing.
 */
export function chooseThreshold(guesses: readonly Guess[]): number | null {
  for (let hundredths = THRESHOLD_MIN * 100; hundredths < 100; hundredths++) {
    const threshold = hundredths / 100;
    const served = guesses.filter(({ probability }) => probability >= threshold);
    const halfYears = sharesByHalfYear(served);
    const right = halfYears.reduce((sum, each) => sum + each.right, 0);
    const of = halfYears.reduce((sum, each) => sum + each.of, 0);
    const isRightInEach = halfYears.every((each) => each.right >= SHARE_RIGHT_EACH * each.of);
    if (isRightInEach && wilsonInterval(right, of)[0] >= SHARE_PROMISED) return threshold;
  }
  return null;
}

/** How many of the predictions of each half-year were right, the newest first. */
export function sharesByHalfYear(guesses: readonly Guess[]): Share[] {
  return Array.from({ length: HALF_YEARS }, (_, halfYear) => {
    let [right, of] = [0, 0];
    for (const guess of guesses) {
      if (guess.halfYear !== halfYear) continue;
      of += guess.weight;
      if (guess.isRight) right += guess.weight;
    }
    return share(right, of);
  });
}

import { UNKNOWN_DAY } from '@vcds/matching';

/** The day before which this share of the dated investments lies; undefined if none has a date. */
export function dayAtShare(days: Int32Array, share: number): number | undefined {
  const dated = days.filter((day) => day !== UNKNOWN_DAY).sort();
  return dated[Math.floor(dated.length * share)];
}

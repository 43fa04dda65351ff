/** Whether this is `npm run soak`, which repeats at length what `npm test` tries a few times. */
export const isSoak = process.env.VCDS_SOAK === '1';

/** How many times as many runs of a property `npm run soak` makes. */
const SOAK_FACTOR = 20;

/** The number of runs of a property: `n` in `npm test`, 20 times as many in `npm run soak`. */
export function runs(n: number): { readonly numRuns: number } {
  return { numRuns: isSoak ? SOAK_FACTOR * n : n };
}

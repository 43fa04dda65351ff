/** Whether this is `npm run soak`, which repeats at length what `npm test` tries a few times. */
const isSoak = process.env.VCDS_SOAK === '1';

/** A number of repetitions: `few` in `npm test`, `many` in `npm run soak`. */
export function atLength(few: number, many: number): number {
  return isSoak ? many : few;
}

/** The number of runs of a property: `n` in `npm test`, `many` in `npm run soak`. */
export function runs(n: number, many: number = 20 * n): { readonly numRuns: number } {
  return { numRuns: atLength(n, many) };
}

/** Two secrets, of which `fresh` replaces `old`. */
export const ROTATION: { readonly old: string; readonly fresh: string } = Object.freeze({
  old: 'the-old-secret-of-enough-characters-1',
  fresh: 'the-new-secret-of-enough-characters-2',
});

/** The three steps that replace a secret without downtime. */
const STEPS = ['add the new one', 'make it the first', 'drop the old one'] as const;

/**
 * Every pair of lists that two processes have during a step, in both directions: that of the process
 * that writes, and that of the one that reads.
 */
export function rotationPairs({ old, fresh } = ROTATION, separator = ',') {
  const lists = [old, old + separator + fresh, fresh + separator + old, fresh];
  return STEPS.flatMap((step, i) => {
    const during = lists.slice(i, i + 2);
    return during.flatMap((writing) =>
      during.map((reading): [step: string, writing: string, reading: string] => [
        step,
        writing,
        reading,
      ]),
    );
  });
}

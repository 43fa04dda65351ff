import type { Explanation } from './decisions.ts';
import type { ReviewPair } from './review-list.ts';

/** Of the evidence of a pair on the list. */
const REASONS = 4;

export function companiesText({
  companies,
}: {
  companies: readonly (readonly string[])[];
}): string {
  return companies
    .map(([id = '', ...others]) => (others.length === 0 ? id : `${id}, with ${others.join(', ')}`))
    .join('\n');
}

export function reviewText(pairs: readonly ReviewPair[]): string {
  if (pairs.length === 0) return 'No pair is for review.';
  return pairs
    .map(({ entity, ids, names, sources, weight, veto, reasons }) => {
      const sides = [0, 1].map((k) => `  ${ids[k]}  ${names[k]} (${sources[k] ?? 'no source'})`);
      const reason = veto === null ? '' : `, kept apart by ${veto}`;
      const evidence = reasons
        .slice(0, REASONS)
        .map((one) => `${one.feature} ${one.weight.toFixed(1)}`)
        .join(', ');
      return `${entity}, weight ${weight.toFixed(1)}${reason}\n${sides.join('\n')}\n  ${evidence}`;
    })
    .join('\n');
}

export function whyText(explanation: Explanation): string {
  const { names, sources, sameCompany, ruling, verdict, veto, weight, reasons } = explanation;
  return [
    `${names[0]} (${sources[0]}) and ${names[1]} (${sources[1]})`,
    sameCompany ? 'They are one company.' : 'They are two companies.',
    ...(ruling === null ? [] : [`An operator has ruled: ${ruling}.`]),
    `The comparison says ${verdict}, weight ${weight.toFixed(1)}${veto === null ? '' : `; veto: ${veto}`}.`,
    ...reasons.map(
      (reason) =>
        `  ${reason.weight.toFixed(2).padStart(6)}  ${reason.feature} ${reason.value.toFixed(2)}`,
    ),
  ].join('\n');
}

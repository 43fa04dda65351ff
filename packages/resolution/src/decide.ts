import type { Compiled } from './compile.ts';
import { type Crowd, FEATURES, type FeatureName, type Features, featuresOf } from './features.ts';
import { isSiteKey, type Veto, vetoOf } from './vetoes.ts';
import { WEIGHTS } from './weights.ts';

/** Raised when weights or rules change: all statements are resolved again. */
export const METHOD = 2;

/** `match`: one company; `review`: an operator decides; `apart`: two companies. */
export type Verdict = 'match' | 'review' | 'apart';

/** One line of the evidence of a pair. */
export interface Reason {
  readonly feature: FeatureName;
  /** The measure of the feature. */
  readonly value: number;
  /** Its part of the weight, in nats. */
  readonly weight: number;
}

/** The decision on a pair before clustering. */
export interface Decision {
  /** The logarithm of the odds that both are one company. */
  readonly weight: number;
  readonly verdict: Verdict;
  readonly veto: Veto | null;
  /** A key decides: the same identifier or a site that no other company has. */
  readonly isKey: boolean;
}

/** Compares two statements and decides. Symmetric, and a function of the pair and the crowd only. */
export function decide(
  a: Compiled,
  b: Compiled,
  crowd: Crowd,
): Decision & { readonly features: Features } {
  const features = featuresOf(a, b, crowd);
  const veto = vetoOf(a, b, features);
  const { bias, match, review, weights } = WEIGHTS[a.entity];
  let weight = bias;
  for (const name of FEATURES) {
    const value = features[name];
    if (value !== undefined) weight += value * (weights[name] ?? 0);
  }
  const hasIdentifier = features.identifierSame !== undefined;
  const isKey = hasIdentifier || isSiteKey(features);
  if (isKey) weight = Math.max(weight, match + (hasIdentifier ? 5 : 1));
  // As the database keeps it: kept pairs and compared ones are in one order.
  weight = Math.fround(weight);
  const verdict = weight < review ? 'apart' : veto !== null || weight < match ? 'review' : 'match';
  return { features, weight, verdict: veto === 'same-source' ? 'apart' : verdict, veto, isKey };
}

/** The evidence with its weights, the strongest first. */
export function reasonsOf(a: Compiled, features: Features): readonly Reason[] {
  const { weights } = WEIGHTS[a.entity];
  return FEATURES.flatMap((feature): Reason[] => {
    const value = features[feature];
    return value === undefined ? [] : [{ feature, value, weight: value * (weights[feature] ?? 0) }];
  }).sort((one, other) => Math.abs(other.weight) - Math.abs(one.weight));
}

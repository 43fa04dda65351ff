import { FEATURES } from '../features/features.ts';

/**
 * The weights, per unit, towards which training is pulled: with little data the ranking is that of
 * network diffusion, corrected by the stated stages and tags.
 */
const KNOWN: Readonly<Record<string, number>> = {
  diffusion: 1,
  statedStage: 0.5,
  statedTags: 0.5,
};

export const PRIOR_WEIGHTS = Float64Array.from(FEATURES, (feature) => KNOWN[feature] ?? 0);

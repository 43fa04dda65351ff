import type { Tree } from './tree.ts';

/** Increased when a model of the last format cannot be opened any more. */
export const MODEL_FORMAT = 1;

/** Weights for the companies without, or with, earlier investors. */
export interface Head {
  /** Weight of each feature, per unit. */
  readonly weights: readonly number[];
  readonly trees: readonly Tree[];
  /** The logit of the probability is `offset + slope × (Σ weight × feature + Σ trees)`. */
  readonly offset: number;
  readonly slope: number;
}

/** A ranking learnt from investments: a plain object that survives JSON. */
export interface RankingModel {
  readonly format: typeof MODEL_FORMAT;
  /** Names of the features, in order of the weights. */
  readonly features: readonly string[];
  /** Mean of each feature; contributions are relative to it. */
  readonly means: readonly number[];
  readonly cold: Head;
  readonly warm: Head;
  /** Investors with fewer first investments are no candidates in training. */
  readonly eventsMin: number;
  readonly seed: number;
  /** Day before which all investments were made that the model was trained on. */
  readonly before: number;
  /** Size of the training set. */
  readonly questions: number;
  readonly rows: number;
}

/** A model that was stored as JSON. Throws an Error if its format or features are others. */
export function readModel(stored: unknown, features: readonly string[]): RankingModel {
  const model = stored as Partial<RankingModel> | null;
  if (model?.format !== MODEL_FORMAT || model.features?.join() !== features.join()) {
    throw new Error('The model has another format. Train it again.');
  }
  return model as RankingModel;
}

import type { Calibration } from './calibrate.ts';

/** Increased when models of the last format cannot be opened any more. */
export const MODEL_FORMAT = 3;

/** The weights for a kind of query, and the line of its scores that is the logit of a probability. */
export interface Head extends Calibration {
  /** Weight of each feature, per unit. */
  readonly weights: readonly number[];
}

/** For companies without, and with, earlier investors. */
export interface Heads {
  readonly cold: Head;
  readonly warm: Head;
}

/** A ranking learnt from investments: a plain object that survives JSON. */
export interface RankingModel {
  readonly format: typeof MODEL_FORMAT;
  /** Names of the features, in order of the weights. */
  readonly features: readonly string[];
  /** For companies of the data, and for queries by criteria. */
  readonly record: Heads;
  readonly criteria: Heads;
  /** Mean of each feature; contributions are relative to it. */
  readonly means: readonly number[];
  /** Investors with fewer first investments are no candidates in training. */
  readonly eventsMin: number;
  readonly seed: number;
  /** Day before which all investments were made that the model was trained on. */
  readonly before: number;
  /** Size of the training set. */
  readonly questions: number;
  readonly rows: number;
}

/** The head for a query. */
export function headOf(
  model: RankingModel,
  query: { readonly isByCriteria: boolean; readonly isWarm: boolean },
): Head {
  const heads = query.isByCriteria ? model.criteria : model.record;
  return query.isWarm ? heads.warm : heads.cold;
}

/** A model that was stored as JSON. Throws an Error if its format or features are others. */
export function readModel(stored: unknown, features: readonly string[]): RankingModel {
  const model = stored as Partial<RankingModel> | null;
  if (model?.format !== MODEL_FORMAT || model.features?.join() !== features.join()) {
    throw new Error('The model has another format. Train it again.');
  }
  return model as RankingModel;
}

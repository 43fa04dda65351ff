import type { Calibration } from './calibrate.ts';

/** Increased when models of the last format cannot be opened any more. */
export const MODEL_FORMAT = 4;

/** The weights for a kind of query, and the line of its scores that is the logit of a probability. */
export interface Head extends Calibration {
  /** Weight of each feature, per unit. */
  readonly weights: readonly number[];
}

/** Kinds of queries: about a company without or with investors, by its record or by criteria. */
export const KINDS = ['coldRecord', 'warmRecord', 'coldCriteria', 'warmCriteria'] as const;

export type Kind = (typeof KINDS)[number];

/** A ranking learnt from investments: a plain object that survives JSON. */
export interface RankingModel {
  readonly format: typeof MODEL_FORMAT;
  /** Names of the features, in order of the weights. */
  readonly features: readonly string[];
  readonly heads: Readonly<Record<Kind, Head>>;
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

interface Asked {
  readonly isByCriteria: boolean;
  readonly isWarm: boolean;
}

/** The kind of a query. */
export function kindOf({ isByCriteria, isWarm }: Asked): Kind {
  return `${isWarm ? 'warm' : 'cold'}${isByCriteria ? 'Criteria' : 'Record'}`;
}

/** The head for a query. */
export function headOf({ heads }: RankingModel, query: Asked): Head {
  return heads[kindOf(query)];
}

/** The weighted sum of a row of features that begins at `at`: the uncalibrated score. */
export function scoreOf(weights: ArrayLike<number>, row: ArrayLike<number>, at = 0): number {
  let score = 0;
  for (let f = 0; f < weights.length; f++) {
    score += (weights[f] as number) * (row[at + f] as number);
  }
  return score;
}

/** A model that was stored as JSON. Throws an Error if its format or features are others. */
export function readModel(stored: unknown, features: readonly string[]): RankingModel {
  const model = stored as Partial<RankingModel> | null;
  if (model?.format !== MODEL_FORMAT || model.features?.join() !== features.join()) {
    throw new Error('The model has another format. Train it again.');
  }
  return model as RankingModel;
}

import { roundsBefore, type StageCompany } from './company.ts';
import { type Example, examplesBefore } from './examples.ts';
import { featuresOf } from './features.ts';
import { addRow, fit, type Matrix, softmax } from './fit.ts';
import type { Share } from './share.ts';

/** A trained model; plain JSON. */
export interface StageModel {
  /** Only rounds before this day were read. */
  readonly trainedBefore: number;
  /** The stages that it predicts. The last class, of all others, is not among them. */
  readonly stages: readonly number[];
  readonly features: readonly string[];
  /** For each feature, the weights of `stages` and of the last class. */
  readonly weights: readonly number[];
  /** No stage is expected for a company without a round for longer than this. */
  readonly gapDaysMax: number;
  /** For each of `stages` the least probability that is served; null if none is reliable enough. */
  readonly thresholds: readonly (number | null)[];
  /** Predictions of the last half-years that reach the threshold, by round, the newest first. */
  readonly backTest: readonly Share[];
}

/** The stage with the greatest probability; null: one that the model does not predict. */
export interface StageGuess {
  readonly stage: number | null;
  readonly probability: number;
}

/** A stage is a class, and a feature has a weight, if this many rounds have it. */
const ROUNDS_MIN = 20;
const L2 = 10;
/** Older rounds count half for every two years of age. */
const HALF_LIFE_DAYS = 730;
/**
 * The stage that is expected next on a day, from the rounds before it; null if the company has none,
 * has had none for long, or no stage is probable enough.
 */
export function expectedStage(
  model: StageModel,
  company: StageCompany,
  day: number,
): number | null {
  const count = roundsBefore(company, day);
  const last = company.rounds[count - 1];
  if (last === undefined) return null;
  if (day - last.day > model.gapDaysMax) return null;
  const guessed = guess(model, featuresOf(company, count, day));
  return isServed(model, guessed) ? guessed.stage : null;
}

/** Whether a prediction is probable enough for its stage. */
export function isServed(
  { stages, thresholds }: Pick<StageModel, 'stages' | 'thresholds'>,
  { stage, probability }: StageGuess,
): boolean {
  if (stage === null) return false;
  const threshold = thresholds[stages.indexOf(stage)] ?? null;
  return threshold !== null && probability >= threshold;
}

const indexes = new WeakMap<StageModel, ReadonlyMap<string, number>>();

/** The most probable stage of a set of features. Features that the model lacks are ignored. */
export function guess(model: StageModel, features: readonly string[]): StageGuess {
  let index = indexes.get(model);
  if (index === undefined) {
    index = new Map(model.features.map((name, feature) => [name, feature]));
    indexes.set(model, index);
  }
  const scores = new Float64Array(model.stages.length + 1);
  for (const name of features) {
    const feature = index.get(name);
    if (feature !== undefined) addRow(scores, model.weights, feature);
  }
  softmax(scores);
  const probability = Math.max(...scores);
  return { stage: model.stages[scores.indexOf(probability)] ?? null, probability };
}

/** The model of the rounds before a day, which serves nothing yet. */
export function fitBefore(
  companies: readonly StageCompany[],
  before: number,
  gapDaysMax: number,
): StageModel {
  const examples = examplesBefore(companies, before);
  const stages = frequent(examples, ({ next }) => [next]).sort((a, b) => a - b);
  const features = frequent(examples, (example) => example.features);
  const matrix = matrixOf(examples, stages, features, before);
  const weights = fit(matrix, features.length, stages.length + 1, L2);
  const rounded = Array.from(weights, (weight) => Math.round(weight * 1e6) / 1e6);
  return {
    trainedBefore: before,
    stages,
    features,
    weights: rounded,
    gapDaysMax,
    thresholds: stages.map(() => null),
    backTest: [],
  };
}

/** Values that occur in at least as many pairs of rounds as {@link ROUNDS_MIN}. */
function frequent<T>(examples: readonly Example[], of: (example: Example) => readonly T[]): T[] {
  const counts = new Map<T, number>();
  for (const example of examples) {
    for (const value of of(example)) counts.set(value, (counts.get(value) ?? 0) + example.weight);
  }
  return [...counts].flatMap(([value, count]) => (count >= ROUNDS_MIN ? [value] : []));
}

function matrixOf(
  examples: readonly Example[],
  stages: readonly number[],
  features: readonly string[],
  before: number,
): Matrix {
  const index = new Map(features.map((name, feature) => [name, feature]));
  const present = examples.map((example) =>
    example.features.flatMap((name) => index.get(name) ?? []),
  );
  const start = new Int32Array(examples.length + 1);
  for (const [example, list] of present.entries()) {
    start[example + 1] = (start[example] as number) + list.length;
  }
  return {
    start,
    features: Int32Array.from(present.flat()),
    labels: Int32Array.from(examples, ({ next }) =>
      stages.includes(next) ? stages.indexOf(next) : stages.length,
    ),
    weights: Float64Array.from(
      examples,
      ({ weight, nextDay }) => weight * 0.5 ** ((before - nextDay) / HALF_LIFE_DAYS),
    ),
  };
}

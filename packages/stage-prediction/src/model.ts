import { roundsBefore, type StageCompany } from './company.ts';
import { type Example, examplesBefore, examplesOf, outcomesAfter } from './examples.ts';
import { featuresOf } from './features.ts';
import { addRow, fit, type Matrix, softmax } from './fit.ts';
import { type Share, share } from './share.ts';
import { chooseThreshold, type Guess, isServed } from './threshold.ts';

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
  /** The least probability that is served; null if no probability is reliable enough. */
  readonly threshold: number | null;
  /** Predictions of the last years that reach the threshold, the newest year first. */
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
const YEAR_DAYS = 365;
/** Years before the end whose rounds are predicted by models of the time before. */
const ORIGINS = 3;
/** The share of next rounds that came within `gapDaysMax`. */
const GAP_SHARE = 0.95;
const GAP_DAYS_MIN = 365;
/** Companies with more examples than about this are sampled: training takes seconds. */
const EXAMPLES_MAX = 80_000;

/**
 * Trains on the rounds before a day. The threshold is chosen by predicting each of the last three
 * years from the years before it. Deterministic for the order of the companies.
 */
export function trainStages(all: readonly StageCompany[], before: number): StageModel {
  const companies = sample(all);
  const gapDaysMax = gapDaysOf(companies, before);
  const years = Array.from({ length: ORIGINS }, (_, year): Guess[] => {
    const origin = before - (year + 1) * YEAR_DAYS;
    const past = fitBefore(companies, origin, gapDaysMax);
    const { examples } = outcomesAfter(companies, origin, origin + YEAR_DAYS, gapDaysMax);
    return examples.flatMap(({ features, next }) => {
      const { stage, probability } = guess(past, features);
      return stage === null ? [] : [{ probability, isRight: stage === next }];
    });
  });
  const threshold = chooseThreshold(years);
  return {
    ...fitBefore(companies, before, gapDaysMax),
    threshold,
    backTest: years.map((guesses) => servedShare(guesses, threshold)),
  };
}

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
  const { stage, probability } = guess(model, featuresOf(company, count, day));
  return isServed(probability, model.threshold) ? stage : null;
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

function fitBefore(
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
    threshold: null,
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

function servedShare(guesses: readonly Guess[], threshold: number | null): Share {
  const served = guesses.filter(({ probability }) => isServed(probability, threshold));
  return share(served.filter(({ isRight }) => isRight).length, served.length);
}

function gapDaysOf(companies: readonly StageCompany[], before: number): number {
  const gaps = companies.flatMap(({ rounds }) =>
    rounds.flatMap(({ day }, index) => {
      const next = rounds[index + 1];
      return next === undefined || next.day >= before ? [] : [next.day - day];
    }),
  );
  gaps.sort((a, b) => a - b);
  return Math.max(GAP_DAYS_MIN, gaps[Math.floor(gaps.length * GAP_SHARE)] ?? 0);
}

function sample(companies: readonly StageCompany[]): readonly StageCompany[] {
  const examples = companies.reduce((sum, company) => sum + examplesOf(company), 0);
  const every = Math.ceil(examples / EXAMPLES_MAX);
  return every <= 1 ? companies : companies.filter((_, index) => index % every === 0);
}

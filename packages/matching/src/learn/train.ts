import { FEATURES } from '../features/features.ts';
import { type InvestmentData, UNKNOWN_DAY } from '../history/data.ts';
import { createTimeline, type Timeline } from '../history/timeline.ts';
import { type Calibration, calibrate } from './calibrate.ts';
import { emphasisOf } from './emphasis.ts';
import { type Examples, groupsOf, rowsOf } from './examples.ts';
import { makeExamples } from './make-examples.ts';
import { type Head, type Heads, MODEL_FORMAT, type RankingModel } from './model.ts';
import { PRIOR_WEIGHTS } from './prior.ts';
import { scoreOf } from './score.ts';
import { fitSoftmax, type Scale, scaleOf } from './softmax.ts';

/** Options of training; all have defaults. */
export interface TrainOptions {
  readonly seed?: number;
  /** Investments from this day on are not used; by default all dated ones are. */
  readonly before?: number;
  /** Called before each step of the training. */
  readonly onStep?: (step: string) => void;
}

const ORIGINS_MAX = 6;
const HORIZON_DAYS = 240;
const QUESTIONS_MAX = 400;
const CANDIDATES_MAX = 80;
/** Pull of the weights towards the prior ones, in questions. */
const L2 = 150;

/** First investments that an investor needs before a cut to be a candidate. */
export const EVENTS_MIN = 2;

/**
 * Learns a ranking from the dated investments before a day. Equal data and options give an equal
 * model. Needs no minimum of data: with little, the model stays near network diffusion.
 */
export function train(data: InvestmentData, options: TrainOptions = {}): RankingModel {
  return trainOn(createTimeline(data), options);
}

/** `train` for a timeline that exists already. */
export function trainOn(timeline: Timeline, options: TrainOptions = {}): RankingModel {
  const { seed = 1, onStep = () => undefined } = options;
  const before = options.before ?? nextDay(timeline);
  onStep('examples');
  const examples = examplesBefore(timeline, before, seed);
  const scale = scaleOf(examples);
  onStep('weights');
  const [record, forRecords] = headsOf(examples, scale, 0, priorOf(scale));
  const [criteria] = headsOf(examples, scale, 1, forRecords);
  const questions = examples.isWarm.length;
  return {
    ...{ format: MODEL_FORMAT, features: FEATURES, means: [...scale.mean], record, criteria },
    ...{ eventsMin: EVENTS_MIN, seed, before, questions, rows: examples.label.length },
  };
}

/**
 * The heads for queries by criteria or not, and their common weights, per deviation. Companies with
 * investors are few in most data: they use the common weights, and by the record alone the mean of
 * these and `prior`.
 */
function headsOf(
  examples: Examples,
  scale: Scale,
  isByCriteria: 0 | 1,
  prior: Float64Array,
): [Heads, Float64Array] {
  const groups = groupsOf(examples).filter((g) => examples.isByCriteria[g] === isByCriteria);
  const [cold, warm] = [0, 1].map((kind) => groups.filter((g) => examples.isWarm[g] === kind));
  const common = fitWeights(examples, groups, scale, prior);
  const headFor = (own: readonly number[] = [], scaled: Float64Array): Head => {
    const weights = perUnit(scaled, scale);
    return { weights: [...weights], ...calibration(examples, own, weights) };
  };
  const forCold = fitWeights(examples, cold ?? [], scale, common);
  const mean = common.map((weight, f) => (weight + (prior[f] as number)) / 2);
  const forWarm = isByCriteria ? common : mean;
  return [{ cold: headFor(cold, forCold), warm: headFor(warm, forWarm) }, common];
}

/** The weights of network diffusion, per deviation. */
function priorOf({ deviation }: Scale): Float64Array {
  return PRIOR_WEIGHTS.map((weight, f) => weight * (deviation[f] as number));
}

function perUnit(weights: Float64Array, { deviation }: Scale): Float64Array {
  return weights.map((weight, f) => weight / (deviation[f] as number));
}

/** The questions of the origins before a day that a model is trained on. */
export function examplesBefore(timeline: Timeline, before: number, seed: number): Examples {
  return makeExamples(timeline, {
    ...{ seed, end: before, originsMax: ORIGINS_MAX, horizonDays: HORIZON_DAYS },
    ...{ questionsMax: QUESTIONS_MAX, candidatesMax: CANDIDATES_MAX, eventsMin: EVENTS_MIN },
  });
}

/** The day after the last investment. */
export function nextDay(timeline: Timeline): number {
  return timeline.lastDay === UNKNOWN_DAY ? 0 : timeline.lastDay + 1;
}

/** Weights per deviation: of all chosen candidates, then mostly of the reachable ones. */
function fitWeights(
  examples: Examples,
  groups: readonly number[],
  scale: Scale,
  prior: Float64Array,
): Float64Array {
  const problem = { examples, groups, deviation: scale.deviation, l2: L2, prior };
  const first = fitSoftmax(problem);
  const emphasis = emphasisOf(examples, groups, perUnit(first, scale));
  return fitSoftmax({ ...problem, emphasis });
}

function calibration(
  examples: Examples,
  groups: readonly number[],
  weights: Float64Array,
): Calibration {
  const { features, rows, label, weight } = examples;
  const candidates = rowsOf(examples, groups);
  return calibrate(
    Float64Array.from(candidates, (c) => scoreOf(weights, rows, c * features)),
    Uint8Array.from(candidates, (c) => label[c] as number),
    Float32Array.from(candidates, (c) => weight[c] as number),
  );
}

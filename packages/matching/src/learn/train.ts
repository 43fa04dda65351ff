import { FEATURES } from '../features/features.ts';
import type { InvestmentData } from '../history/data.ts';
import { createTimeline, nextDay, type Timeline } from '../history/timeline.ts';
import { type Calibration, calibrate } from './calibrate.ts';
import { EVENTS_MIN, type Examples, examplesBefore } from './examples.ts';
import { type Head, type Kind, MODEL_FORMAT, type RankingModel, scoreOf } from './model.ts';
import { emphasisOf, fitSoftmax, type Scale, scaleOf } from './softmax.ts';

/** Options of training; all have defaults. */
export interface TrainOptions {
  readonly seed?: number;
  /** Investments from this day on are not used; by default all dated ones are. */
  readonly before?: number;
  /** Called before each step of the training. */
  readonly onStep?: (step: string) => void;
}

/** Pull of the weights towards the prior ones, in questions. */
const L2 = 150;

/**
 * The weights, per unit, towards which training is pulled: with little data the ranking is that of
 * network diffusion, corrected by the stated stages and tags.
 */
const KNOWN: Readonly<Record<string, number>> = {
  diffusion: 1,
  statedStage: 0.5,
  statedTags: 0.5,
};

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
  return {
    ...{ format: MODEL_FORMAT, features: FEATURES, means: [...scale.mean] },
    heads: headsOf(examples, scale),
    ...{ eventsMin: EVENTS_MIN, seed, before },
    ...{ questions: examples.kinds.length, rows: examples.label.length },
  };
}

/**
 * The heads of all kinds of queries, each pulled towards a more general one: those about companies
 * without investors towards the common weights of queries by record or by criteria, and the latter
 * towards the former. Companies with investors are few in most data: they use the common weights, and
 * by the record alone the mean of these and those of diffusion.
 */
function headsOf(examples: Examples, scale: Scale): RankingModel['heads'] {
  const { deviation } = scale;
  const groupsOf = (...kinds: readonly Kind[]) =>
    examples.kinds.flatMap((kind, g) => (kinds.includes(kind) ? [g] : []));
  const headOf = (kind: Kind, scaled: Float64Array): Head => {
    const weights = scaled.map((weight, f) => weight / (deviation[f] as number));
    return { weights: [...weights], ...calibration(examples, groupsOf(kind), weights) };
  };
  const fit = (groups: readonly number[], prior: Float64Array) =>
    fitWeights(examples, groups, scale, prior);
  const known = Float64Array.from(FEATURES, (f, k) => (KNOWN[f] ?? 0) * (deviation[k] as number));
  const record = fit(groupsOf('coldRecord', 'warmRecord'), known);
  const criteria = fit(groupsOf('coldCriteria', 'warmCriteria'), record);
  const mean = record.map((weight, f) => (weight + (known[f] as number)) / 2);
  return {
    coldRecord: headOf('coldRecord', fit(groupsOf('coldRecord'), record)),
    warmRecord: headOf('warmRecord', mean),
    coldCriteria: headOf('coldCriteria', fit(groupsOf('coldCriteria'), criteria)),
    warmCriteria: headOf('warmCriteria', criteria),
  };
}

/** Weights per deviation: of all chosen candidates, then mostly of the reachable ones. */
function fitWeights(
  examples: Examples,
  groups: readonly number[],
  { deviation }: Scale,
  prior: Float64Array,
): Float64Array {
  const problem = { examples, groups, deviation, l2: L2, prior };
  const first = fitSoftmax(problem).map((weight, f) => weight / (deviation[f] as number));
  return fitSoftmax({ ...problem, emphasis: emphasisOf(examples, groups, first) });
}

function calibration(
  { rows, groupStart, label, weight }: Examples,
  groups: readonly number[],
  weights: Float64Array,
): Calibration {
  const candidates = groups.flatMap((g) => {
    const [from, to] = [groupStart[g] as number, groupStart[g + 1] as number];
    return Array.from({ length: to - from }, (_, k) => from + k);
  });
  return calibrate(
    Float64Array.from(candidates, (c) => scoreOf(weights, rows, c * weights.length)),
    Uint8Array.from(candidates, (c) => label[c] as number),
    Float32Array.from(candidates, (c) => weight[c] as number),
  );
}

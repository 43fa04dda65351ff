import { FEATURES } from '../features/features.ts';
import { type InvestmentData, UNKNOWN_DAY } from '../history/data.ts';
import { createTimeline, type Timeline } from '../history/timeline.ts';
import { calibrate } from './calibrate.ts';
import type { Examples } from './examples.ts';
import { makeExamples } from './make-examples.ts';
import { type Head, MODEL_FORMAT, type RankingModel } from './model.ts';
import { fitSoftmax, type Scale, scaleOf } from './softmax.ts';

/** Options of training; all have defaults. */
export interface TrainOptions {
  readonly seed?: number;
  /** Investments from this day on are not used; by default all dated ones are. */
  readonly before?: number;
  /** Called with each step of the training. */
  readonly onStep?: (step: string) => void;
}

const ORIGINS_MAX = 6;
const HORIZON_DAYS = 240;
const QUESTIONS_MAX = 600;
const CANDIDATES_MAX = 300;
/** Pull of the weights towards 0, and of the heads towards the shared weights, in questions. */
const L2 = 5;

/** First investments that an investor needs before a cut to be a candidate. */
export const EVENTS_MIN = 2;

/**
 * Learns a ranking from the dated investments before a day. Equal data and options give an equal
 * model. Needs no minimum of data: with none, the model ranks by activity.
 */
export function train(data: InvestmentData, options: TrainOptions = {}): RankingModel {
  return trainOn(createTimeline(data), options);
}

/** `train` for a timeline that exists already. */
export function trainOn(timeline: Timeline, options: TrainOptions = {}): RankingModel {
  const { seed = 1, onStep } = options;
  const before = options.before ?? nextDay(timeline);
  onStep?.('examples');
  const examples = makeExamples(timeline, {
    ...{ seed, end: before, originsMax: ORIGINS_MAX, horizonDays: HORIZON_DAYS },
    ...{ questionsMax: QUESTIONS_MAX, candidatesMax: CANDIDATES_MAX, eventsMin: EVENTS_MIN },
  });
  onStep?.('weights');
  const scale = scaleOf(examples);
  const groups = [...examples.isWarm.keys()];
  const shared = fitSoftmax(examples, groups, scale.deviation, L2, priorWeights());
  const headOf = (isWarm: 0 | 1): Head => {
    const own = groups.filter((g) => examples.isWarm[g] === isWarm);
    const weights = fitSoftmax(examples, own, scale.deviation, L2, shared);
    return finishHead(examples, own, scale, weights);
  };
  return {
    ...{ format: MODEL_FORMAT, features: FEATURES, means: [...scale.mean] },
    ...{ cold: headOf(0), warm: headOf(1), eventsMin: EVENTS_MIN, seed, before },
    ...{ questions: groups.length, rows: examples.label.length },
  };
}

/** The day after the last investment. */
export function nextDay(timeline: Timeline): number {
  return timeline.lastDay === UNKNOWN_DAY ? 0 : timeline.lastDay + 1;
}

function finishHead(
  examples: Examples,
  groups: readonly number[],
  scale: Scale,
  scaled: Float64Array,
): Head {
  const weights = scaled.map((w, f) => w / (scale.deviation[f] as number));
  const { features, rows, groupStart } = examples;
  const candidates = groups.flatMap((g) => {
    const from = groupStart[g] as number;
    return Array.from({ length: (groupStart[g + 1] as number) - from }, (_, k) => from + k);
  });
  const scores = Float64Array.from(candidates, (c) => {
    let score = 0;
    for (let f = 0; f < features; f++)
      score += (rows[c * features + f] as number) * (weights[f] as number);
    return score;
  });
  const labels = Uint8Array.from(candidates, (c) => examples.label[c] as number);
  const counts = Float32Array.from(candidates, (c) => examples.weight[c] as number);
  return { weights: [...weights], trees: [], ...calibrate(scores, labels, counts) };
}

/** Weights, per deviation, from which training starts and to which little data falls back. */
function priorWeights(): Float64Array {
  const known: Readonly<Record<string, number>> = { popularityFast: 0.5, tagLift: 0.2 };
  return Float64Array.from(FEATURES, (feature) => known[feature] ?? 0);
}

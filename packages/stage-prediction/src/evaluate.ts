import type { StageCompany } from './company.ts';
import { type Example, examplesBefore, outcomesAfter } from './examples.ts';
import { guess, isServed, type StageModel } from './model.ts';
import { type Share, share } from './share.ts';
import { trainStages } from './train.ts';

/** Predictions whose probability is in a range, with its mean. */
export interface Bin extends Share {
  readonly from: number;
  readonly meanProbability: number;
}

/** How predictions of a day compare with the rounds that came afterwards. */
export interface StageReport {
  readonly model: StageModel;
  /** All companies whose next round came and states its stage. */
  readonly all: Share;
  /** The same, predicted as the most frequent stage after the last one. */
  readonly baseline: Share;
  /** Those whose prediction is served. */
  readonly served: Share;
  /** Served, whether or not the next round states its stage; a round that does not is wrong. */
  readonly servedStrict: Share;
  readonly servedByStage: readonly (Share & { readonly stage: number })[];
  /** Served predictions a company; companies whose next round states no stage are not counted. */
  readonly coverage: number;
  /** Mean distance between probability and share right; of the greatest probability. */
  readonly calibrationError: number;
  /** Mean square error of the greatest probability. */
  readonly brier: number;
  readonly bins: readonly Bin[];
}

const BINS = 10;

/**
 * Trains on the rounds before `split` and compares the predictions of that day with the next round
 * of each company, if it came before `end`. The thresholds are chosen from rounds before `split`.
 */
export function evaluateStages(
  companies: readonly StageCompany[],
  split: number,
  end = Number.POSITIVE_INFINITY,
): StageReport {
  const model = trainStages(companies, split);
  const { examples, unnamed } = outcomesAfter(companies, split, end, model.gapDaysMax);
  const baseline = mostFrequentAfter(examplesBefore(companies, split));
  const made = examples.map(({ features, last, next }) => {
    const { stage, probability } = guess(model, features);
    const isRight = stage === next;
    return { stage, probability, isRight, isRightByBaseline: baseline(last) === next };
  });
  const served = made.filter((each) => isServed(model, each));
  const right = served.filter(({ isRight }) => isRight).length;
  const servedUnnamed = unnamed.filter((features) =>
    isServed(model, guess(model, features)),
  ).length;
  const bins = binsOf(made);
  return {
    model,
    all: shareOf(made, ({ isRight }) => isRight),
    baseline: shareOf(made, ({ isRightByBaseline }) => isRightByBaseline),
    served: share(right, served.length),
    servedStrict: share(right, served.length + servedUnnamed),
    servedByStage: model.stages.flatMap((stage) => {
      const ofStage = served.filter((each) => each.stage === stage);
      return ofStage.length === 0 ? [] : [{ stage, ...shareOf(ofStage, ({ isRight }) => isRight) }];
    }),
    coverage: made.length === 0 ? 0 : served.length / made.length,
    calibrationError: mean(
      bins.flatMap((bin) =>
        Array<number>(bin.of).fill(Math.abs(bin.meanProbability - bin.right / bin.of)),
      ),
    ),
    brier: mean(made.map(({ probability, isRight }) => (probability - Number(isRight)) ** 2)),
    bins,
  };
}

/** The stage that most often followed a stage. */
function mostFrequentAfter(
  examples: readonly Example[],
): (last: number | null) => number | undefined {
  const counts = new Map<number | null, Map<number, number>>();
  for (const { last, next, weight } of examples) {
    const row = counts.get(last) ?? new Map<number, number>();
    counts.set(last, row.set(next, (row.get(next) ?? 0) + weight));
  }
  return (last) => [...(counts.get(last) ?? [])].sort((a, b) => b[1] - a[1])[0]?.[0];
}

function binsOf(made: readonly { probability: number; isRight: boolean }[]): Bin[] {
  return Array.from({ length: BINS }, (_, bin) => {
    const inside = made.filter(
      ({ probability }) => Math.min(BINS - 1, Math.floor(probability * BINS)) === bin,
    );
    const meanProbability = mean(inside.map(({ probability }) => probability));
    return { from: bin / BINS, meanProbability, ...shareOf(inside, ({ isRight }) => isRight) };
  }).filter(({ of }) => of > 0);
}

function shareOf<T>(all: readonly T[], isRight: (each: T) => boolean): Share {
  return share(all.filter(isRight).length, all.length);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

export type { Estimate } from './evaluate/bootstrap.ts';
export { type EvaluateOptions, type EvaluationReport, evaluate } from './evaluate/evaluate.ts';
export { FACTOR_OF, FACTORS, type Factor, FEATURES } from './features/features.ts';
export * from './history/data.ts';
export { Growing } from './history/growing.ts';
export { type Lists, listOf, listsOf } from './history/lists.ts';
export { MODEL_FORMAT, type RankingModel } from './learn/model.ts';
export { type TrainOptions, train } from './learn/train.ts';
export {
  type Contribution,
  type Match,
  openRanker,
  type Ranker,
  type RankOptions,
} from './rank/ranker.ts';

import { FeatureSpace } from '../features/features.ts';
import type { InvestmentData } from '../history/data.ts';
import { createHistory } from '../history/history.ts';
import { type Question, questionsAfter, roundSought } from '../history/questions.ts';
import { Random } from '../history/random.ts';
import { type ResolvedQuery, resolveQuery } from '../history/resolve-query.ts';
import { createTimeline, type Timeline } from '../history/timeline.ts';
import { groupsOf } from '../learn/examples.ts';
import { candidatesOf } from '../learn/make-examples.ts';
import { headOf } from '../learn/model.ts';
import { scoreOf } from '../learn/score.ts';
import { EVENTS_MIN, examplesBefore, nextDay, trainOn } from '../learn/train.ts';
import { InvestorScorer } from '../rank/investor-scorer.ts';
import { BASELINES, type Scorer } from './baselines.ts';
import { bootstrap, type Estimate } from './bootstrap.ts';
import { METRICS, type Metrics, metricsOf } from './metrics.ts';
import { type BoostOptions, boost } from './trees/lambda-mart.ts';
import { predictTree } from './trees/tree.ts';

export interface EvaluateOptions {
  /** The first day of the test part; all before it is for training. */
  readonly split: number;
  /** The first day after the test part; by default the test part has no end. */
  readonly until?: number;
  readonly seed?: number;
  /** Investors with fewer first investments before the split are no candidates; 2 by default. */
  readonly eventsMin?: number;
  /** Measures a sample of so many questions, chosen by the seed; by default all. */
  readonly questionsMax?: number;
  /** Also trains and measures boosted trees (LambdaMART) on the same features. */
  readonly withTrees?: boolean;
}

/** Length of a list that the figures need. */
const TOP = 50;

type Estimates = Readonly<Record<keyof Metrics, Estimate>>;

export interface MethodReport {
  readonly name: string;
  readonly cold: Estimates;
  readonly warm: Estimates;
  /** NDCG@10 of the learnt ranking minus that of this method, question by question. */
  readonly behindBy: { readonly cold: Estimate; readonly warm: Estimate };
}

export interface EvaluationReport {
  readonly split: number;
  readonly until: number;
  readonly candidates: number;
  readonly questions: { readonly cold: number; readonly warm: number };
  /** The learnt ranking first, then the baselines. */
  readonly methods: readonly MethodReport[];
  readonly model: { readonly questions: number; readonly rows: number };
}

/** Names of the learnt methods in a report; the second is asked with the stage and amount sought. */
export const LEARNT = 'learnt ranking';
export const LEARNT_FOR_ROUND = 'learnt ranking, round sought';
export const TREES = 'boosted trees';

const BOOSTING: Omit<BoostOptions, 'seed'> = {
  ...{ trees: 120, rate: 0.05, leavesMax: 8, hessianMin: 5, l2: 10, featureShare: 0.4 },
};

/**
 * Trains on the investments before a day and measures the ranking on those from it on. A question is
 * a company that an investor newly joined from the split on: cold without an investor before, else
 * warm. Candidates are the investors with at least `eventsMin` first investments before the split,
 * except the company's own; relevant are those that joined. Undated investments are not used. One
 * method also has the stage and amount of the round sought, as a caller who raises one does.
 */
export function evaluate(data: InvestmentData, options: EvaluateOptions): EvaluationReport {
  const timeline = createTimeline(data);
  const { split, seed = 1, eventsMin = EVENTS_MIN } = options;
  const until = options.until ?? nextDay(timeline);
  const model = trainOn(timeline, { seed, before: split });
  const history = createHistory(timeline, split);
  const scorer = new InvestorScorer(new FeatureSpace(history));
  const all = questionsAfter(history, until, eventsMin);
  const { questionsMax = all.length } = options;
  const sample = new Set(new Random(seed).sample(questionsMax, all.length));
  const questions = all.filter((_, k) => sample.has(k));
  const candidates = candidatesOf(history, eventsMin);
  const learnt = featureScorer(scorer, (row, query) => scoreOf(headOf(model, query).weights, row));
  const scorers: Readonly<Record<string, Scorer>> = {
    ...{ [LEARNT]: learnt, [LEARNT_FOR_ROUND]: learnt },
    ...(options.withTrees && { [TREES]: treeScorer(timeline, scorer, split, seed) }),
    ...Object.fromEntries(Object.entries(BASELINES).map(([name, of]) => [name, of(history)])),
  };
  const measured = Object.entries(scorers).map(([name, scorer]) => ({
    name,
    figures: questions.map((question) => {
      const sought = name === LEARNT_FOR_ROUND ? roundSought(timeline, question) : {};
      const query = resolveQuery(timeline, { startup: question.startup, ...sought }, split);
      return measure(question, query, candidates, scorer);
    }),
  }));
  const ours = measured[0]?.figures ?? [];
  const side = (isWarm: boolean) =>
    [...questions.keys()].filter((k) => questions[k]?.isWarm === isWarm);
  const [cold, warm] = [side(false), side(true)];
  return {
    ...{ split, until, candidates: candidates.length },
    questions: { cold: cold.length, warm: warm.length },
    methods: measured.map(({ name, figures }) => ({
      name,
      cold: estimate(figures, cold, seed),
      warm: estimate(figures, warm, seed),
      behindBy: {
        cold: bootstrap(differences(ours, figures, cold), seed),
        warm: bootstrap(differences(ours, figures, warm), seed),
      },
    })),
    model: { questions: model.questions, rows: model.rows },
  };
}

/** Boosted trees on the same examples, to compare with. */
function treeScorer(
  timeline: Timeline,
  scorer: InvestorScorer,
  split: number,
  seed: number,
): Scorer {
  const examples = examplesBefore(timeline, split, seed);
  const scores = new Float64Array(examples.label.length);
  const groups = groupsOf(examples).filter((g) => examples.isByCriteria[g] === 0);
  const trees = boost(examples, groups, scores, { ...BOOSTING, seed });
  return featureScorer(scorer, (row) =>
    trees.reduce((score, tree) => score + predictTree(tree, row, 0), 0),
  );
}

/** Scores as serving does: investors whose features are not computed come last. */
function featureScorer(
  scorer: InvestorScorer,
  score: (row: Float64Array, query: ResolvedQuery) => number,
): Scorer {
  return (query, candidates) => {
    const scored = scorer.score(query, candidates, TOP, (row) => score(row, query));
    const scores = new Map(scored.investors.map((i, k) => [i, scored.scores[k] as number]));
    return Float64Array.from(candidates, (i) => scores.get(i) ?? Number.NEGATIVE_INFINITY);
  };
}

function measure(
  question: Question,
  query: ResolvedQuery,
  all: Uint32Array,
  scorer: Scorer,
): Metrics {
  const already = new Set(question.already);
  const candidates = all.filter((i) => !already.has(i));
  const scores = scorer(query, candidates);
  const order = candidates
    .map((_, k) => k)
    .sort((a, b) => compare(scores[b] as number, scores[a] as number) || a - b);
  return metricsOf(
    order.map((k) => candidates[k] as number),
    new Set(question.relevant),
  );
}

function estimate(figures: readonly Metrics[], of: readonly number[], seed: number): Estimates {
  const entries = METRICS.map((metric) => {
    const values = of.map((k) => figures[k]?.[metric] ?? 0);
    return [metric, bootstrap(values, seed)] as const;
  });
  return Object.fromEntries(entries) as Record<keyof Metrics, Estimate>;
}

function differences(
  ours: readonly Metrics[],
  theirs: readonly Metrics[],
  of: readonly number[],
): number[] {
  return of.map((k) => (ours[k]?.ndcg10 ?? 0) - (theirs[k]?.ndcg10 ?? 0));
}

/** The order of numbers that may be infinite. */
function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

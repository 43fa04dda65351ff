import { FEATURES, fillFeatures } from '../features/features.ts';
import type { InvestmentData } from '../history/data.ts';
import { createHistory } from '../history/history.ts';
import { type ResolvedQuery, resolveQuery } from '../history/query.ts';
import { type Question, questionsAfter, roundSought } from '../history/questions.ts';
import { Random } from '../history/random.ts';
import { createTimeline, nextDay } from '../history/timeline.ts';
import { candidatesOf, EVENTS_MIN } from '../learn/examples.ts';
import { headOf, scoreOf } from '../learn/model.ts';
import { trainOn } from '../learn/train.ts';
import { Shortlist } from '../rank/shortlist.ts';
import { bootstrap, type Estimate } from './bootstrap.ts';
import { METRICS, type Metrics, metricsOf } from './metrics.ts';

export interface EvaluateOptions {
  /** The first day of the test part; all before it is for training. */
  readonly split: number;
  /** The first day after the test part; by default the test part has no end. */
  readonly until?: number;
  readonly seed?: number;
  /** Measures a sample of so many questions, chosen by the seed; by default all. */
  readonly questionsMax?: number;
}

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
  /** The learnt ranking first. */
  readonly methods: readonly MethodReport[];
  readonly model: { readonly questions: number; readonly rows: number };
}

/** Length of a list that the figures need. */
const TOP = 50;

/** Names of the learnt ranking in a report; the second is asked with the stage and amount sought. */
const LEARNT = 'learnt ranking';
const LEARNT_FOR_ROUND = 'learnt ranking, round sought';

/** Methods to compare with: each is a feature. */
const BASELINES = { 'network diffusion': 'diffusion', popularity: 'popularity' } as const;

type Scorer = (row: Float64Array, query: ResolvedQuery) => number;

/**
 * Trains on the investments before a day and measures the ranking on those from it on. A question is
 * a company that an investor newly joined from the split on: cold without an investor before, else
 * warm. Candidates are the investors with at least two first investments before the split, except the
 * company's own; relevant are those that joined. Undated investments are not used. One method also
 * has the stage and amount of the round sought, as a caller who raises one does.
 */
export function evaluate(data: InvestmentData, options: EvaluateOptions): EvaluationReport {
  const timeline = createTimeline(data);
  const { split, seed = 1, until = nextDay(timeline) } = options;
  const model = trainOn(timeline, { seed, before: split });
  const history = createHistory(timeline, split);
  const shortlist = new Shortlist(history);
  const all = questionsAfter(history, until, EVENTS_MIN);
  const { questionsMax = all.length } = options;
  const sample = new Set(new Random(seed).sample(questionsMax, all.length));
  const questions = all.filter((_, k) => sample.has(k));
  const candidates = candidatesOf(history, EVENTS_MIN);
  const learnt: Scorer = (row, query) => scoreOf(headOf(model, query).weights, row);
  const scorers: readonly (readonly [string, Scorer])[] = [
    ...([LEARNT, LEARNT_FOR_ROUND].map((name) => [name, learnt]) as [string, Scorer][]),
    ...Object.entries(BASELINES).map(([name, feature]): [string, Scorer] => {
      const at = FEATURES.indexOf(feature);
      return [name, (row) => row[at] as number];
    }),
  ];
  const row = new Float64Array(FEATURES.length);
  const measure = (question: Question, name: string, scorer: Scorer): Metrics => {
    const sought = name === LEARNT_FOR_ROUND ? roundSought(timeline, question) : {};
    const query = resolveQuery(timeline, { startup: question.startup, ...sought }, split);
    const already = new Set(question.already);
    const listed = shortlist.investors(
      query,
      candidates.filter((i) => !already.has(i)),
      TOP,
    );
    const scored = listed.map((i) => {
      fillFeatures(history, query, i, row);
      return { i, score: scorer(row, query) };
    });
    scored.sort((a, b) => b.score - a.score || a.i - b.i);
    return metricsOf(
      scored.map(({ i }) => i),
      new Set(question.relevant),
    );
  };
  const measured = scorers.map(([name, scorer]) => ({
    name,
    figures: questions.map((question) => measure(question, name, scorer)),
  }));
  const ours = measured[0]?.figures ?? [];
  const sides = { cold: [] as number[], warm: [] as number[] };
  for (const [k, { isWarm }] of questions.entries()) sides[isWarm ? 'warm' : 'cold'].push(k);
  const { cold, warm } = sides;
  return {
    ...{ split, until, candidates: candidates.length },
    questions: { cold: cold.length, warm: warm.length },
    methods: measured.map(({ name, figures }) => ({
      ...{ name, cold: estimate(figures, cold, seed), warm: estimate(figures, warm, seed) },
      behindBy: {
        cold: bootstrap(differences(ours, figures, cold), seed),
        warm: bootstrap(differences(ours, figures, warm), seed),
      },
    })),
    model: { questions: model.questions, rows: model.rows },
  };
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

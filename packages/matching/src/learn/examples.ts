import { FEATURES, fillFeatures } from '../features/features.ts';
import type { Query } from '../history/data.ts';
import { Growing } from '../history/growing.ts';
import { createHistory, type History } from '../history/history.ts';
import { resolveQuery } from '../history/query.ts';
import { type Question, questionsAfter, roundSought } from '../history/questions.ts';
import { Random } from '../history/random.ts';
import type { Timeline } from '../history/timeline.ts';
import { type Kind, kindOf } from './model.ts';

/** Questions of the past are asked at so many days, so far apart. */
const ORIGINS_MAX = 6;
const HORIZON_DAYS = 240;
/** Questions of one origin. */
const QUESTIONS_MAX = 400;
/** Candidates of one question besides the chosen ones. */
const CANDIDATES_MAX = 80;
/** The share of questions that are also asked by criteria, and of properties that these have. */
const VARIANTS = 0.35;
const KEPT = 0.6;

/** First investments that an investor needs before a cut to be a candidate. */
export const EVENTS_MIN = 2;

/** Groups of candidates of which some were chosen, with the features of each. */
export interface Examples {
  /** Row-major: candidate c has `FEATURES.length` numbers from `c * FEATURES.length`. */
  readonly rows: Float32Array;
  /** Candidates of group g: from `groupStart[g]` up to `groupStart[g + 1]`. */
  readonly groupStart: Uint32Array;
  /** 1 for a chosen candidate. */
  readonly label: Uint8Array;
  /** How many candidates a row stands for: more than 1 for one drawn from many. */
  readonly weight: Float32Array;
  /** The kind of the query of each group. */
  readonly kinds: readonly Kind[];
}

/** Questions before a day with their answers: features are from before the origin of each. */
export function examplesBefore(timeline: Timeline, before: number, seed: number): Examples {
  const collector = new Collector();
  for (let origin = 0; origin < ORIGINS_MAX; origin++) {
    const until = before - origin * HORIZON_DAYS;
    const cut = until - HORIZON_DAYS;
    if (cut <= timeline.firstDay) break;
    const history = createHistory(timeline, cut);
    const random = new Random(seed + origin);
    const all = questionsAfter(history, until, EVENTS_MIN);
    const candidates = candidatesOf(history, EVENTS_MIN);
    for (const k of random.sample(QUESTIONS_MAX, all.length)) {
      const question = all[k];
      if (question === undefined) continue;
      const drawn = drawCandidates(history, question, candidates, random);
      const record = { startup: question.startup };
      const sought = roundSought(timeline, question);
      collector.add(history, record, drawn);
      if (sought.stage || sought.amountUsd) collector.add(history, { ...record, ...sought }, drawn);
      if (random.unit() >= VARIANTS) continue;
      collector.add(history, varyQuery(timeline, question, random), drawn);
    }
  }
  return collector.finish();
}

/** Investors with at least `eventsMin` events before the cut, ascending. */
export function candidatesOf({ plain }: History, eventsMin: number): Uint32Array {
  return Uint32Array.from(plain.keys()).filter((i) => (plain[i] as number) >= eventsMin);
}

/**
 * The query of a question as a caller may state it: with the stage and amount sought, and for a
 * company without investors as criteria of which some are left out.
 */
function varyQuery(timeline: Timeline, question: Question, random: Random): Query {
  const keeps = () => random.unit() < KEPT;
  const { stage, amountUsd } = roundSought(timeline, question);
  const sought = { ...(keeps() && { stage }), ...(keeps() && { amountUsd }) };
  const startup = timeline.data.startups[question.startup];
  if (question.isWarm || startup === undefined) return { startup: question.startup, ...sought };
  const { tags, country, region, city, founded } = startup;
  const hasCountry = keeps();
  const hasRegion = hasCountry && keeps();
  return {
    ...sought,
    ...(keeps() && { tags }),
    ...(hasCountry && { country }),
    ...(hasRegion && { region }),
    ...(hasRegion && keeps() && { city }),
    ...(keeps() && { founded }),
  };
}

interface Drawn {
  readonly investor: number;
  readonly isChosen: boolean;
  readonly weight: number;
}

/** The chosen investors, and others: half at random, half in proportion to their activity. */
function drawCandidates(
  { fast }: History,
  question: Question,
  candidates: Uint32Array,
  random: Random,
): Drawn[] {
  const chosen = new Set(question.relevant);
  const already = new Set(question.already);
  const others = candidates.filter((i) => !chosen.has(i) && !already.has(i));
  const activity = others.reduce((sum, i) => sum + (fast[i] as number), 0);
  const share = CANDIDATES_MAX / 2;
  const drawn = [...others].flatMap((investor): Drawn[] => {
    const byActivity = (share * (fast[investor] as number)) / Math.max(activity, 1e-9);
    const probability = Math.min(1, share / others.length + byActivity);
    if (random.unit() >= probability) return [];
    return [{ investor, isChosen: false, weight: 1 / probability }];
  });
  return [
    ...question.relevant.map((investor) => ({ investor, isChosen: true, weight: 1 })),
    ...drawn,
  ];
}

class Collector {
  readonly #rows = new Growing(Float32Array);
  readonly #starts = new Growing(Uint32Array);
  readonly #labels = new Growing(Uint8Array);
  readonly #weights = new Growing(Float32Array);
  readonly #kinds: Kind[] = [];
  readonly #row = new Float32Array(FEATURES.length);

  add(history: History, asked: Query, drawn: readonly Drawn[]): void {
    const query = resolveQuery(history.timeline, asked, history.cut);
    this.#starts.push(this.#labels.length);
    for (const { investor, isChosen, weight } of drawn) {
      fillFeatures(history, query, investor, this.#row);
      for (const x of this.#row) this.#rows.push(x);
      this.#labels.push(isChosen ? 1 : 0);
      this.#weights.push(weight);
    }
    this.#kinds.push(kindOf(query));
  }

  finish(): Examples {
    this.#starts.push(this.#labels.length);
    return {
      ...{ rows: this.#rows.done(), groupStart: this.#starts.done(), label: this.#labels.done() },
      ...{ weight: this.#weights.done(), kinds: this.#kinds },
    };
  }
}

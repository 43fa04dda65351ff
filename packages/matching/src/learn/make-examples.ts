import { FEATURES, FeatureSpace } from '../features/features.ts';
import type { Query } from '../history/data.ts';
import { GrowingFloat32, GrowingUint32 } from '../history/growing.ts';
import { createHistory, type History } from '../history/history.ts';
import { type Question, questionsAfter, roundSought } from '../history/questions.ts';
import { Random } from '../history/random.ts';
import { resolveQuery } from '../history/resolve-query.ts';
import type { Timeline } from '../history/timeline.ts';
import type { Examples } from './examples.ts';
import { varyQuery } from './vary-query.ts';

/** The share of the questions that are also asked by criteria of which some are left out. */
const VARIANTS = 0.35;

export interface ExampleOptions {
  readonly seed: number;
  /** Last day, exclusive, of anything that is used. */
  readonly end: number;
  readonly originsMax: number;
  readonly horizonDays: number;
  /** Questions of one origin. */
  readonly questionsMax: number;
  /** Candidates of one question besides the chosen ones. */
  readonly candidatesMax: number;
  /** Events that an investor needs before the cut to be a candidate. */
  readonly eventsMin: number;
}

/**
 * Questions of the past with their answers. Each origin is a day: features are from before it,
 * answers from the days after it, and the answers of the latest origin end at `options.end`.
 */
export function makeExamples(timeline: Timeline, options: ExampleOptions): Examples {
  const collector = new Collector();
  for (let origin = 0; origin < options.originsMax; origin++) {
    const until = options.end - origin * options.horizonDays;
    const cut = until - options.horizonDays;
    if (cut <= timeline.firstDay) break;
    const history = createHistory(timeline, cut);
    const space = new FeatureSpace(history);
    const random = new Random(options.seed + origin);
    const all = questionsAfter(history, until, options.eventsMin);
    const candidates = candidatesOf(history, options.eventsMin);
    for (const k of random.sample(options.questionsMax, all.length)) {
      const question = all[k];
      if (question === undefined) continue;
      const drawn = drawCandidates(history, question, candidates, options, random);
      const record = { startup: question.startup };
      const sought = roundSought(timeline, question);
      collector.add(space, record, question, drawn);
      if (sought.stage || sought.amountUsd) {
        collector.add(space, { ...record, ...sought }, question, drawn);
      }
      if (random.unit() >= VARIANTS) continue;
      collector.add(space, varyQuery(timeline, question, random), question, drawn);
    }
  }
  return collector.finish();
}

/** Investors with at least `eventsMin` events before the cut, ascending. */
export function candidatesOf(history: History, eventsMin: number): Uint32Array {
  return Uint32Array.from(history.plain.keys()).filter(
    (i) => (history.plain[i] as number) >= eventsMin,
  );
}

interface Drawn {
  readonly investor: number;
  readonly isChosen: boolean;
  readonly weight: number;
}

/** The chosen investors, and others: half at random, half in proportion to their activity. */
function drawCandidates(
  history: History,
  question: Question,
  candidates: Uint32Array,
  options: ExampleOptions,
  random: Random,
): Drawn[] {
  const chosen = new Set(question.relevant);
  const already = new Set(question.already);
  const others = candidates.filter((i) => !chosen.has(i) && !already.has(i));
  const drawn: Drawn[] = question.relevant.map((investor) => ({
    ...{ investor, isChosen: true, weight: 1 },
  }));
  let activity = 0;
  for (const i of others) activity += history.fast[i] as number;
  const share = options.candidatesMax / 2;
  for (const investor of others) {
    const even = share / others.length;
    const byActivity = (share * (history.fast[investor] as number)) / Math.max(activity, 1e-9);
    const probability = Math.min(1, even + byActivity);
    if (random.unit() >= probability) continue;
    drawn.push({ investor, isChosen: false, weight: 1 / probability });
  }
  return drawn;
}

class Collector {
  readonly #rows = new GrowingFloat32();
  readonly #starts = new GrowingUint32();
  readonly #labels: number[] = [];
  readonly #weights = new GrowingFloat32();
  readonly #warm: number[] = [];
  readonly #byCriteria: number[] = [];
  readonly #row = new Float32Array(FEATURES.length);

  add(space: FeatureSpace, query: Query, question: Question, drawn: readonly Drawn[]): void {
    const { timeline, cut } = space.history;
    const resolved = resolveQuery(timeline, query, cut);
    space.setQuery(resolved);
    this.#starts.push(this.#labels.length);
    for (const { investor, isChosen, weight } of drawn) {
      space.fill(investor, this.#row, 0);
      for (const x of this.#row) this.#rows.push(x);
      this.#labels.push(isChosen ? 1 : 0);
      this.#weights.push(weight);
    }
    this.#warm.push(question.isWarm ? 1 : 0);
    this.#byCriteria.push(resolved.isByCriteria ? 1 : 0);
  }

  finish(): Examples {
    this.#starts.push(this.#labels.length);
    return {
      features: FEATURES.length,
      rows: this.#rows.toArray(),
      groupStart: this.#starts.toArray(),
      label: Uint8Array.from(this.#labels),
      weight: this.#weights.toArray(),
      isWarm: Uint8Array.from(this.#warm),
      isByCriteria: Uint8Array.from(this.#byCriteria),
    };
  }
}

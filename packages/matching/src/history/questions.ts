import type { Query } from './data.ts';
import type { History } from './history.ts';
import { listOf } from './lists.ts';
import type { Timeline } from './timeline.ts';

/** A company that found investors after a cut, as a question whose answers are known. */
export interface Question {
  readonly startup: number;
  /** Whether it had an investor before the cut. */
  readonly isWarm: boolean;
  /** Investors that joined from the cut on, and were active before it; ascending. */
  readonly relevant: readonly number[];
  /** Investors that had invested before the cut; ascending. They are not candidates. */
  readonly already: readonly number[];
  /** Row of the first investment after the cut. */
  readonly row: number;
}

/**
 * The companies that new investors joined from `history.cut` to `until`, exclusive. Candidates are
 * the investors with at least `eventsMin` events before the cut; a company that none of them joined is left out.
 */
export function questionsAfter(history: History, until: number, eventsMin: number): Question[] {
  const { timeline, cut, plain } = history;
  const { day, investor } = timeline.data.investments;
  const questions: Question[] = [];
  for (const startup of timeline.data.startups.keys()) {
    const already = new Set<number>();
    const relevant = new Set<number>();
    let first = -1;
    for (const row of listOf(timeline.companies, startup)) {
      const i = investor[row] as number;
      const on = day[row] as number;
      if (on < cut) already.add(i);
      else if (on < until && !already.has(i) && (plain[i] as number) >= eventsMin) {
        relevant.add(i);
        if (first < 0) first = row;
      }
    }
    if (relevant.size === 0) continue;
    questions.push({
      ...{ startup, isWarm: already.size > 0, row: first },
      relevant: [...relevant].sort((a, b) => a - b),
      already: [...already].sort((a, b) => a - b),
    });
  }
  return questions;
}

/** The stage and amount of the round that a company of a question then raised; 0 and NaN if unknown. */
export function roundSought(
  { data }: Timeline,
  { row }: Question,
): Pick<Query, 'stage' | 'amountUsd'> {
  const { stage, amountUsd } = data.investments;
  return { stage: stage[row] as number, amountUsd: amountUsd[row] as number };
}

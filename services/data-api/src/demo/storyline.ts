import type { ImportLine } from '@vcds/importer';
import type { WorldPlan } from './plan.ts';
import { Random, streams } from './random.ts';
import type { Stamp } from './stamp.ts';
import { type Startup, startupOf, statusOf } from './startups.ts';

/** Where a step of a story is told. */
export interface Occasion {
  readonly plan: WorldPlan;
  /** The index of the startup or fund it is told of. */
  readonly index: number;
  /** The day of this step, and the stamp of its lines. */
  readonly day: number;
  readonly stamp: Stamp;
  /** The day on which the story began. */
  readonly begun: number;
}

/** One thing that happens to a subject. */
export interface Step {
  /** Days after the beginning of the story. */
  readonly afterDays: number;
  /** The lines of it; none where it does not apply to the subject. */
  readonly tell: (occasion: Occasion) => Iterable<ImportLine>;
}

/** A kind of story. */
export interface Storyline {
  readonly name: string;
  /** Of the subjects, from 0 to 1; those of all storylines together stay below 1. */
  readonly share: number;
  readonly steps: readonly Step[];
}

/** The startup that a story is told of, as it was when the history began. */
export const subjectOf = ({ plan, index }: Occasion): Startup => startupOf(plan, index);

/** Draws that belong to the story of a startup; `part` keeps its steps apart. */
export function luck({ plan, index }: Occasion, part: number): Random {
  return new Random(plan.seed, streams.story, index, part);
}

/** Whether it had been closed by then. */
export const isClosed = ({ plan, index }: Occasion, startup: Startup): boolean =>
  statusOf(plan, index, startup.rounds).OperatingStatus === 'Closed';

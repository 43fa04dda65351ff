/** A share of one processor that work may take for nothing. */
export interface ProcessorShare {
  /** The part of a processor, above 0 and at most 1. */
  readonly part: number;
  /** Milliseconds of processor time beyond it that may be used at once. */
  readonly burstMs: number;
  /** The longest time in milliseconds for which past work blocks further work. */
  readonly blockedMsMax: number;
}

/**
 * The generic cell rate algorithm with processor time as its cost. The whole state is the time at
 * which the share has paid for all past work; initially any time in the past.
 *
 * @param paidAtMs the state. @param workMs processor time of the new work.
 * @returns the next state.
 */
export function afterWork(
  paidAtMs: number,
  workMs: number,
  nowMs: number,
  { part, burstMs, blockedMsMax }: ProcessorShare,
): number {
  const paid = Math.max(paidAtMs, nowMs) + workMs / part;
  return Math.min(paid, nowMs + burstMs / part + blockedMsMax);
}

/** Milliseconds until further work may begin; 0: at once. */
export function waitMsOf(
  paidAtMs: number,
  nowMs: number,
  { part, burstMs }: Pick<ProcessorShare, 'part' | 'burstMs'>,
): number {
  return Math.max(0, paidAtMs - nowMs - burstMs / part);
}

/** The processor time of one request. */
export interface Measured {
  add(processorMs: number): void;
}

/** Measures the time that the event loop works for each request. */
export type LoopMeter = ReturnType<typeof createLoopMeter>;

/** The clocks of a meter, in milliseconds. */
export interface LoopClocks {
  readonly now: () => number;
  /** Processor time of the process. */
  readonly processor: () => number;
}

const CLOCKS: LoopClocks = {
  now: () => performance.now(),
  processor: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
};

/**
 * Attributes the time of the event loop to requests. A request calls `resume` where its code
 * continues after an event: it began, its body arrived, a store replied. The time from there to the
 * next such call, or to the end of the turn of the loop, is its own; without the part in which the
 * process had no processor. Node can measure this exactly with hooks on every promise, which cost more
 * than a small request.
 */
export function createLoopMeter({ now, processor }: LoopClocks = CLOCKS) {
  /** The parts of this turn. */
  const parts: { readonly of: Measured; ms: number }[] = [];
  let sinceMs = 0;
  let turn: { readonly atMs: number; readonly processorMs: number } | undefined;
  const endPart = (nowMs: number): void => {
    const last = parts.at(-1);
    if (last !== undefined) last.ms = nowMs - sinceMs;
    sinceMs = nowMs;
  };
  const endTurn = (): void => {
    const nowMs = now();
    endPart(nowMs);
    const wallMs = nowMs - (turn?.atMs ?? nowMs);
    const processorMs = processor() - (turn?.processorMs ?? 0);
    const share = wallMs === 0 ? 0 : Math.min(1, processorMs / wallMs);
    turn = undefined;
    for (const { of, ms } of parts.splice(0)) of.add(ms * share);
  };
  return {
    resume: (of: Measured): void => {
      const nowMs = now();
      endPart(nowMs);
      parts.push({ of, ms: 0 });
      if (turn !== undefined) return;
      turn = { atMs: nowMs, processorMs: processor() };
      // Runs after the events of this turn and before the loop waits for the next ones.
      setImmediate(endTurn);
    },
  };
}

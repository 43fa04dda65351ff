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
 * A turn shorter than this is its own as a whole: a process that loses its processor waits longer. To read the processor
 * time of a process takes as long as a part of a small request, so that reading it in each turn would be a load.
 */
const SHORT_TURN_MS = 1;
/** For so long the processor time that was read last is that before a turn. */
const SAMPLE_MS_MAX = 10;

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
  let turnAtMs: number | undefined;
  /** The processor time that was read last, and the short turns after it. */
  let sample = { atMs: Number.NEGATIVE_INFINITY, processorMs: 0, shortTurnsMs: 0 };
  const endPart = (nowMs: number): void => {
    const last = parts.at(-1);
    if (last !== undefined) last.ms = nowMs - sinceMs;
    sinceMs = nowMs;
  };
  const takeSample = (atMs: number): void => {
    sample = { atMs, processorMs: processor(), shortTurnsMs: 0 };
  };
  const processorShare = (wallMs: number, nowMs: number): number => {
    if (wallMs < SHORT_TURN_MS) {
      sample.shortTurnsMs += wallMs;
      return 1;
    }
    const { processorMs, shortTurnsMs } = sample;
    takeSample(nowMs);
    const ownMs = sample.processorMs - processorMs - shortTurnsMs;
    return Math.min(1, Math.max(0, ownMs) / wallMs);
  };
  const endTurn = (): void => {
    const nowMs = now();
    endPart(nowMs);
    const share = processorShare(nowMs - (turnAtMs ?? nowMs), nowMs);
    turnAtMs = undefined;
    for (const { of, ms } of parts.splice(0)) of.add(ms * share);
  };
  return {
    resume: (of: Measured): void => {
      const nowMs = now();
      endPart(nowMs);
      parts.push({ of, ms: 0 });
      if (turnAtMs !== undefined) return;
      turnAtMs = nowMs;
      if (nowMs - sample.atMs > SAMPLE_MS_MAX) takeSample(nowMs);
      // Runs after the events of this turn and before the loop waits for the next ones.
      setImmediate(endTurn);
    },
  };
}

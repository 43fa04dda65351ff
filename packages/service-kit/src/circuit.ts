import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel';

/** Calls fail at once because the last ones went unanswered; nothing was sent. */
export class CircuitOpenError extends Error {
  override readonly name = 'CircuitOpenError';
}

export interface CircuitOptions {
  /** Named in the error of calls that are refused. */
  readonly name: string;
  /** A cheap idempotent call that succeeds once the other side answers again. */
  readonly probe: () => Promise<unknown>;
  /** Whether an error means that the other side is away. Default: every error does. */
  readonly isOutage?: (error: Error) => boolean;
  readonly onOpen?: () => void;
  readonly onClose?: () => void;
  /** Outages in a row that open the circuit. Default 3. */
  readonly failuresMax?: number;
  /** Milliseconds from one failed probe to the next. Default 250. */
  readonly probeEveryMs?: number;
}

/** A circuit breaker: after repeated failures, calls are refused until a probe succeeds. */
export interface Circuit {
  readonly isOpen: boolean;
  /**
   * Runs `work`, which starts before this returns.
   *
   * @throws CircuitOpenError while the circuit is open; otherwise whatever `work` throws.
   */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Ends probing. */
  stop(): void;
}

const FAILURES_MAX = 3;
const PROBE_EVERY_MS = 250;
// The timer below alone decides when to probe: a wall clock set back must not delay it.
const WHENEVER_PROBED = Number.NEGATIVE_INFINITY;

/**
 * A circuit breaker whose half-open state is a probe in the background, so that no caller waits
 * for it: while the circuit is open every call is refused at once, and recovery needs no traffic.
 */
export function createCircuit(options: CircuitOptions): Circuit {
  const { name, probe, isOutage = () => true, onOpen, onClose } = options;
  const policy = circuitBreaker(handleWhen(isOutage), {
    halfOpenAfter: WHENEVER_PROBED,
    breaker: new ConsecutiveBreaker(options.failuresMax ?? FAILURES_MAX),
  });
  let timer: NodeJS.Timeout | undefined;
  let isAnnounced = false;
  let isStopped = false;

  policy.onBreak(() => {
    // Also after each failed probe.
    if (!isAnnounced) onOpen?.();
    isAnnounced = true;
    if (isStopped) return;
    clearTimeout(timer);
    timer = setTimeout(runProbe, options.probeEveryMs ?? PROBE_EVERY_MS).unref();
  });
  policy.onReset(() => {
    isAnnounced = false;
    onClose?.();
  });
  const runProbe = (): void => {
    policy.execute(probe).catch(() => undefined);
  };

  return {
    get isOpen() {
      return policy.state !== CircuitState.Closed;
    },
    run: async (work) => {
      if (policy.state !== CircuitState.Closed) {
        throw new CircuitOpenError(`${name} did not answer the last calls; it is probed.`);
      }
      return policy.execute(work);
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

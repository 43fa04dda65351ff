import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel';

/** The circuit is open: the call failed at once and nothing was sent. */
export class CircuitOpenError extends Error {
  override readonly name = 'CircuitOpenError';
}

export interface CircuitOptions {
  /** The dependency, as named in the error of rejected calls. */
  readonly name: string;
  /** A cheap idempotent call that succeeds once the dependency responds again. */
  readonly probe: () => Promise<unknown>;
  /** Whether an error means that the dependency is unavailable. Default: every error does. */
  readonly isOutage?: (error: Error) => boolean;
  readonly onOpen?: () => void;
  readonly onClose?: () => void;
  /** Consecutive outages that open the circuit. Default 3. */
  readonly failuresMax?: number;
  /** Milliseconds from one failed probe to the next. Default 250. */
  readonly probeEveryMs?: number;
}

const FAILURES_MAX = 3;
const PROBE_EVERY_MS = 250;
// Only the timer below decides when to probe: a wall clock that is set back must not delay it.
const HALF_OPEN_AT_ONCE = Number.NEGATIVE_INFINITY;

/**
 * A circuit breaker: after repeated failures, it rejects calls until a probe succeeds. Its half-open
 * state is a probe in the background, so that no caller waits for it: an open circuit rejects every
 * call at once, and recovery needs no traffic.
 */
export function createCircuit(options: CircuitOptions) {
  const { name, probe, isOutage = () => true, onOpen, onClose } = options;
  const policy = circuitBreaker(handleWhen(isOutage), {
    halfOpenAfter: HALF_OPEN_AT_ONCE,
    breaker: new ConsecutiveBreaker(options.failuresMax ?? FAILURES_MAX),
  });
  let timer: NodeJS.Timeout | undefined;
  let isAnnounced = false;
  let isStopped = false;

  policy.onBreak(() => {
    // Also called after each failed probe.
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
    /**
     * Runs `work`, which starts before this returns.
     *
     * @throws CircuitOpenError while the circuit is open; otherwise any error of `work`.
     */
    run: async <T>(work: () => Promise<T>): Promise<T> => {
      if (policy.state !== CircuitState.Closed) {
        throw new CircuitOpenError(`${name} does not respond; it is probed in the background.`);
      }
      return policy.execute(work);
    },
    /** Stops probing. */
    stop: (): void => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** A call that takes this long is always logged. */
const SLOW_MS = 1_000;
const ERROR_STATUS_MIN = 400;

/** A finished call, as the access log describes it. */
interface FinishedCall {
  readonly method: string;
  /** The path pattern, so the number of routes is bounded. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}

/**
 * Selects the calls to log: every error, every call that took a second, and of the others of each
 * route the first and then one in `oneIn`.
 *
 * @param oneIn 1 logs every call.
 * @returns the number of calls that the line stands for; 0: no line.
 */
export function createCallSample(oneIn: number): (call: FinishedCall) => number {
  const counts = new Map<string, number>();
  return ({ method, route, status, ms }) => {
    if (oneIn <= 1 || status >= ERROR_STATUS_MIN || ms >= SLOW_MS) return 1;
    const name = `${method} ${route}`;
    const count = counts.get(name) ?? 0;
    counts.set(name, (count + 1) % oneIn);
    return count === 0 ? oneIn : 0;
  };
}

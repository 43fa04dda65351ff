import { type Clock, systemClock } from './clock.ts';

/** A call that takes this long is always logged. */
const SLOW_MS = 1_000;
const ERROR_STATUS_MIN = 400;
const SERVER_ERROR_MIN = 500;
/** Lines about errors of one account or network: at once, and then each second. */
const ERRORS_AT_ONCE = 50;
const ERRORS_PER_SECOND = 1;
/** The same for all clients together. */
const ALL_AT_ONCE = 1_000;
const ALL_PER_SECOND = 20;
const SUBJECTS_MAX = 10_000;

/** A finished call, as the access log describes it. */
interface FinishedCall {
  readonly method: string;
  /** The path pattern, so the number of routes is bounded. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  /** The account, else the network. */
  readonly subject: string;
}

/** Lines that may be written now, and calls without a line since the last one. */
interface Budget {
  lines: number;
  atMs: number;
  omitted: number;
}

/**
 * Selects the calls to log: every error of this service, every call that took a second, the first 50
 * errors of a client and then one a second (1,000 and then 20 a second of all clients), so that no
 * client can rotate the log away; and of the others of each route the first and then one in `oneIn`.
 *
 * @param oneIn 1 logs every call that is no error.
 * @returns the number of calls that the line stands for; 0: no line.
 */
export function createCallSample(
  oneIn: number,
  clock: Clock = systemClock,
): (call: FinishedCall) => number {
  const counts = new Map<string, number>();
  const subjects = new Map<string, Budget>();
  const all = budget(ALL_AT_ONCE);
  const ofClient = (subject: string): number => {
    const nowMs = clock.monotonicMs();
    let own = subjects.get(subject);
    if (own === undefined) {
      if (subjects.size >= SUBJECTS_MAX) subjects.clear();
      own = { ...budget(ERRORS_AT_ONCE), atMs: nowMs };
      subjects.set(subject, own);
    }
    refill(own, ERRORS_AT_ONCE, ERRORS_PER_SECOND, nowMs);
    refill(all, ALL_AT_ONCE, ALL_PER_SECOND, nowMs);
    own.omitted += 1;
    if (own.lines < 1 || all.lines < 1) return 0;
    own.lines -= 1;
    all.lines -= 1;
    const { omitted } = own;
    own.omitted = 0;
    return omitted;
  };
  return ({ method, route, status, ms, subject }) => {
    if (ms >= SLOW_MS || status >= SERVER_ERROR_MIN) return 1;
    if (status >= ERROR_STATUS_MIN) return ofClient(subject);
    if (oneIn <= 1) return 1;
    const name = `${method} ${route}`;
    const count = counts.get(name) ?? 0;
    counts.set(name, (count + 1) % oneIn);
    return count === 0 ? oneIn : 0;
  };
}

function budget(lines: number): Budget {
  return { lines, atMs: 0, omitted: 0 };
}

function refill(of: Budget, linesMax: number, perSecond: number, nowMs: number): void {
  of.lines = Math.min(linesMax, of.lines + ((nowMs - of.atMs) / 1_000) * perSecond);
  of.atMs = nowMs;
}

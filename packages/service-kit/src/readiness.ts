import { Gauge, type Registry } from 'prom-client';
import type { Logger } from './logger.ts';
import { reasonOf } from './outage-log.ts';
import { shared, within } from './within.ts';

const CHECK_MS_MAX = 2_000;
const TIMED_OUT = `no response within ${CHECK_MS_MAX} ms`;

/** Checks a dependency: resolves if it works, rejects (or takes more than 2 s) if not. */
export type ReadinessCheck = () => Promise<unknown>;
export type ReadinessChecks = Readonly<Record<string, ReadinessCheck>>;

/** The store responded, and this process cannot serve with it, such as without its migrations. */
export class NotServingError extends Error {
  override readonly name = 'NotServingError';
}

export interface ReadinessOptions {
  readonly logger: Logger;
  readonly registry: Registry;
  /** Needs of this process to serve at all; `/ready` fails while one of them fails. */
  readonly checks?: ReadinessChecks;
  /**
   * Stores that all processes share. Each has to pass once, so that a process with a wrong address never
   * receives calls. After that an outage is only reported: every process would fail at the same
   * time, and a load balancer without any could not send the service's own 503 of the calls that
   * need the store, nor the calls that do not. A `NotServingError` always fails `/ready`.
   */
  readonly stores?: ReadinessChecks;
  readonly isStopping?: () => boolean;
}

export interface ReadinessReport {
  readonly ready: boolean;
  /** By name: `ok` or `failed`. */
  readonly checks: Readonly<Record<string, string>>;
  readonly stopping: boolean;
}

interface Outcome {
  readonly passed: boolean;
  readonly blocks: boolean;
}

/** The report of `/ready`, in at most 2 s; `vcds_check_passed{check}` has the same at each scrape. */
export function createReadiness(options: ReadinessOptions): () => Promise<ReadinessReport> {
  const { logger, registry, checks = {}, stores = {}, isStopping = () => false } = options;
  const probes = new Map([
    ...Object.entries(checks).map(([name, check]) => [name, probe(check, true)] as const),
    ...Object.entries(stores).map(([name, check]) => [name, probe(check, false)] as const),
  ]);
  const report = changedOutcomes(logger);
  const outcomes = () =>
    Promise.all(
      [...probes].map(async ([name, run]): Promise<[string, Outcome]> => {
        const { reason, ...outcome } = await run();
        report(name, reason ?? 'ok');
        return [name, outcome];
      }),
    );
  new Gauge({
    name: 'vcds_check_passed',
    help: 'Whether a check of /ready, or of a store that it reports, passes.',
    labelNames: ['check'],
    registers: [registry],
    async collect() {
      for (const [check, { passed }] of await outcomes()) this.set({ check }, passed ? 1 : 0);
    },
  });
  return async () => {
    const results = await outcomes();
    const stopping = isStopping();
    return {
      ready: !stopping && results.every(([, { blocks }]) => !blocks),
      checks: Object.fromEntries(results.map(([name, { passed }]) => [name, word(passed)])),
      stopping,
    };
  };
}

const word = (passed: boolean): string => (passed ? 'ok' : 'failed');

/** Runs a check for all probes at once, each of which waits for 2 s at most. */
function probe(check: ReadinessCheck, isOwn: boolean) {
  const run = shared(check);
  let hasPassed = false;
  return async (): Promise<Outcome & { readonly reason?: string }> => {
    try {
      await within(CHECK_MS_MAX, run(), TIMED_OUT);
      hasPassed = true;
      return { passed: true, blocks: false };
    } catch (error) {
      const blocks = isOwn || !hasPassed || error instanceof NotServingError;
      return { passed: false, blocks, reason: reasonOf(error) };
    }
  };
}

/** Rejects, within 2 s, as the check does. */
export const checkInTime = (check: ReadinessCheck): Promise<unknown> =>
  within(CHECK_MS_MAX, check(), TIMED_OUT);

/** Probes come every few seconds: only a changed outcome is logged. */
export function changedOutcomes(logger: Logger) {
  const outcomes = new Map<string, string>();
  return (check: string, outcome: string): void => {
    if (outcomes.get(check) === outcome) return;
    outcomes.set(check, outcome);
    logger.info({ check, outcome }, 'readiness check');
  };
}

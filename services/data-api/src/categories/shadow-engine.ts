import { createOutageLog, type Logger } from '@vcds/service-kit';
import { Counter, type Registry } from 'prom-client';
import type { LoadedFacetEngine } from './facet-schema.ts';

/** Calls that are repeated at a time; others are not. */
const REPEATED_MAX = 2;
const QUERY_LENGTH_MAX = 2_000;
/** Sums of the same numbers in another order have as many digits in common. */
const DIGITS = 10;

interface ShadowOptions {
  /** Answers. */
  readonly engine: LoadedFacetEngine;
  /** Is compared with it. */
  readonly other: LoadedFacetEngine;
  /** Of the calls that are repeated, 0 to 1. */
  readonly share: number;
  readonly registry: Registry;
  readonly logger: Logger;
}

/**
 * An engine whose answers are compared with those of another one: of a share of the calls, after they are
 * answered. Differences are counted, and logged with their query, at most once in ten seconds.
 */
export function shadowed(options: ShadowOptions): LoadedFacetEngine {
  const { engine, other, share, registry, logger } = options;
  const calls = new Counter({
    name: 'vcds_facet_shadow_calls_total',
    help:
      'Calls that both engines answered: equal, different, moved (different, but so is the data), ' +
      'failed (the other engine), skipped (too many at once).',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const differences = createOutageLog();
  const repeated = new Set<Promise<void>>();
  const compare = async (query: object, found: unknown, again: () => Promise<unknown>) => {
    const { batch } = engine.state();
    let second: unknown;
    try {
      second = await again();
    } catch {
      calls.inc({ outcome: 'failed' });
      return;
    }
    const [one, two] = [comparable(found), comparable(second)];
    if (one === two) {
      calls.inc({ outcome: 'equal' });
      return;
    }
    const isMoved = [engine, other].some((each) => each.state().batch !== batch);
    calls.inc({ outcome: isMoved ? 'moved' : 'different' });
    if (isMoved) return;
    const fields = { query: JSON.stringify(query).slice(0, QUERY_LENGTH_MAX) };
    differences.warn(logger, 'two engines count differently', `${at(one, two)}`, fields);
  };
  const answered = async <Found>(
    query: object,
    ask: (of: LoadedFacetEngine) => Promise<Found>,
  ): Promise<Found> => {
    const found = await ask(engine);
    if (Math.random() >= share || !other.state().ready) return found;
    if (repeated.size >= REPEATED_MAX) {
      calls.inc({ outcome: 'skipped' });
      return found;
    }
    const comparison = compare(query, found, () => ask(other)).finally(() =>
      repeated.delete(comparison),
    );
    repeated.add(comparison);
    return found;
  };
  return {
    name: engine.name,
    state: () => engine.state(),
    start: () => {
      engine.start();
      other.start();
    },
    close: async () => {
      await Promise.all([engine.close(), other.close()]);
      await Promise.all(repeated);
    },
    count: (query, signal) =>
      answered(query, (of) => of.count(query, of === engine ? signal : undefined)),
    countRecords: (query, signal) =>
      answered(query, (of) => of.countRecords(query, of === engine ? signal : undefined)),
    aggregate: (query, signal) =>
      answered(query, (of) => of.aggregate(query, of === engine ? signal : undefined)),
  };
}

/** The answer as text, without the time at which the data was current. */
function comparable(found: unknown): string {
  return JSON.stringify(found, (key, value) => {
    if (key === 'asOf') return undefined;
    if (value instanceof Map) return [...value];
    return typeof value === 'number' ? Number(value.toPrecision(DIGITS)) : value;
  });
}

/** Both answers where they begin to differ. */
function at(one: string, two: string): string {
  const from = [...one].findIndex((sign, index) => sign !== two[index]);
  const part = (text: string) => text.slice(Math.max(0, from - 60), from + 60);
  return `${part(one)} … ${part(two)}`;
}

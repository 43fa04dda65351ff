import { Random } from '@vcds/demo-data/random';
import { quantile, timed } from '@vcds/test-kit/bench';
import { search } from '../../src/search/search.ts';
import type { CompanyType, SearchDatabase } from '../../src/search/search-request.ts';
import { nameChanges } from './name-changes.ts';

/** How long a kind of search took, in milliseconds. */
export type Latency = ReturnType<typeof latencyOf>;

const SEED = 31;
const WARM_UP = 200;

/** Times whole searches, one after the other, by kind of change; then names that are not there. */
export async function measureLatency(
  database: SearchDatabase,
  types: readonly CompanyType[],
  names: readonly string[],
  perKind: number,
): Promise<Latency[]> {
  const random = new Random(SEED);
  const timeOf = (q: string) => timed(() => search(database, { types, q, top: 10 }));
  for (let done = 0; done < WARM_UP; done += 1) {
    const [, change] = random.pick(nameChanges);
    await timeOf(change(random.pick(names), random, names) ?? random.pick(names));
  }
  const rows: Latency[] = [];
  const all: number[] = [];
  const absent = (name: string) =>
    `${random.pick(names).slice(0, 3)}${[...name].toReversed().join('')}`;
  for (const [kind, change] of [...nameChanges, ['not there', absent] as const]) {
    const times: number[] = [];
    while (times.length < perKind) {
      const query = change(random.pick(names), random, names);
      if (query !== null) times.push(await timeOf(query));
    }
    rows.push(latencyOf(kind, times));
    all.push(...times);
  }
  return [...rows, latencyOf('all', all)];
}

const latencyOf = (kind: string, times: readonly number[]) => ({
  kind,
  searches: times.length,
  p50Ms: quantile(times, 0.5),
  p99Ms: quantile(times, 0.99),
});

import { table } from '@vcds/test-kit/bench';
import type { Confidence } from './held-out.ts';
import type { Latency } from './latency.ts';
import { type ChangedName, type Recall, recallOf } from './recall.ts';
import type { ChangedSite } from './site-recall.ts';

/** Where two searches found the record meant, query by query. */
export interface Places {
  readonly ours: readonly number[];
  readonly trigrams: readonly number[];
}

const RECALL_HEADS = ['', 'queries', 'trigrams @1', '@10', 'search @1', '@10'];
const CONFIDENCE_STEPS = [0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95];

/** Recall by kind of change: all queries beside their ceiling, the answerable ones, the clear ones. */
export function nameTable(queries: readonly ChangedName[], places: Places): string {
  const row = (title: string, wanted: (query: ChangedName) => boolean) => {
    const of = (these: readonly number[], which?: 'answerable' | 'clear') =>
      recallOf(
        these.filter((_, index) => {
          const query = queries[index];
          if (query === undefined || !wanted(query)) return false;
          return which === undefined || query.ceiling[which];
        }),
      );
    const mine = queries.filter(wanted);
    const mean = (value: (query: ChangedName) => number) =>
      mine.reduce((sum, query) => sum + value(query), 0) / mine.length;
    const sure = of(places.ours, 'answerable');
    const clear = of(places.ours, 'clear');
    return [
      title,
      mine.length,
      ...pair(of(places.trigrams)),
      ...pair(of(places.ours)),
      ...pair({ first: mean((q) => q.ceiling.first), amongTen: mean((q) => q.ceiling.amongTen) }),
      sure.queries,
      ...pair(of(places.trigrams, 'answerable')),
      ...pair(sure),
      clear.queries,
      ...pair(clear),
    ];
  };
  const kinds = [...new Set(queries.map(({ change }) => change))];
  return table(
    [
      ...[...RECALL_HEADS, 'ceiling @1', '@10', 'answerable', ...RECALL_HEADS.slice(2)],
      ...['clear', 'search @1', '@10'],
    ],
    [
      ...kinds.map((kind) => row(kind, ({ change }) => change === kind)),
      row('**all**', () => true),
    ],
  );
}

/** Recall by way to write a site. */
export function siteTable(queries: readonly ChangedSite[], places: Places): string {
  const row = (title: string, wanted: (query: ChangedSite) => boolean) => {
    const of = (these: readonly number[]) =>
      recallOf(these.filter((_, index) => queries.slice(index, index + 1).some(wanted)));
    return [title, of(places.ours).queries, ...pair(of(places.trigrams)), ...pair(of(places.ours))];
  };
  const kinds = [...new Set(queries.map(({ change }) => change))];
  return table(RECALL_HEADS, [
    ...kinds.map((kind) => row(kind, (q) => q.change === kind)),
    row('**all**', () => true),
  ]);
}

/** Shares of absent names and of hits whose top score reaches a value. */
export function confidenceTable({ absent, hits }: Confidence): string {
  const reaching = (scores: readonly number[], value: number) =>
    ((scores.filter((score) => score >= value).length / scores.length) * 100).toFixed(1);
  return table(
    ['top score at least', 'names not there, %', 'names found, %'],
    CONFIDENCE_STEPS.map((value) => [value, reaching(absent, value), reaching(hits, value)]),
  );
}

/** Milliseconds by kind of query. */
export function latencyTable(rows: readonly Latency[]): string {
  return table(
    ['', 'searches', 'p50 ms', 'p99 ms'],
    rows.map((row) => [row.kind, row.searches, row.p50Ms.toFixed(1), row.p99Ms.toFixed(1)]),
  );
}

function pair({ first, amongTen }: Pick<Recall, 'first' | 'amongTen'>): string[] {
  return [first.toFixed(3), amongTen.toFixed(3)];
}

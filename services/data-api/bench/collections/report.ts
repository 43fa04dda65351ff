import { quantile, table } from '@vcds/test-kit/bench';
import type { Run } from './measure.ts';

export const REPORT_HEADS = [
  ...['Line', 'Clients', 'Server', 'requests/s', 'p50 ms', 'p99 ms', 'Node ms', 'PostgreSQL ms'],
  ...['share of the floor', 'processor ×'],
];

const BASE = 'floor';
const median = (values: readonly number[]): number => quantile(values, 0.5);

/**
 * A row for each server: medians of its runs; against the floor the median of the ratios of the runs
 * of one turn, with the lowest and the highest.
 */
export function reportRows(
  title: string,
  clients: number,
  runs: ReadonlyMap<string, readonly Run[]>,
): string[][] {
  const base = runs.get(BASE) ?? [];
  return [...runs].map(([name, own]) => {
    const of = (figure: (run: Run) => number) => median(own.map(figure));
    const against = (ratio: (run: Run, other: Run) => number): string => {
      const ratios = own.flatMap((run, turn) => {
        const other = base[turn];
        return other === undefined ? [] : [ratio(run, other)];
      });
      if (name === BASE || ratios.length === 0) return '';
      const [low, high] = [Math.min(...ratios), Math.max(...ratios)];
      return `${median(ratios).toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
    };
    return [
      title,
      String(clients),
      name,
      of(({ perSecond }) => perSecond).toFixed(0),
      ...[of(({ p50Ms }) => p50Ms), of(({ p99Ms }) => p99Ms)].map((ms) => ms.toFixed(1)),
      ...[of(({ nodeMs }) => nodeMs), of(({ postgresMs }) => postgresMs)].map((ms) =>
        ms.toFixed(2),
      ),
      against((run, other) => run.perSecond / other.perSecond),
      against((run, other) => processor(run) / processor(other)),
    ];
  });
}

const processor = ({ nodeMs, postgresMs }: Run): number => nodeMs + postgresMs;

export const reportTable = (rows: readonly (readonly string[])[]): string =>
  table(REPORT_HEADS, rows, 1);

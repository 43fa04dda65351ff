import { grouped, table } from '@vcds/test-kit/bench';
import type { Latency } from './measure.ts';
import type { Kind } from './requests.ts';

/** One adapter at one size, asked in one way. */
export interface Measured {
  readonly startups: number;
  readonly way: 'engine' | 'HTTP';
  readonly adapter: string;
  readonly latencies: ReadonlyMap<Kind, Latency>;
  readonly perSecond: number;
}

/** The table of docs/benchmarks.md: a row an adapter, then how they compare. */
export function measuredTable(kinds: readonly Kind[], rows: readonly Measured[]): string {
  const cells = rows.flatMap((row) => {
    const times = kinds.map((kind) => timesOf(row.latencies.get(kind)));
    const sql = rows.find(
      ({ startups, way, adapter }) =>
        startups === row.startups && way === row.way && adapter === 'sql',
    );
    const measured = [grouped(row.startups), row.way, row.adapter, ...times, rate(row.perSecond)];
    return sql === undefined || sql === row ? [measured] : [measured, ratios(kinds, row, sql)];
  });
  return table(['startups', 'asked', 'adapter', ...kinds, 'requests/s'], cells, 3);
}

function ratios(kinds: readonly Kind[], row: Measured, sql: Measured): string[] {
  const faster = kinds.map((kind) => {
    const ratio =
      (sql.latencies.get(kind)?.p50Ms ?? Number.NaN) / (row.latencies.get(kind)?.p50Ms ?? 1);
    return `× ${rate(ratio)}`;
  });
  const more = `**× ${rate(row.perSecond / sql.perSecond)}**`;
  return [grouped(row.startups), row.way, `${row.adapter} : sql, p50`, ...faster, more];
}

function timesOf(latency: Latency | undefined): string {
  return latency === undefined ? '' : `${short(latency.p50Ms)} · ${short(latency.p99Ms)}`;
}

function short(ms: number): string {
  return ms < 1 ? ms.toFixed(2) : ms < 100 ? ms.toFixed(1) : grouped(ms);
}

function rate(value: number): string {
  return value < 10 ? value.toFixed(1) : grouped(value);
}

import { grouped, table } from '@vcds/test-kit/bench';
import type { Latency, Throughput } from './measure.ts';
import type { Kind } from './requests.ts';

/** One adapter at one size, asked in one way. */
export interface Measured {
  readonly startups: number;
  readonly way: 'engine' | 'HTTP';
  readonly adapter: string;
  readonly latencies: ReadonlyMap<Kind, Latency>;
  /** By number of clients. */
  readonly throughputs: ReadonlyMap<number, Throughput>;
}

/**
 * The table of docs/benchmarks/facets.md: a row an adapter, then how they compare. A kind has p50 · p99 ·
 * processor milliseconds of the engine or the service; a number of clients has requests/s of the
 * mix · processor milliseconds.
 */
export function measuredTable(kinds: readonly Kind[], rows: readonly Measured[]): string {
  const cells = rows.flatMap((row) => {
    const times = kinds.map((kind) => timesOf(row.latencies.get(kind)));
    const sql = rows.find(
      ({ startups, way, adapter }) =>
        startups === row.startups && way === row.way && adapter === 'sql',
    );
    const clients = [...row.throughputs.values()].map(
      ({ perSecond, processorMs }) => `${rate(perSecond)} · ${short(processorMs)}`,
    );
    const measured = [grouped(row.startups), row.way, row.adapter, ...times, ...clients];
    return sql === undefined || sql === row ? [measured] : [measured, ratios(kinds, row, sql)];
  });
  const clients = [...(rows[0]?.throughputs.keys() ?? [])].map((count) => `${count} clients`);
  return table(['startups', 'asked', 'adapter', ...kinds, ...clients], cells, 3);
}

function ratios(kinds: readonly Kind[], row: Measured, sql: Measured): string[] {
  const faster = kinds.map((kind) => {
    const ratio =
      (sql.latencies.get(kind)?.p50Ms ?? Number.NaN) / (row.latencies.get(kind)?.p50Ms ?? 1);
    return `× ${rate(ratio)}`;
  });
  const more = [...row.throughputs].map(([clients, { perSecond }]) => {
    const ratio = perSecond / (sql.throughputs.get(clients)?.perSecond ?? Number.NaN);
    return `× ${rate(ratio)}`;
  });
  return [grouped(row.startups), row.way, `${row.adapter} : sql, p50`, ...faster, ...more];
}

function timesOf(latency: Latency | undefined): string {
  if (latency === undefined) return '';
  return [latency.p50Ms, latency.p99Ms, latency.processorMs].map(short).join(' · ');
}

function short(ms: number): string {
  return ms < 1 ? ms.toFixed(2) : ms < 100 ? ms.toFixed(1) : grouped(ms);
}

function rate(value: number): string {
  return value < 10 ? value.toFixed(1) : grouped(value);
}

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
  const heads = ['startups', 'asked', 'adapter', ...kinds, 'requests/s'];
  const lines = [cells(heads), cells(heads.map((_, i) => (i < 3 ? '---' : '---:')))];
  for (const row of rows) {
    const times = kinds.map((kind) => timesOf(row.latencies.get(kind)));
    lines.push(
      cells([thousands(row.startups), row.way, row.adapter, ...times, rate(row.perSecond)]),
    );
    const sql = rows.find(
      ({ startups, way, adapter }) =>
        startups === row.startups && way === row.way && adapter === 'sql',
    );
    if (sql !== undefined && sql !== row) lines.push(ratioLine(kinds, row, sql));
  }
  return lines.join('\n');
}

function ratioLine(kinds: readonly Kind[], row: Measured, sql: Measured): string {
  const faster = kinds.map((kind) => {
    const ratio =
      (sql.latencies.get(kind)?.p50Ms ?? Number.NaN) / (row.latencies.get(kind)?.p50Ms ?? 1);
    return `× ${rate(ratio)}`;
  });
  const more = `**× ${rate(row.perSecond / sql.perSecond)}**`;
  return cells([thousands(row.startups), row.way, `${row.adapter} : sql, p50`, ...faster, more]);
}

function timesOf(latency: Latency | undefined): string {
  return latency === undefined ? '' : `${short(latency.p50Ms)} · ${short(latency.p99Ms)}`;
}

function short(ms: number): string {
  return ms < 1 ? ms.toFixed(2) : ms < 100 ? ms.toFixed(1) : thousands(Math.round(ms));
}

function rate(value: number): string {
  return value < 10 ? value.toFixed(1) : thousands(Math.round(value));
}

function thousands(value: number): string {
  return value.toLocaleString('en-US');
}

function cells(values: readonly string[]): string {
  return `| ${values.join(' | ')} |`;
}

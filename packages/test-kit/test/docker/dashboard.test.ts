import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { errorsOfQuery, labelsIn, seriesIn } from '../metrics/promql.ts';
import { registeredMetrics, seriesOf } from '../metrics/registered-metrics.ts';
import { readDocker } from './compose-file.ts';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly datasource?: { readonly type: string; readonly uid: string };
  readonly gridPos: Readonly<Record<'h' | 'w' | 'x' | 'y', number>>;
  readonly targets?: readonly {
    readonly refId: string;
    readonly expr: string;
    readonly legendFormat?: string;
  }[];
}

/** Of Prometheus itself, and of prom-client's default metrics. */
const OTHERS = [
  'up',
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'nodejs_eventloop_lag_p99_seconds',
];
/** Labels that Prometheus adds, and those of every histogram. */
const COMMON = ['job', 'exported_job', 'instance', 'le'];

const dashboard = JSON.parse(readDocker('observe/dashboard.json')) as {
  readonly schemaVersion: number;
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string }[] };
};
const { panels } = dashboard;
const targets = panels.flatMap((panel) => panel.targets ?? []);
const queries = targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m'));

test('the queries of the dashboard are PromQL over metrics that the processes export', () => {
  expect(queries.length).toBeGreaterThan(30);
  expect(queries.flatMap(errorsOfQuery)).toEqual([]);
  const known = new Set([...OTHERS, ...registeredMetrics.flatMap(seriesOf)]);
  expect(queries.flatMap(seriesIn).filter((name) => !known.has(name))).toEqual([]);
});

test('the queries of the dashboard use labels that their metrics have', () => {
  const wrong = queries.flatMap((query) => {
    const read = new Set(seriesIn(query));
    const metrics = registeredMetrics.filter((metric) =>
      seriesOf(metric).some((name) => read.has(name)),
    );
    // Undefined: the labels are a variable in the source.
    if (metrics.some(({ labels }) => labels === undefined)) return [];
    const labels = [...COMMON, ...metrics.flatMap((metric) => metric.labels ?? [])];
    return labelsIn(query)
      .filter((label) => !labels.includes(label))
      .map((label) => `${label}: ${query}`);
  });
  expect(wrong).toEqual([]);
});

test('the legends of the dashboard show labels that their queries keep', () => {
  const wrong = targets.filter(({ expr, legendFormat = '' }) => {
    const kept = new Set(labelsIn(expr.replaceAll('$__rate_interval', '5m')));
    const shown = [...legendFormat.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, label = '']) => label);
    return /\bby\b/.test(expr) && shown.some((label) => !kept.has(label));
  });
  expect(wrong).toEqual([]);
});

test('the dashboard has the form that Grafana reads', () => {
  expect(dashboard).toMatchObject({
    schemaVersion: expect.any(Number),
    uid: expect.stringMatching(/^[\w-]{1,40}$/),
    title: expect.any(String),
  });
  const source = parse(readDocker('observe/datasource.yaml')) as {
    readonly datasources: readonly { readonly type: string; readonly uid: string }[];
  };
  const sources = source.datasources.map(({ type, uid }) => ({ type, uid }));
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const { type, title, datasource, gridPos, targets: own = [] } of panels) {
    expect(title).not.toBe('');
    expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    if (type === 'row') continue;
    expect(type).toBe('timeseries');
    expect(sources).toContainEqual(datasource);
    expect(own.length).toBeGreaterThan(0);
    expect(new Set(own.map(({ refId }) => refId)).size).toBe(own.length);
  }
  const overlapping = panels.filter((panel, index) =>
    panels.slice(index + 1).some((other) => overlap(panel.gridPos, other.gridPos)),
  );
  expect(overlapping.map(({ title }) => title)).toEqual([]);
  const variables = dashboard.templating.list.map(({ name }) => name);
  const used = targets.flatMap(({ expr }) => expr.match(/\$(?!__)\w+/g) ?? []);
  expect(new Set(used)).toEqual(new Set(variables.map((name) => `$${name}`)));
});

function overlap(a: Panel['gridPos'], b: Panel['gridPos']): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

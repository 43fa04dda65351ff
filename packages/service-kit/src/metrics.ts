import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

const LATENCY_BUCKETS_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];

/** The Prometheus registry of one process and the measure every service takes. */
export interface Metrics {
  readonly registry: Registry;
  /** Records one answered request. `route` is the path pattern, never the path. */
  observeRequest(route: string, method: string, status: number, seconds: number): void;
}

/** A registry of its own (never prom-client's global one), with Node's default metrics. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer.',
    labelNames: ['route', 'method', 'status'],
    buckets: LATENCY_BUCKETS_SECONDS,
    registers: [registry],
  });
  return {
    registry,
    observeRequest: (route, method, status, seconds) =>
      duration.observe({ route, method, status }, seconds),
  };
}

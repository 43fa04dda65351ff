import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

const LATENCY_BUCKETS_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];

/** The timer that measures the delay of the event loop; each tick wakes an idle process. */
const LAG_TICK_MS = 50;

/** The Prometheus registry of a process, and the metric that every service has. */
export interface Metrics {
  readonly registry: Registry;
  /** Records a request at its end. `route` is the path pattern, never the path. */
  observeRequest(route: string, method: string, status: number, seconds: number): void;
}

/**
 * A new registry (never prom-client's global one), with prom-client's default metrics of the
 * process, which keep their names (`process_…`, `nodejs_…`).
 */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_TICK_MS });
  const duration = new Histogram({
    name: 'vcds_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its response.',
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

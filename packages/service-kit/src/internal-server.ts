import type { Express, RequestHandler } from 'express';
import { bareApp } from './app.ts';
import { errorHandler } from './error-handler.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';
import { reasonOf } from './outage-log.ts';
import {
  changedOutcomes,
  checkInTime,
  createReadiness,
  type ReadinessCheck,
  type ReadinessChecks,
} from './readiness.ts';
import { openContext } from './request-context.ts';
import { assertHeaders } from './request-headers.ts';
import { sendJson } from './responses.ts';
import { type Route, routesHandler, unknownPath } from './routes.ts';
import { createScrape } from './scrape.ts';
import { beginTrace } from './tracing/begin-trace.ts';
import type { WorkGate } from './work/work-gate.ts';

export interface InternalAppOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** By name; `/ready` returns 200 if all of them pass. */
  readonly checks?: ReadinessChecks;
  /** Shared with other processes; each has to pass once (see `createReadiness`). */
  readonly stores?: ReadinessChecks;
  /** Rejects if the process must be restarted; `/live` then returns 503. Default: never. */
  readonly liveness?: ReadinessCheck;
  /** The service's own internal endpoints. */
  readonly routes?: readonly Route[];
  /** True once the process is stopping: `/ready` returns 503 from then on. */
  readonly isStopping?: () => boolean;
  /** Bounds the requests in flight and the rejected ones of a network; no bounds without it. */
  readonly gate?: WorkGate | undefined;
}

/** The app on the internal port: `/live`, `/ready`, `/metrics`, internal routes. */
export function createInternalApp(options: InternalAppOptions): Express {
  const { logger, metrics } = options;
  const readiness = createReadiness({ ...options, registry: metrics.registry });
  const scrape = createScrape(metrics.registry);
  const note = changedOutcomes(logger);
  const routes: readonly Route[] = [
    {
      method: 'GET',
      path: '/live',
      handler: async (_request, response) => {
        const live = await isLive(options.liveness, note);
        sendJson(response, live ? 200 : 503, { live });
      },
    },
    {
      method: 'GET',
      path: '/ready',
      handler: async (_request, response) => {
        const report = await readiness();
        sendJson(response, report.ready ? 200 : 503, report);
      },
    },
    {
      method: 'GET',
      path: '/metrics',
      handler: async (_request, response) => {
        response.setHeader('Content-Type', metrics.registry.contentType);
        sendJson(response, 200, await scrape());
      },
    },
    ...(options.routes ?? []),
  ];
  const app = bareApp();
  app.use(internalEdge(logger, metrics, options.gate));
  app.use(routesHandler(routes));
  app.use(unknownPath(routes));
  app.use(errorHandler());
  return app;
}

async function isLive(
  check: ReadinessCheck | undefined,
  note: ReturnType<typeof changedOutcomes>,
): Promise<boolean> {
  if (check === undefined) return true;
  try {
    await checkInTime(check);
    note('live', 'ok');
    return true;
  } catch (error) {
    note('live', reasonOf(error));
    return false;
  }
}

// Internal calls are measured, but not logged: most of them are probes.
function internalEdge(
  logger: Logger,
  metrics: Metrics,
  gate: WorkGate | undefined,
): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    const context = openContext(request, logger);
    response.setHeader('X-Request-Id', context.requestId);
    // Probes have no traceparent; a span of each would only cost.
    const span =
      request.headers.traceparent === undefined ? undefined : beginTrace(request, context);
    response.once('close', () => {
      span?.end(context.route, response.statusCode);
      const seconds = (performance.now() - startedAt) / 1000;
      metrics.observeRequest(context.route, request.method, response.statusCode, seconds);
      // Probes and calls of other processes of the service are no free work.
      if (response.statusCode < 400) context.work.paid();
    });
    assertHeaders(request);
    const address = request.socket.remoteAddress;
    if (gate !== undefined) {
      context.work = gate.open({ response, address, isInternal: true });
      context.work.assertInFlight();
    }
    if (span === undefined) next();
    else span.run(next);
  };
}

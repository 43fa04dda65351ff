import type { Express, RequestHandler } from 'express';
import { bareApp } from './app.ts';
import { errorHandler } from './error-handler.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';
import { reasonOf } from './outage-log.ts';
import { openContext } from './request-context.ts';
import { sendJson } from './responses.ts';
import { type Route, routesHandler, unknownPath } from './routes.ts';
import { beginTrace } from './tracing/begin-trace.ts';
import { within } from './within.ts';

const CHECK_MS_MAX = 2_000;
const TIMED_OUT = `no response within ${CHECK_MS_MAX} ms`;

/** Checks a dependency: resolves if it works, rejects (or takes more than 2 s) if not. */
export type ReadinessCheck = () => Promise<unknown>;

export interface InternalAppOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** By name; `/ready` returns 200 if all of them pass. */
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  /** Rejects if the process must be restarted; `/live` then returns 503. Default: never. */
  readonly liveness?: ReadinessCheck;
  /** The service's own internal endpoints. */
  readonly routes?: readonly Route[];
  /** True once the process is stopping: `/ready` returns 503 from then on. */
  readonly isStopping?: () => boolean;
}

/** The app on the internal port: `/live`, `/ready`, `/metrics`, internal routes. */
export function createInternalApp(options: InternalAppOptions): Express {
  const { logger, metrics, checks, isStopping = () => false } = options;
  const outcomes = new Map<string, string>();
  const routes: readonly Route[] = [
    {
      method: 'GET',
      path: '/live',
      handler: async (_request, response) => {
        const live = await isLive(options.liveness, outcomes, logger);
        sendJson(response, live ? 200 : 503, { live });
      },
    },
    {
      method: 'GET',
      path: '/ready',
      handler: async (_request, response) => {
        const report = await readiness(checks, isStopping(), outcomes, logger);
        sendJson(response, report.ready ? 200 : 503, report);
      },
    },
    {
      method: 'GET',
      path: '/metrics',
      handler: async (_request, response) => {
        response.setHeader('Content-Type', metrics.registry.contentType);
        sendJson(response, 200, await metrics.registry.metrics());
      },
    },
    ...(options.routes ?? []),
  ];
  const app = bareApp();
  app.use(internalEdge(logger, metrics));
  app.use(routesHandler(routes));
  app.use(unknownPath(routes));
  app.use(errorHandler());
  return app;
}

async function readiness(
  checks: Readonly<Record<string, ReadinessCheck>>,
  stopping: boolean,
  outcomes: Map<string, string>,
  logger: Logger,
) {
  const report = (name: string, outcome: string) => note(outcomes, logger, name, outcome);
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        await within(CHECK_MS_MAX, check(), TIMED_OUT);
        report(name, 'ok');
        return [name, 'ok'] as const;
      } catch (error) {
        report(name, reasonOf(error));
        return [name, 'failed'] as const;
      }
    }),
  );
  const ready = !stopping && results.every(([, result]) => result === 'ok');
  return { ready, checks: Object.fromEntries(results), stopping };
}

async function isLive(
  check: ReadinessCheck | undefined,
  outcomes: Map<string, string>,
  logger: Logger,
): Promise<boolean> {
  if (check === undefined) return true;
  try {
    await within(CHECK_MS_MAX, check(), TIMED_OUT);
    note(outcomes, logger, 'live', 'ok');
    return true;
  } catch (error) {
    note(outcomes, logger, 'live', reasonOf(error));
    return false;
  }
}

// Probes come every few seconds: only a changed outcome is logged.
function note(outcomes: Map<string, string>, logger: Logger, name: string, outcome: string): void {
  if (outcomes.get(name) === outcome) return;
  outcomes.set(name, outcome);
  logger.info({ check: name, outcome }, 'readiness check');
}

// Internal calls are measured, but not logged: most of them are probes.
function internalEdge(logger: Logger, metrics: Metrics): RequestHandler {
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
    });
    if (span === undefined) next();
    else span.run(next);
  };
}

export { nearest, withHint } from '@vcds/odata-query';
export { acceptedType } from './accepted-type.ts';
export { createPublicApp } from './app.ts';
export { ACCESS_BASE_PATH, DATA_BASE_PATH, MCP_PATH } from './base-paths.ts';
export { type CircuitOptions, createCircuit } from './circuit.ts';
export { type Clock, secondsSince, systemClock } from './clock.ts';
export { type Config, ConfigError, type Given, readConfig, type Variables } from './config.ts';
export type { EdgeSettings } from './edge.ts';
export {
  EDGE_VARIABLES,
  edgeSettings,
  HTTP_SCHEMES,
  hostVariable,
  POSTGRES_SCHEMES,
  portVariable,
  REDIS_SCHEMES,
  urlsVariable,
  urlVariable,
} from './edge-variables.ts';
export { ERRORS, type ErrorCode } from './error-table.ts';
export {
  ApiError,
  bounded,
  type ErrorDetails,
  orUnavailable,
  type ProblemBody,
  problemBody,
} from './errors.ts';
export { createHttpServer } from './http-server.ts';
export { inProcessFetch, workInProcess } from './in-process-fetch.ts';
export { createInternalApp } from './internal-server.ts';
export { startInternalService } from './internal-service.ts';
export { type BodyBounds, readJsonBody } from './json-body.ts';
export { keySteps } from './key-steps.ts';
export { createLogger, type Logger } from './logger.ts';
export { createMetrics, type Metrics } from './metrics.ts';
export { nearestPath } from './nearest-path.ts';
export { createOutageLog, type OutageLog, reasonOf } from './outage-log.ts';
export { type QueryString, readParameters, readPath, readQueryString } from './parameters.ts';
export { ClientGone, readBody } from './read-body.ts';
export { NotServingError, type ReadinessCheck } from './readiness.ts';
export {
  closeRedis,
  createRedis,
  emptyRedis,
  primariesOf,
  type RedisClient,
  redisReady,
} from './redis.ts';
export { type Repetition, repeat } from './repeat.ts';
export { contextOf } from './request-context.ts';
export { READ_HEADERS } from './request-headers.ts';
export { keepPrivate, sendJson } from './responses.ts';
export type { Method, Route } from './routes.ts';
export { runService } from './run-service.ts';
export { createSchemaCheck, type ReadApplied } from './schema-check.ts';
export { seeUrl } from './see-url.ts';
export { type Listener, type Resource, type Service, startService } from './service.ts';
export { type ServiceRouteOptions, serviceRoute } from './service-route.ts';
export { timeOrderedId } from './time-ordered-id.ts';
export { TRACE_VARIABLES } from './tracing/trace-variables.ts';
export {
  isTracing,
  type JobSpan,
  setTracer,
  tracedJobs,
  tracedQuery,
  tracedRequests,
  tracedSteps,
  traceOfJob,
} from './tracing/tracer.ts';
export { unauthorized, unauthorizedToken } from './unauthorized.ts';
export { within } from './within.ts';
export { type ClientNetworks, networksOf } from './work/networks.ts';
export type { RequestWork } from './work/request-work.ts';
export { createWorkGate, type WorkGate, workLimits } from './work/work-gate.ts';

export { nearest, withHint } from '@vcds/odata-query';
export { keepPrivate, sendJson } from './answers.ts';
export { createPublicApp, type PublicAppOptions } from './app.ts';
export { ACCESS_BASE_PATH, DATA_BASE_PATH } from './base-paths.ts';
export { type Circuit, CircuitOpenError, type CircuitOptions, createCircuit } from './circuit.ts';
export { type Clock, systemClock } from './clock.ts';
export {
  type Config,
  ConfigError,
  type Given,
  readConfig,
  type Variable,
  type Variables,
} from './config.ts';
export type { EdgeSettings } from './edge.ts';
export {
  EDGE_VARIABLES,
  edgeSettings,
  HTTP_SCHEMES,
  hostVariable,
  POSTGRES_SCHEMES,
  portVariable,
  REDIS_SCHEMES,
  secretsVariable,
  urlVariable,
} from './edge-variables.ts';
export {
  ERRORS,
  type ErrorCode,
  statusOf,
  UNAUTHORIZED_REASONS,
  type UnauthorizedReason,
} from './error-table.ts';
export {
  ALLOWED_MAX,
  ApiError,
  bounded,
  ECHO_LENGTH_MAX,
  type ErrorDetails,
  orUnavailable,
  type ProblemBody,
  problemBody,
} from './errors.ts';
export { createHttpServer } from './http-server.ts';
export {
  createInternalApp,
  type InternalAppOptions,
  type ReadinessCheck,
} from './internal-server.ts';
export { readJsonBody } from './json-body.ts';
export { createLogger, LOG_LEVELS, type Logger, type LogLevel, type LogSink } from './logger.ts';
export { createMetrics, type Metrics } from './metrics.ts';
export { nearestPath } from './nearest-path.ts';
export { createOutageLog, type OutageLog, reasonOf } from './outage-log.ts';
export {
  type QueryString,
  readParameters,
  readQueryString,
  URL_BYTES_MAX,
} from './parameters.ts';
export { ClientGone, readBody } from './read-body.ts';
export { redact } from './redact.ts';
export {
  closeRedis,
  createRedis,
  type RedisClient,
  type RedisSettings,
  redisReady,
} from './redis.ts';
export { type Caller, contextOf, type RequestContext } from './request-context.ts';
export type { Method, Route } from './routes.ts';
export { runService, type ServiceProcess } from './run-service.ts';
export { createSchemaCheck, type SchemaCheckOptions } from './schema-check.ts';
export { seeUrl } from './see-url.ts';
export {
  type Listener,
  type Resource,
  type Service,
  type ServiceOptions,
  startService,
} from './service.ts';
export { unauthorized, unauthorizedToken } from './unauthorized.ts';

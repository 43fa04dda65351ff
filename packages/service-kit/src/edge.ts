import type { Request, RequestHandler, Response } from 'express';
import { createCallSample } from './call-sample.ts';
import { setCorsHeaders } from './cors.ts';
import { ApiError } from './errors.ts';
import { workInProcess } from './in-process-fetch.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';
import { assertUrlLength, readPath } from './parameters.ts';
import { openContext, type RequestContext } from './request-context.ts';
import { assertHeaders, cutForwarded } from './request-headers.ts';
import { SECURITY_HEADERS, setHeaders } from './security-headers.ts';
import { beginTrace } from './tracing/begin-trace.ts';
import type { WorkGate } from './work/work-gate.ts';

const CLIENT_GONE = 499;

/** The settings of a service's edge. */
export interface EdgeSettings {
  /** Reject calls over plain HTTP (403 `https_required`); they are never redirected. */
  readonly requireHttps: boolean;
  /** The proxies to trust for scheme and address: hops, addresses or subnets; or none. */
  readonly trustProxy: string | undefined;
  /** Of the successful calls of a route, one in this many is logged; default 1: each. */
  readonly logSample?: number | undefined;
  /** The default Cache-Control of responses. */
  readonly cacheControl?: string;
  /** Bounds the work of accounts and networks; no bounds without it. */
  readonly gate?: WorkGate | undefined;
}

/**
 * The first handler of every request: its id, the common headers, the log line and metric at its
 * end, and the errors that concern no endpoint.
 */
export function edge(logger: Logger, metrics: Metrics, settings: EdgeSettings): RequestHandler {
  const linesOf = createCallSample(settings.logSample ?? 1);
  const noteProxy = untrustedProxies(logger);
  return (request, response, next) => {
    const startedAt = process.hrtime.bigint();
    const context = openContext(request, logger);
    context.compresses = true;
    const span = beginTrace(request, context);
    setCommonHeaders(response, context, settings);
    let isDelivered = false;
    // Node also finishes a response whose connection was closed before its end.
    response.once('finish', () => {
      isDelivered = !request.socket.destroyed;
    });
    response.once('close', () => {
      const status = isDelivered ? response.statusCode : CLIENT_GONE;
      const ms = Number(process.hrtime.bigint() - startedAt) / 1e6;
      const subject = context.caller?.accountId ?? context.work.network;
      const call = { method: request.method, route: context.route, status, ms, subject };
      metrics.observeRequest(call.route, call.method, status, ms / 1000);
      span?.end(call.route, status);
      const sample = linesOf(call);
      if (sample > 0) logCall(logger, call, context, sample);
    });
    openWork(request, response, context, settings.gate, noteProxy);
    assertHeaders(request);
    assertUrlLength(request.originalUrl);
    readPath(request.originalUrl);
    if (settings.requireHttps && !request.secure) {
      throw new ApiError('https_required', 'This API requires HTTPS.');
    }
    if (span === undefined) next();
    else span.run(next);
  };
}

/** Whether the request claims to have an account. */
const CREDENTIAL = /[?&]token=/;

/**
 * Counts the request, and rejects it before any further work if its network is beyond its bounds. One with
 * a credential is first authenticated, so that callers with keys share no bounds with others; on a route
 * that takes no key it counts as one without.
 */
function openWork(
  request: Request,
  response: Response,
  context: RequestContext,
  gate: WorkGate | undefined,
  noteProxy: (address: string | undefined) => void,
): void {
  const outer = workInProcess(request.socket);
  if (outer !== undefined) {
    context.work = outer.part(response);
    return;
  }
  if (gate === undefined) return;
  const { headers, originalUrl, socket } = request;
  cutForwarded(request);
  const address = request.ip;
  const isForwarded = (headers['x-forwarded-for'] ?? headers.forwarded) !== undefined;
  const isShared = isForwarded || address !== socket.remoteAddress;
  if (isForwarded && address === socket.remoteAddress) noteProxy(address);
  const isInHeader = (headers['x-api-key'] ?? headers.authorization) !== undefined;
  const hasCredential = isInHeader || CREDENTIAL.test(originalUrl);
  context.work = gate.open({ response, address, isShared, hasCredential });
  if (hasCredential) context.work.assertInFlight();
  else context.work.withoutKey();
}

/** Logs the first request of a proxy that is not trusted: all of its clients count as one network. */
function untrustedProxies(logger: Logger): (address: string | undefined) => void {
  let isNoted = false;
  return (address) => {
    if (isNoted) return;
    isNoted = true;
    logger.warn(
      { address },
      'a request was forwarded by an address that is not trusted: if it is a load balancer or proxy ' +
        'of yours, set TRUST_PROXY to the number of proxies or to their addresses, else all of its ' +
        'clients share the limits of one network',
    );
  };
}

function setCommonHeaders(
  response: Response,
  context: RequestContext,
  settings: EdgeSettings,
): void {
  response.setHeader('X-Request-Id', context.requestId);
  setHeaders(response, SECURITY_HEADERS);
  if (settings.requireHttps) {
    response.setHeader('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
  }
  if (settings.cacheControl !== undefined) {
    response.setHeader('Cache-Control', settings.cacheControl);
  }
  setCorsHeaders(response);
}

interface Call {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly subject: string;
}

// With the path pattern and never the URL. Assigned one by one, because it runs for each call.
function logCall(logger: Logger, call: Call, context: RequestContext, sample: number): void {
  const { requestId, trace, caller, charged } = context;
  const line: Record<string, unknown> = {
    method: call.method,
    route: call.route,
    status: call.status,
    ms: Math.round(call.ms * 100) / 100,
    requestId,
  };
  if (trace !== undefined) Object.assign(line, trace);
  if (caller !== undefined) {
    line.accountId = caller.accountId;
    line.keyId = caller.keyId;
  } else if (call.status >= 400) {
    line.network = context.work.network;
  }
  if (charged !== undefined) line.charged = charged;
  if (sample !== 1) line.sample = sample;
  logger.info(line, 'request');
}
